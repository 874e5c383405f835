// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Counters that share the words among them: each word always goes to the same one, and no two of them wait
// for each other.
//
// prints: ^counters: 4$
// prints: ^apple: 3$
// prints: ^pear: 1$
// prints: ^all: 4$

//[partitions_program
#include <smarm.hpp>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

//[partitions_class
class word_counter : public smarm::gen_server<word_counter> {
public:
  struct add {
    std::string word;
  };
  struct count {
    std::string word;
  };
  struct total {};

  void handle_cast(add m) { ++words_[m.word]; }
  int handle_call(count m) const {
    const auto at = words_.find(m.word);
    return at != words_.end() ? at->second : 0;
  }
  int handle_call(total) const {
    int sum = 0;
    for (const auto& [word, n] : words_) {
      sum += n;
    }
    return sum;
  }

private:
  std::map<std::string, int> words_;
};
//]

int main() {
  int apples = 0, all = 0;
  smarm::run([&] {
    //[partitions_use
    const smarm::partition_supervisor<word_counter> counters({.partitions = 4});
    auto running =
        counters.start().value(); // or in a tree: {.id = "words", .start = counters.as_child()}

    for (const std::string word : {"apple", "pear", "apple", "apple"}) {
      (void)counters.for_key(word).cast(word_counter::add{word});
    }
    apples = counters.for_key("apple").call(word_counter::count{"apple"}).value();
    //]
    std::cout << "counters: " << counters.size() << '\n' << "apple: " << apples << '\n';
    std::cout << "pear: " << counters.for_key("pear").call(word_counter::count{"pear"}).value()
              << '\n';
    //[partitions_each
    counters.each([&](std::size_t, const smarm::server_ref<word_counter>& one) {
      all += one.call(word_counter::total{}).value();
    });
    //]
    std::cout << "all: " << all << '\n';
    (void)running.shutdown(std::chrono::minutes(10)).value();
  });
  return apples == 3 && all == 4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
//]

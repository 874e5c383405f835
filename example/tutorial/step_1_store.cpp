// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The tutorial's first step: a server that keeps texts under keys.
//
// prints: ^colour: blue$
// prints: ^nothing is kept under shape$

//[tutorial_store_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <string>

using namespace std::chrono_literals;

//[tutorial_store_class
class store : public smarm::gen_server<store> {
public:
  struct put {
    std::string key, value;
  };
  struct get {
    std::string key;
  };

  void handle_call(put m) { values_[m.key] = m.value; }
  std::optional<std::string> handle_call(get m) const {
    const auto at = values_.find(m.key);
    return at != values_.end() ? std::optional(at->second) : std::nullopt;
  }

private:
  std::map<std::string, std::string> values_;
};
//]

int main() {
  smarm::run([] {
    const auto keys = smarm::start_server<store>().value();
    keys.call(store::put{"colour", "blue"}, 1s).value();
    std::cout << "colour: " << *keys.call(store::get{"colour"}, 1s).value() << '\n';
    if (!keys.call(store::get{"shape"}, 1s).value()) {
      std::cout << "nothing is kept under shape\n";
    }
  });
}
//]

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server with a name: whoever knows the name reaches whichever server has it now, so one that was
// started again is found by those who called the first.
//
// prints: ^nobody yet: nobody is registered
// prints: ^a second one: the name is taken
// prints: ^apple costs 3$
// prints: ^the next one knows nothing of apples$

//[named_server_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>

using namespace std::chrono_literals;

class price_list : public smarm::gen_server<price_list> {
public:
  struct set {
    std::string what;
    int price;
  };
  struct price_of {
    std::string what;
  };

  void handle_cast(set s) { prices_[std::move(s.what)] = s.price; }
  std::optional<int> handle_call(const price_of& p) const {
    const auto at = prices_.find(p.what);
    return at != prices_.end() ? std::optional(at->second) : std::nullopt;
  }

private:
  std::map<std::string, int> prices_;
};

//[named_server_name
inline constexpr smarm::server_name<price_list> the_prices{"prices"};
//]

int main() {
  smarm::run([] {
    //[named_server_use
    std::cout << "nobody yet: " << the_prices.cast(price_list::set{"pear", 2}).error().message()
              << '\n';
    auto first = the_prices.start().value();
    std::cout << "a second one: " << the_prices.start().error().message() << '\n';

    (void)the_prices.cast(price_list::set{"apple", 3});
    std::cout << "apple costs " << the_prices.call(price_list::price_of{"apple"}).value().value()
              << '\n';

    (void)first.shutdown(smarm::exit_kind::shutdown, 1s);
    (void)the_prices.start().value(); // the name keeps it alive
    if (!the_prices.call(price_list::price_of{"apple"}, 1s).value()) {
      std::cout << "the next one knows nothing of apples\n";
    }
    //]
  });
}
//]

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server: a state, what it can be told, and what it can be asked.
//
// prints: ^42$
// prints: ^after its end: the server ended before it answered

//[counter_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>

using namespace std::chrono_literals;

//[counter_class
class counter : public smarm::gen_server<counter> {
public:
  struct add {
    long by;
  };
  struct get {};

  void handle_cast(add m) { total_ += m.by; }
  long handle_call(get) const { return total_; } // the reply's type is what it returns

private:
  long total_ = 0;
};
//]

int main() {
  smarm::run([] {
    //[counter_use
    auto c = smarm::start_server<counter>().value();
    (void)c.cast(counter::add{2});
    (void)c.cast(counter::add{40});
    std::cout << c.call(counter::get{}, 1s).value() << '\n';

    (void)c.shutdown(smarm::exit_kind::shutdown, 1s);
    std::cout << "after its end: " << c.call(counter::get{}).error().message() << '\n';
    //]
  });
}
//]

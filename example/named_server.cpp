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
// prints: ^the first one has 42$
// prints: ^found by its name: 42$
// prints: ^after its end: nobody is registered
// prints: ^the second one has 0$

//[named_server_program
#include <smarm.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>

using namespace std::chrono_literals;

class counter : public smarm::gen_server<counter> {
public:
  struct increment {};
  struct add {
    long by;
  };
  struct get {};

  void handle_cast(increment) { ++total_; }
  void handle_cast(add m) { total_ += m.by; }
  long handle_call(get) const { return total_; }

private:
  long total_ = 0;
};

//[named_server_name
inline constexpr smarm::server_name<counter> the_counter{"counter"};
//]

int main() {
  long first = 0, second = -1;
  smarm::run([&] {
    //[named_server_use
    std::cout << "nobody yet: " << the_counter.cast(counter::increment{}).error().message() << '\n';
    (void)the_counter.start().value(); // the name keeps it alive
    std::cout << "a second one: " << the_counter.start().error().message() << '\n';

    (void)the_counter.cast(counter::increment{});
    (void)the_counter.cast(counter::add{41});
    first = the_counter.call(counter::get{}).value();
    //]
    std::cout << "the first one has " << first << '\n';
    //[named_server_whereis
    if (auto found = the_counter.whereis()) { // a ref to this one, and no successor
      std::cout << "found by its name: " << found->call(counter::get{}).value() << '\n';
    }
    //]
    //[named_server_shutdown
    (void)the_counter.shutdown(smarm::exit_kind::shutdown, 10min).value();
    std::cout << "after its end: " << the_counter.call(counter::get{}).error().message() << '\n';
    (void)the_counter.start().value(); // the name was free
    //]
    second = the_counter.call(counter::get{}).value();
    std::cout << "the second one has " << second << '\n';
  });
  return first == 42 && second == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
//]

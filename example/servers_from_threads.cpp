// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers in a program that has threads of its own: started, called, found by name and ended from
// outside the runtime. What waits blocks the calling thread only.
//
// prints: ^42 by ref$
// prints: ^43 by name, from another thread$
// prints: ^ended in time: yes$
// prints: ^after the runtime: the runtime is not running

//[servers_from_threads_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <thread>

using namespace std::chrono_literals;

class counter : public smarm::gen_server<counter> {
public:
  struct add {
    long by;
  };
  struct get {};

  explicit counter(long from) : total_(from) {}

  void handle_cast(add m) { total_ += m.by; }
  long handle_call(get) const { return total_; }

private:
  long total_;
};

inline constexpr smarm::server_name<counter> the_counter{"counter"};

int main() {
  smarm::runtime_handle outside;
  {
    smarm::runtime rt;
    rt.start();
    //[servers_from_threads_use
    outside = rt.handle();
    auto by_ref = outside.start_server<counter>(42).value(); // blocks until its init is done
    std::cout << by_ref.call(counter::get{}, 10min).value() << " by ref\n";

    const auto by_name = the_counter.in(outside); // the same name, in this runtime
    (void)by_name.start(42).value();
    std::thread([by_name] {
      (void)by_name.cast(counter::add{1});
      std::cout << by_name.call(counter::get{}).value() << " by name, from another thread\n";
    }).join();

    const auto ended = by_name.shutdown(smarm::exit_kind::shutdown, 10min);
    //]
    std::cout << "ended in time: " << (ended ? "yes" : "no") << '\n';
  }
  std::cout << "after the runtime: "
            << the_counter.in(outside).cast(counter::add{1}).error().message() << '\n';
}
//]

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A test of a server that closes a session after half an hour of silence. It takes a millisecond.
//
// prints: ^after 29 minutes: open$
// prints: ^a minute after the last visit: open$
// prints: ^half an hour after that: closed$
// prints: ^300 s: .* casts session: session::visit$
// prints: ^found with seed [0-9]+: 1 instead of 2$
// prints: ^nobody can go on: root, who waits for a message$

//[simulated_time_program
#include <smarm.hpp>
#include <smarm/test_runtime.hpp>

#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

using namespace std::chrono_literals;

//[simulated_time_class
class session : public smarm::gen_server<session> {
public:
  struct visit {};
  struct is_open {};
  struct silence {};

  void init() { watch(); }
  void handle_cast(visit) { watch(); }
  bool handle_call(is_open) const { return open_; }
  void handle_timer(silence) { open_ = false; }

private:
  void watch() {
    cancel(timer_);
    timer_ = arm_after(30min, silence{});
  }
  bool open_ = true;
  smarm::server_timer timer_ = smarm::server_timer::none;
};
//]

const char* state(const smarm::server_ref<session>& of) {
  return of.call(session::is_open{}).value() ? "open" : "closed";
}

void test_silence() {
  //[simulated_time_advance
  smarm::test_runtime rt({.record = true});
  rt.run([&] {
    auto s = smarm::start_server<session>(smarm::spawn_options{.label = "session"}).value();
    rt.advance(5min);
    (void)s.cast(session::visit{});
    rt.advance(29min);
    std::cout << "after 29 minutes: " << state(s) << '\n';
    (void)s.cast(session::visit{});
    rt.advance(1min);
    std::cout << "a minute after the last visit: " << state(s) << '\n';
    rt.advance(29min);
    std::cout << "half an hour after that: " << state(s) << '\n';
    for (const std::string& line : rt.messages()) {
      std::cout << line << '\n'; // "300 s: <0.1> casts session: session::visit" and so on
    }
  });
  //]
}

//[simulated_time_seed
// Two actors add one to a number. Before that one of them asks a server, and the other one two; each looks
// at the number before it asks for the last time.
int add_twice(std::uint64_t seed) {
  int number = 0;
  smarm::test_runtime rt({.seed = seed});
  rt.run([&] {
    auto s = smarm::start_server<session>().value();
    const auto add = [&number, s](int questions) {
      for (; questions > 1; --questions) {
        (void)s.call(session::is_open{});
      }
      const int seen = number;
      (void)s.call(session::is_open{});
      number = seen + 1;
    };
    smarm::spawn([add] { add(1); });
    smarm::spawn([add] { add(2); });
    rt.run_until_idle();
  });
  return number;
}

void search() {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    if (const int result = add_twice(seed); result != 2) {
      std::cout << "found with seed " << seed << ": " << result << " instead of 2\n";
      return; // the same seed gives the same order when it is looked at in a debugger
    }
  }
}
//]

void test_hang() {
  //[simulated_time_hang
  smarm::test_runtime rt;
  try {
    rt.run([] {
      auto [into, from] = smarm::channel<int>();
      (void)from.recv(); // nobody will send: `into` is here
      (void)into;
    });
  } catch (const boost::system::system_error& e) {
    // "... nobody can go on" and a line for each actor: what it waits for
    const bool named = std::string_view(e.what()).find("a message") != std::string_view::npos;
    std::cout << "nobody can go on: root, who waits for " << (named ? "a message" : "?") << '\n';
  }
  //]
}

int main() {
  test_silence();
  search();
  test_hang();
}
//]

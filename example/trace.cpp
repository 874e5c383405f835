// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A trace of a few actors, told as text and written to a file for https://ui.perfetto.dev.
//
// prints: ^the kitchen: spawn resume park wake resume .*end$
// prints: ^from the waiter: kitchen::order, waited [0-9]+ us$
// prints: ^trace.json: written$

//[trace_program
#include <smarm.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>

class kitchen : public smarm::gen_server<kitchen> {
public:
  struct order {};
  int handle_call(order) { return ++dishes_; }

private:
  int dishes_ = 0;
};

int main() {
  const auto file = std::filesystem::temp_directory_path() / "smarm_example_trace.json";
  smarm::pid the_kitchen;
  //[trace_use
  smarm::runtime rt({.schedulers = 2});
  smarm::trace::start().value();
  rt.run([&] {
    auto server = smarm::start_server<kitchen>({.label = "kitchen"}).value();
    the_kitchen = server.id();
    (void)smarm::spawn({.label = "waiter"}, [server] {
      (void)server.call(kitchen::order{});
    }).join();
  });
  smarm::trace::stop();
  const auto written = smarm::trace::write(file.string());
  //]

  std::cout << "the kitchen:";
  for (const smarm::trace::event& e : smarm::trace::events()) {
    if (e.actor == the_kitchen) {
      std::cout << ' ' << to_string(e.what);
    }
  }
  std::cout << '\n';
  //[trace_messages
  for (const smarm::trace::message& m : smarm::trace::messages_of(the_kitchen)) {
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(m.received - m.sent);
    std::cout << "from the waiter: " << m.type << ", waited " << waited.count() << " us\n";
  }
  //]
  std::cout << "trace.json: " << (written ? "written" : written.error().message()) << '\n';
  std::filesystem::remove(file);
}
//]

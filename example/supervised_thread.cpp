// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A thread with an io_context of its own under a supervisor: it is started with the tree, started anew when
// it fails, and asked to end when the tree ends.
//
// prints: ^the thread fails once$
// prints: ^the thread runs its io_context$
// prints: ^the thread ends$

//[supervised_thread_program
#include <smarm.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <stop_token>

using namespace std::chrono_literals;

std::atomic<bool> ready{false}; // written by the thread, read by the actor that waits for it
std::atomic<int> starts{0};

//[supervised_thread_body
void serve(std::stop_token stop) {
  if (++starts == 1) {
    std::cout << "the thread fails once\n";
    throw std::runtime_error("no device"); // a failure of the child
  }
  boost::asio::io_context io;
  const auto work = boost::asio::make_work_guard(io);
  const std::stop_callback at_stop(stop, [&io] { io.stop(); });
  boost::asio::post(io, [] {
    std::cout << "the thread runs its io_context\n";
    ready = true;
  });
  io.run(); // until the supervisor wants it to end
  std::cout << "the thread ends\n";
}
//]

int main() {
  smarm::run([] {
    //[supervised_thread_tree
    auto tree = smarm::start_supervisor({}, {{.id = "asio", .start = smarm::thread_child(serve)}});
    //]
    while (!ready) {
      smarm::this_actor::sleep_for(1ms);
    }
    (void)tree.value().shutdown(10min).value(); // the thread is joined when this returns
  });
  return starts == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
//]

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Writes a trace of much that can happen, deaths and stops included, to the file that is given: with a
// ring that holds all of it, or, with `small`, one that loses most.

#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

struct counter : smarm::gen_server<counter> {
  struct add {
    int by;
  };
  struct total {};
  struct fail {};
  void handle_cast(add m) { sum += m.by; }
  void handle_cast(fail) { throw std::runtime_error("on purpose"); }
  int handle_call(total) { return sum; }
  int sum = 0;
};

void supervised() {
  auto sup = smarm::start_supervisor({.strategy = smarm::one_for_one, .intensity = 100},
                                     {{.id = "the \"counter\"", .start = smarm::server<counter>()}})
                 .value();
  const auto children = sup.which_children().value();
  (void)smarm::request_stop(children.front().actor);
  smarm::this_actor::sleep_for(1ms);
}

void talk(int messages) {
  auto [tx, rx] = smarm::channel<int>();
  auto h = smarm::spawn({.label = "talker"}, [tx = std::move(tx), messages] {
    for (int i = 0; i < messages; ++i) {
      (void)tx.send(i);
      if (i % 7 == 0) {
        smarm::this_actor::yield();
      }
    }
  });
  while (rx.recv()) {
  }
  (void)h.join();
}

void die_in_many_ways() {
  std::vector<smarm::join_handle> all;
  for (int i = 0; i < 200; ++i) {
    all.push_back(smarm::spawn([i] {
      if (i % 3 == 0) {
        throw std::runtime_error("on purpose");
      }
      smarm::this_actor::sleep_for(std::chrono::microseconds(i * 10));
    }));
  }
  for (auto& h : all) {
    if (h.id().index() % 5 == 0) {
      (void)smarm::request_stop(h.id());
    }
  }
  for (auto& h : all) {
    (void)h.join();
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    return 1;
  }
  const bool small = argc > 2 && std::strcmp(argv[2], "small") == 0;
  smarm::trace::start({.events_per_thread = small ? std::size_t{256} : std::size_t{1} << 16}).value();
  for (int round = 0; round < 3; ++round) {
    smarm::runtime rt({.schedulers = 3, .reports = [](const smarm::report&) {}});
    rt.run([] {
      auto ref = smarm::start_server<counter>().value();
      (void)ref.cast(counter::add{1});
      (void)ref.call(counter::total{});
      boost::asio::steady_timer timer(smarm::this_actor::get_executor(), 1ms);
      timer.async_wait(smarm::await);
      auto a = smarm::spawn([] { talk(300); });
      auto b = smarm::spawn([] { die_in_many_ways(); });
      std::thread outside([ref] { (void)ref.cast(counter::add{1}); });
      supervised();
      (void)a.join();
      (void)b.join();
      outside.join();
      (void)ref.cast(counter::fail{});
    });
  }
  smarm::trace::stop();
  return smarm::trace::write(std::string(argv[1])).has_value() ? 0 : 1;
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A supervisor is ended one step later in each round: in its start, in its restarts, in its ending.
// Wherever that meets it no child outlives it, and none is there twice.

#define BOOST_TEST_MODULE supervisor_stopped_anywhere
#include <boost/test/unit_test.hpp>

#include "supervision.hpp"

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/monitor.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <string>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::exit_kind;

namespace {

constexpr int steps = 120; // more than a way through everything takes

void yield_times(int n) {
  for (; n > 0; --n) {
    smarm::this_actor::yield();
  }
}

// Takes its time with everything.
class slow_ward : public smarm::gen_server<slow_ward> {
public:
  struct fail {};
  slow_ward(std::map<std::string, int>& alive, int& twice, std::string id)
      : alive_(alive), id_(std::move(id)) {
    if (++alive_[id_] > 1) {
      ++twice;
    }
  }
  ~slow_ward() { --alive_[id_]; }
  void init() { yield_times(2); }
  void handle_cast(fail) { throw std::runtime_error("told to"); }
  void terminate(const smarm::exit_reason&) { yield_times(2); }

private:
  std::map<std::string, int>& alive_;
  std::string id_;
};

struct outcome {
  int twice = 0;
  int left = 0;
  bool through = false; // the way through was over before the step
};

enum class how { stop, stop_twice, shutdown };

outcome round(smarm::strategy strategy, int step, how ended, bool dynamic) {
  outcome out;
  std::map<std::string, int> alive;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    const auto spec = [&](const char* id) {
      return smarm::child_spec{
          .id = id,
          .start = smarm::server<slow_ward>(std::ref(alive), std::ref(out.twice), std::string(id))};
    };
    bool over = false;
    auto user = smarm::spawn([&] {
      const smarm::child_start inner =
          smarm::supervision_tree({.intensity = 5}, {spec("leaf1"), spec("leaf2")});
      if (dynamic) {
        auto sup = smarm::start_dynamic_supervisor({.intensity = 5, .name = "top"}).value();
        for (const char* id : {"a", "b"}) {
          auto c = sup.start_child<slow_ward>({.id = id}, std::ref(alive), std::ref(out.twice),
                                              std::string(id));
          if (!c) {
            return;
          }
          (void)c->cast(slow_ward::fail{});
        }
        (void)sup.start_child({.start = inner});
        over = true;
        smarm::this_actor::sleep_for(1h);
      } else {
        auto sup = smarm::start_supervisor(
            {.strategy = strategy, .intensity = 5, .name = "top"},
            {spec("a"), spec("b"), {.id = "inner", .start = inner}, spec("c")});
        if (!sup) {
          return;
        }
        auto b = sup->find_child<slow_ward>("b");
        if (!b) {
          return;
        }
        (void)b->cast(slow_ward::fail{});
        (void)sup->count_children();
        (void)sup->terminate_child("c");
        (void)sup->restart_child("c");
        (void)sup->shutdown(1h);
        over = true;
      }
    });
    yield_times(step);
    out.through = over;
    if (auto who = smarm::whereis("top")) {
      auto m = smarm::monitor(*who);
      switch (ended) {
      case how::stop: (void)smarm::request_stop(*who); break;
      case how::stop_twice:
        (void)smarm::request_stop(*who);
        (void)smarm::request_stop(*who);
        break;
      case how::shutdown: (void)smarm::request_shutdown(*who); break;
      }
      (void)m.recv();
      // It has ended: nobody of its tree is left.
      for (const auto& [id, n] : alive) {
        out.left += n;
      }
    }
    (void)smarm::request_stop(user.id());
    (void)user.join();
  });
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(no_child_outlives_its_supervisor_and_none_is_there_twice) {
  int rounds = 0;
  for (const auto strategy : {smarm::one_for_one, smarm::one_for_all, smarm::rest_for_one}) {
    for (const how ended : {how::stop, how::stop_twice, how::shutdown}) {
      for (const bool dynamic : {false, true}) {
        if (dynamic && strategy != smarm::one_for_one) {
          continue;
        }
        bool through = false;
        for (int step = 0; step < steps; ++step) {
          const outcome o = round(strategy, step, ended, dynamic);
          ++rounds;
          through = o.through;
          BOOST_TEST_CONTEXT("step " << step << " of " << smarm::to_string(strategy)) {
            BOOST_TEST(o.twice == 0);
            BOOST_TEST(o.left == 0);
          }
        }
        BOOST_TEST(through);
      }
    }
  }
  BOOST_TEST(rounds == 4 * 3 * steps);
}

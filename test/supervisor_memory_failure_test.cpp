// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Each allocation in the life of a tree fails once, the first, the second and so on, and then all from
// one on: in its start, in its restarts, in its ending. Somebody is told, and no child is left.

#define BOOST_TEST_MODULE supervisor_memory_failure
#include <boost/test/unit_test.hpp>

#include "failing_memory.hpp"

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/supervisor.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

using namespace smarm_test;
using namespace std::chrono_literals;

#if !SMARM_TSAN

namespace {

class member : public smarm::gen_server<member> {
public:
  struct fail {};
  explicit member(int& alive) : alive_(alive) { ++alive_; }
  ~member() { --alive_; }
  void handle_cast(fail) { stop(smarm::exit_kind::stopped); }
  void terminate(const smarm::exit_reason&) noexcept {}

private:
  int& alive_;
};

struct outcome {
  int after_it = 0; // children that were there when the supervisor had ended
  bool ended = true;
};

template <class Start, class Use>
outcome life(int n, Start start, Use use) {
  outcome out;
  int alive = 0;
  has_failed = false;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    smarm::this_actor::yield();
    left = n;
    try {
      auto sup = start(alive);
      if (sup) {
        smarm::pid who = sup->id();
        try {
          use(*sup);
        } catch (const std::bad_alloc&) {
        }
        (void)smarm::request_shutdown(who);
        sup = {smarm::errc::server_down};
        // Without memory there is no monitor either.
        for (int i = 0; i < 10'000 && rt.handle().is_live(who); ++i) {
          smarm::this_actor::yield();
        }
        out.ended = !rt.handle().is_live(who);
        out.after_it = alive;
      } else {
        out.after_it = alive;
      }
    } catch (const std::bad_alloc&) {
      for (int i = 0; i < 1000 && alive != 0; ++i) {
        smarm::this_actor::yield();
      }
      out.after_it = alive;
    }
    left = -1;
  });
  return out;
}

template <class Start, class Use>
void every_allocation(Start start, Use use) {
  for (const bool all : {false, true}) {
    all_fail = all;
    int n = 0;
    for (;; ++n) {
      const outcome o = life(n, start, use);
      BOOST_TEST_CONTEXT("allocation " << n << (all ? " and all that follow" : "")) {
        BOOST_TEST(o.ended);
        BOOST_TEST(o.after_it == 0);
      }
      if (!has_failed) {
        break; // there were fewer
      }
      BOOST_REQUIRE(n < 5000);
    }
    BOOST_TEST(n > 50);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_tree_whose_memory_fails_leaves_nobody) {
  every_allocation(
      [](int& alive) {
        const auto spec = [&](const char* id) {
          return smarm::child_spec{.id = id, .start = smarm::server<member>(std::ref(alive))};
        };
        const smarm::supervisor_options options{.strategy = smarm::one_for_all, .intensity = 3};
        return smarm::start_supervisor(
            options,
            {spec("a"),
             {.id = "tree", .start = smarm::supervision_tree(options, {spec("b"), spec("c")})}});
      },
      [](const smarm::supervisor_ref& sup) {
        if (auto a = sup.find_child<member>("a")) {
          (void)a->cast(member::fail{});
        }
        (void)sup.count_children();
        (void)sup.terminate_child("tree");
        (void)sup.restart_child("tree");
      });
}

BOOST_AUTO_TEST_CASE(children_without_an_order_whose_memory_fails_leave_nobody) {
  int* count = nullptr;
  every_allocation(
      [&](int& alive) {
        count = &alive;
        return smarm::start_dynamic_supervisor({.intensity = 3});
      },
      [&](const smarm::dynamic_supervisor_ref& sup) {
        for (int i = 0; i < 2; ++i) {
          if (auto c = sup.start_child<member>({}, std::ref(*count))) {
            (void)c->cast(member::fail{});
          }
          (void)sup.count_children();
        }
      });
}

#else

BOOST_AUTO_TEST_CASE(memory_does_not_fail_under_this_sanitizer) {
  BOOST_TEST_MESSAGE("not tested: operator new cannot be replaced here");
}

#endif

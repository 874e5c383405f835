// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What becomes of the others when the root ends or a shutdown is asked for: whoever has no live
// parent is asked to shut down, now or as soon as its parent is gone, and so every run ends.

#define BOOST_TEST_MODULE sweep
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
namespace this_actor = smarm::this_actor;

namespace {

void sleep_for_ever() { this_actor::sleep_for(24h); }

// Each level spawns the next and sleeps; says so when it ends.
void chain(recorder& seen, int level, int last, tokens& complete) {
  const noted_end end(seen, std::to_string(level));
  if (level < last) {
    smarm::spawn([&seen, level, last, &complete] { chain(seen, level + 1, last, complete); })
      .detach();
  } else {
    complete.give();
  }
  sleep_for_ever();
}

strings numbers(int first, int last) {
  strings all;
  for (int i = first; i <= last; ++i) {
    all.push_back(std::to_string(i));
  }
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sweep_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(when_the_root_ends_its_children_are_shut_down) {
  for (const unsigned schedulers : {1u, 4u}) {
    std::vector<smarm::join_handle> kept;
    smarm::runtime rt({.schedulers = schedulers});
    rt.run([&] {
      for (int i = 0; i < 100; ++i) {
        kept.push_back(smarm::spawn(sleep_for_ever));
      }
      until([&] { return parked(kept.back().id()); });
    });
    std::size_t shut_down = 0;
    for (auto& h : kept) {
      shut_down += h.join().kind() == exit_kind::shutdown;
    }
    BOOST_TEST(shut_down == 100u);
  }
}

BOOST_AUTO_TEST_CASE(children_that_have_not_run_yet_do_so_and_end_at_their_first_wait) {
  recorder seen;
  smarm::run([&] {
    for (int i = 0; i < 3; ++i) {
      smarm::spawn([&] {
        const noted_end end(seen, "ended");
        seen.note("began");
        sleep_for_ever();
      }).detach();
    }
  });
  CHECK_LIST(seen.all(), {"began", "ended", "began", "ended", "began", "ended"});
}

BOOST_AUTO_TEST_CASE(grandchildren_go_when_their_parents_are_gone) {
  for (const unsigned schedulers : {1u, 2u, 4u}) {
    recorder seen;
    tokens complete;
    smarm::runtime rt({.schedulers = schedulers});
    rt.run([&] {
      smarm::spawn([&] { chain(seen, 1, 50, complete); }).detach();
      complete.take();
    });
    const auto expected = numbers(1, 50);
    BOOST_TEST(seen.all() == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_failing_root_takes_everybody_along_as_well) {
  recorder seen;
  tokens complete;
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  bool thrown = false;
  try {
    rt.run([&] {
      smarm::spawn([&] { chain(seen, 1, 5, complete); }).detach();
      complete.take();
      throw std::runtime_error("the root fails");
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  BOOST_TEST(thrown);
  BOOST_TEST(seen.size() == 5u);
}

BOOST_AUTO_TEST_CASE(who_has_a_live_parent_is_left_alone_until_that_has_ended) {
  recorder seen;
  tokens gate;
  tokens ready;
  std::atomic<bool> root_over{false};
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    smarm::spawn([&] { // lingers
      const noted_end end(seen, "parent ended");
      const smarm::disable_stop calm;
      auto child = smarm::spawn([&] {
        const noted_end child_end(seen, "child ended");
        ready.give();
        until([&] { return root_over.load() && gate.awaited(); });
        seen.note(this_actor::stop_requested() ? "child was asked" : "child was left alone");
        gate.give();
        sleep_for_ever();
      });
      child.detach();
      while (!this_actor::stop_requested()) {
        this_actor::yield();
      }
      root_over = true;
      gate.take();
    }).detach();
    ready.take();
  });
  CHECK_LIST(seen.all(), {"child was left alone", "parent ended", "child ended"});
}

// Each spawns another when it is asked to go, so many times.
void stubborn(std::atomic<int>& lives, int left, tokens* ready = nullptr) {
  ++lives;
  try {
    if (ready != nullptr) {
      ready->give();
    }
    sleep_for_ever();
  } catch (const smarm::stop_unwind&) {
    if (left > 0) {
      smarm::spawn([&lives, left] { stubborn(lives, left - 1); }).detach();
    }
    throw;
  }
}

BOOST_AUTO_TEST_CASE(those_that_are_spawned_by_the_dying_go_too) {
  for (const unsigned schedulers : {1u, 4u}) {
    std::atomic<int> lives{0};
    smarm::runtime rt({.schedulers = schedulers});
    tokens ready;
    rt.run([&] {
      for (int i = 0; i < 10; ++i) {
        smarm::spawn([&] { stubborn(lives, 20, &ready); }).detach();
      }
      for (int i = 0; i < 10; ++i) {
        ready.take();
      }
    });
    BOOST_TEST(lives == 210);
    BOOST_TEST(rt.stats().ended == 211u);
  }
}

BOOST_AUTO_TEST_CASE(shutdown_does_the_same_without_a_root) {
  for (const unsigned schedulers : {1u, 3u}) {
    recorder seen;
    tokens complete;
    smarm::runtime rt({.schedulers = schedulers});
    rt.start();
    rt.handle().spawn([&] { chain(seen, 1, 20, complete); }).detach();
    complete.take();
    BOOST_TEST(rt.shutdown(1h).empty());
    const auto expected = numbers(1, 20);
    BOOST_TEST(seen.all() == expected, boost::test_tools::per_element());
  }
}

// Scheduler 1 is busy from the death of the parent on; nobody but scheduler 0, which sleeps, can see
// to the child.
BOOST_AUTO_TEST_CASE(a_sleeping_scheduler_sweeps_when_the_one_that_saw_the_death_is_busy) {
  recorder seen;
  tokens begin;
  tokens ready;
  std::atomic<bool> child_ended{false};
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    smarm::spawn({.pinned_to = 1}, [&] {
      const smarm::disable_stop calm;
      ready.give();
      begin.take();
      spin_until([&] { return child_ended.load(); });
      seen.note("busy one ended");
    }).detach();
    smarm::spawn({.pinned_to = 1}, [&] {
      struct last_words {
        tokens& to;
        ~last_words() { to.give(); } // it runs next on this scheduler
      };
      const last_words end{begin};
      smarm::spawn([&] {
        struct flag {
          std::atomic<bool>& of;
          ~flag() { of = true; }
        };
        const flag child_end{child_ended};
        ready.give();
        sleep_for_ever();
      }).detach();
      sleep_for_ever();
    }).detach();
    ready.take();
    ready.take();
    until([&] { return begin.awaited(); });
  });
  CHECK_LIST(seen.all(), {"busy one ended"});
}

// The root ends; its child waits for grandchildren, more than there are schedulers, that never wait.
BOOST_AUTO_TEST_CASE(descendants_that_are_never_idle_are_asked_too) {
  for (const unsigned schedulers : {1u, 2u}) {
    const int grandchildren = static_cast<int>(schedulers) + 1;
    std::atomic<int> at_work{0};
    smarm::runtime rt({.schedulers = schedulers});
    rt.run([&] {
      smarm::spawn([&] {
        std::vector<smarm::join_handle> all;
        for (int i = 0; i < grandchildren; ++i) {
          all.push_back(smarm::spawn([&] {
            ++at_work;
            until([] { return false; });
          }));
        }
        for (auto& each : all) {
          (void)each.join();
        }
      }).detach();
      until([&] { return at_work == grandchildren; });
    });
    const auto stats = rt.stats();
    BOOST_TEST(stats.spawned == static_cast<std::uint64_t>(grandchildren) + 2);
    BOOST_TEST(stats.ended == stats.spawned);
  }
}

// The sweep is over when the survivor sees that it was asked, and it keeps everybody from dying.
BOOST_AUTO_TEST_CASE(who_is_spawned_in_scheduler_context_after_the_root_has_ended_is_asked_too) {
  for (const unsigned schedulers : {1u, 2u}) {
    recorder seen;
    smarm::runtime rt({.schedulers = schedulers});
    rt.run([&] {
      smarm::spawn([&] {
        const smarm::disable_stop calm;
        until([] { return this_actor::stop_requested(); });
        smarm::join_handle child;
        this_actor::run_on_thread_stack([&] { child = smarm::spawn(sleep_for_ever); });
        seen.note(to_string(child.join().kind()));
      }).detach();
    });
    CHECK_LIST(seen.all(), {"shutdown"});
  }
}

// ---- those who come from outside

BOOST_AUTO_TEST_CASE(nobody_comes_in_from_outside_once_the_root_has_ended) {
  std::vector<int> refused;
  smarm::runtime rt({.schedulers = 2});
  tokens root_over;
  tokens tried;
  std::thread outside([&] {
    root_over.take();
    refused.push_back(rt.handle().try_spawn(sleep_for_ever).error() == errc::runtime_down);
    tried.give();
  });
  rt.run([&] {
    smarm::spawn([&] { // keeps the run alive
      const smarm::disable_stop calm;
      until([] { return this_actor::stop_requested(); });
      root_over.give();
      tried.take();
    }).detach();
    this_actor::yield();
  });
  outside.join();
  CHECK_LIST(refused, {1});
}

BOOST_AUTO_TEST_CASE(who_comes_in_as_the_root_ends_does_not_keep_the_run_alive) {
  for (int round = 0; round < 60; ++round) {
    std::atomic<bool> over{false};
    std::atomic<int> began{0};
    smarm::runtime rt({.schedulers = 2});
    std::vector<smarm::join_handle> kept;
    std::thread outside([&, handle = rt.handle()] {
      while (!over && kept.size() < 100) {
        if (auto h = handle.try_spawn([&] {
              ++began;
              sleep_for_ever();
            })) {
          kept.push_back(*std::move(h));
        }
      }
    });
    rt.run([&] { until([&] { return began >= round % 3; }); });
    over = true;
    outside.join();
    std::size_t shut_down = 0;
    for (auto& h : kept) {
      shut_down += h.join().kind() == exit_kind::shutdown;
    }
    BOOST_TEST(shut_down == kept.size());
  }
}

BOOST_AUTO_TEST_CASE(who_comes_in_during_a_shutdown_does_not_survive_it) {
  for (int round = 0; round < 30; ++round) {
    std::atomic<bool> over{false};
    std::atomic<int> began{0};
    smarm::runtime rt({.schedulers = 2});
    rt.start();
    std::vector<std::thread> outside;
    for (int t = 0; t < 2; ++t) {
      outside.emplace_back([&, handle = rt.handle()] {
        for (int n = 0; !over && n < 200;) {
          if (auto h = handle.try_spawn([&] {
                ++began;
                sleep_for_ever();
              })) {
            ++n;
            h->detach();
          }
        }
      });
    }
    wait_until([&] { return began > 10; });
    BOOST_TEST(rt.shutdown(1h).empty());
    over = true;
    for (auto& t : outside) {
      t.join();
    }
    BOOST_TEST(rt.stats().spawned == rt.stats().ended);
  }
}

BOOST_AUTO_TEST_SUITE_END()

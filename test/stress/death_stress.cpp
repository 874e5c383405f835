// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Monitors and links against deaths: each monitor brings one message, each link one signal or none if
// it was taken away before, and those who come and go leave nothing with those who stay.

#define BOOST_TEST_MODULE death_stress
#include <boost/test/unit_test.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <malloc.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using smarm::exit_kind;
namespace this_actor = smarm::this_actor;

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

void sleep_for_ever() { this_actor::sleep_for(std::chrono::hours(24)); }

struct attended {
  std::size_t monitors = 0;
  std::size_t links = 0;
};
attended record_of(smarm::pid actor) {
  smarm::detail::slot& s = *smarm::detail::current_scheduler()->runtime.slots.find(actor.index());
  const std::lock_guard guard(s.record_lock);
  auto* record = s.record.load();
  const auto* known = record != nullptr ? smarm::detail::relations_in(*record) : nullptr;
  return known != nullptr ? attended{known->monitors.size(), known->links.size()} : attended{};
}

} // namespace

BOOST_AUTO_TEST_SUITE(death_stress, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_million_who_watch_and_go_leave_nothing_behind) {
  constexpr int batch = 50;
  constexpr int batches = SMARM_TSAN ? 400 : 20'000;
  attended left{1, 1};
  std::size_t grown = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto hub = smarm::spawn(sleep_for_ever);
    std::size_t before = 0;
    for (int b = 0; b < batches; ++b) {
      std::vector<smarm::join_handle> all;
      for (int i = 0; i < batch; ++i) {
        all.push_back(smarm::spawn([&, i] {
          auto m = smarm::monitor(hub.id());
          if (i % 2 == 0) {
            smarm::link(hub.id());
          }
          if (i % 10 == 0) {
            this_actor::yield();
          }
        }));
      }
      for (auto& h : all) {
        (void)h.join();
      }
      if (b == batches / 10) {
        before = ::mallinfo2().uordblks;
      }
    }
    const std::size_t after = ::mallinfo2().uordblks;
    grown = after > before ? after - before : 0;
    left = record_of(hub.id());
  });
  BOOST_TEST(left.monitors == 0u);
  BOOST_TEST(left.links == 0u);
  BOOST_TEST(grown < 1'000'000u);
}

// A short-lived target that nobody attends when it begins to end, or somebody does.
BOOST_AUTO_TEST_CASE(each_monitor_brings_one_message_however_close_the_death) {
  constexpr int rounds = SMARM_TSAN ? 2'000 : 20'000;
  constexpr int watchers = 3;
  std::atomic<long> messages{0};
  std::atomic<long> closed{0};
  for (const unsigned schedulers : {2u, 4u}) {
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      for (int r = 0; r < rounds; ++r) {
        std::atomic<bool> go{false};
        auto target = smarm::spawn([&] {
          while (!go) {
            this_actor::yield();
          }
        });
        std::vector<smarm::join_handle> all;
        for (int w = 0; w < watchers; ++w) {
          all.push_back(smarm::spawn([&, w, id = target.id()] {
            if (w == 0) {
              go = true;
            }
            auto m = smarm::monitor(id);
            const auto end = m.recv();
            messages += end.has_value() && end->actor == id &&
                        (end->reason == exit_kind::normal || end->reason == exit_kind::no_process);
            closed += !m.recv().has_value();
          }));
        }
        if (r % 2 == 0) {
          target.detach(); // its slot may have its next tenant while they are still at it
        }
        for (auto& h : all) {
          (void)h.join();
        }
      }
    });
  }
  BOOST_TEST(messages == 2L * rounds * watchers);
  BOOST_TEST(closed == 2L * rounds * watchers);
}

BOOST_AUTO_TEST_CASE(after_demonitor_nothing_arrives_however_close_the_death) {
  constexpr int rounds = SMARM_TSAN ? 2'000 : 20'000;
  long wrong = 0;
  smarm::runtime rt(quiet(2));
  rt.start();
  for (int r = 0; r < rounds; ++r) {
    auto target = rt.handle().spawn([] {});
    auto m = rt.handle().monitor(target.id());
    for (int spin = 0; spin < r % 500; ++spin) {
      smarm::detail::std_atomics::pause();
    }
    (void)m.demonitor();
    wrong += m.try_recv().has_value();
  }
  BOOST_TEST(rt.shutdown(std::chrono::hours(1)).empty());
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(a_link_brings_one_signal_however_close_the_death) {
  constexpr int rounds = SMARM_TSAN ? 2'000 : 20'000;
  long signals = 0;
  long more = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto exits = smarm::trap_exit();
    for (int r = 0; r < rounds; ++r) {
      auto target = smarm::spawn([] { throw 1; });
      if (r % 3 == 0) {
        this_actor::yield();
      }
      for (int spin = 0; spin < r % 300; ++spin) {
        smarm::detail::std_atomics::pause();
      }
      smarm::link(target.id());
      const auto signal = exits.recv();
      signals += signal.has_value() && signal->from == target.id() && !signal->reason.is_clean();
      (void)target.join();
      more += exits.try_recv().has_value();
    }
    more += static_cast<long>(record_of(this_actor::self()).links);
  });
  BOOST_TEST(signals == rounds);
  BOOST_TEST(more == 0);
}

BOOST_AUTO_TEST_CASE(after_unlink_no_signal_arrives_however_close_the_death) {
  constexpr int rounds = SMARM_TSAN ? 2'000 : 20'000;
  long late = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto exits = smarm::trap_exit();
    for (int r = 0; r < rounds; ++r) {
      auto target = smarm::spawn_link([] { throw 1; });
      for (int spin = 0; spin < r % 300; ++spin) {
        smarm::detail::std_atomics::pause();
      }
      if (r % 3 == 0) {
        this_actor::yield();
      }
      smarm::unlink(target.id());
      while (exits.try_recv()) { // it came before
      }
      (void)target.join();
      late += exits.try_recv().has_value();
    }
  });
  BOOST_TEST(late == 0);
}

// All are linked with all that they meet, and die of each other; the runs end, and so do all.
BOOST_AUTO_TEST_CASE(actors_that_link_unlink_and_die_at_once_all_end) {
  constexpr int rounds = SMARM_TSAN ? 20 : 200;
  std::size_t ended = 0;
  for (int r = 0; r < rounds; ++r) {
    smarm::runtime rt(quiet(3));
    rt.run([&] {
      std::vector<smarm::join_handle> all;
      std::vector<smarm::pid> known;
      for (int i = 0; i < 40; ++i) {
        all.push_back(smarm::spawn([&, known, i, r] {
          std::vector<smarm::monitor_ref> monitors;
          for (std::size_t k = 0; k < known.size(); ++k) {
            if ((k + static_cast<std::size_t>(i + r)) % 3 == 0) {
              smarm::link(known[k]);
            }
            if ((k + static_cast<std::size_t>(i)) % 5 == 0) {
              monitors.push_back(smarm::monitor(known[k]));
            }
            if ((k + static_cast<std::size_t>(r)) % 4 == 0) {
              smarm::unlink(known[k]);
            }
            this_actor::yield();
          }
          if (i % 7 == r % 7) {
            throw 1;
          }
        }));
        known.push_back(all.back().id());
      }
      for (auto& h : all) {
        (void)h.join();
        ++ended;
      }
    });
  }
  BOOST_TEST(ended == 40u * rounds);
}

BOOST_AUTO_TEST_SUITE_END()

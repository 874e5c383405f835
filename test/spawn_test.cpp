// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Spawning: what may be spawned, with which options, how many, and what a slot is used for next.

#define BOOST_TEST_MODULE spawn
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <unistd.h>

#include <array>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

// Whether the object lies in the slot of the actor that runs.
bool in_own_slot(const void* object) {
  const auto* at = static_cast<const std::byte*>(object);
  const auto& slot = *smarm::detail::current_scheduler()->current.load();
  return slot.closure <= at && at < slot.closure + sizeof slot.closure;
}

template <std::size_t Size>
struct body_of {
  bool* in_slot;
  std::array<std::byte, Size - sizeof(bool*)> filling{};
  void operator()() const { *in_slot = in_own_slot(this); }
};

struct alignas(128) overaligned_body {
  bool* aligned;
  void operator()() const { *aligned = reinterpret_cast<std::uintptr_t>(this) % 128 == 0; }
};

// Throws when it is moved, which is what a spawn does with it.
template <std::size_t Size>
struct thrower {
  std::array<std::byte, Size> filling{};
  thrower() = default;
  thrower(const thrower&) { throw std::runtime_error("no copy"); }
  void operator()() const {}
};

template <class Spawn>
bool throws_no_copy(Spawn spawn) {
  try {
    spawn();
  } catch (const std::runtime_error& e) {
    return std::string(e.what()) == "no copy";
  }
  return false;
}

// How many actors fit in beside the caller, all ended and kept by their handles.
std::size_t fill(std::vector<smarm::join_handle>& handles, boost::system::error_code& refusal) {
  for (;;) {
    auto h = smarm::try_spawn([] {});
    if (!h) {
      refusal = h.error();
      return handles.size();
    }
    handles.push_back(*std::move(h));
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(spawn_suite, *boost::unit_test::timeout(120))

// ---- bodies

BOOST_AUTO_TEST_CASE(a_small_body_lies_in_the_slot_and_a_large_one_does_not) {
  bool exact = false;
  bool small = false;
  bool large = true;
  smarm::run([&] {
    (void)smarm::spawn(body_of<16>{&small}).join();
    (void)smarm::spawn(body_of<64>{&exact}).join();
    (void)smarm::spawn(body_of<72>{&large}).join();
  });
  BOOST_TEST(small);
  BOOST_TEST(exact);
  BOOST_TEST(!large);
}

BOOST_AUTO_TEST_CASE(a_body_of_any_alignment_is_aligned) {
  bool aligned = false;
  smarm::run([&] { (void)smarm::spawn(overaligned_body{&aligned}).join(); });
  BOOST_TEST(aligned);
}

BOOST_AUTO_TEST_CASE(a_body_need_only_be_movable) {
  int sum = 0;
  smarm::run([&] {
    auto small = std::make_unique<int>(1);
    (void)smarm::spawn([&sum, small = std::move(small)] { sum += *small; }).join();
    std::array<std::unique_ptr<int>, 20> large;
    large[19] = std::make_unique<int>(2);
    (void)smarm::spawn([&sum, large = std::move(large)] { sum += *large[19]; }).join();
  });
  BOOST_TEST(sum == 3);
}

void a_function() {}

BOOST_AUTO_TEST_CASE(a_body_may_be_a_function_and_is_copied_from_an_lvalue) {
  int called = 0;
  smarm::exit_reason how = smarm::exit_kind::stopped;
  smarm::run([&] {
    how = smarm::spawn(a_function).join();
    const auto body = [&called] { ++called; };
    (void)smarm::spawn(body).join();
    (void)smarm::spawn(body).join();
  });
  BOOST_TEST((how == smarm::exit_kind::normal));
  BOOST_TEST(called == 2);
}

BOOST_AUTO_TEST_CASE(a_body_is_destroyed_before_its_actor_counts_as_ended) {
  recorder seen;
  smarm::run([&] {
    (void)smarm::spawn([end = noted_end(seen, "small gone")] {}).join();
    seen.note("joined");
    std::array<char, 100> filling{};
    (void)smarm::spawn([filling, end = noted_end(seen, "large gone")] { (void)filling; }).join();
    seen.note("joined");
    (void)smarm::spawn([end = noted_end(seen, "stopped gone")] {
      (void)smarm::request_shutdown(smarm::this_actor::self());
      smarm::this_actor::yield();
    }).join();
    seen.note("joined");
  });
  CHECK_LIST(seen.all(), {"small gone", "joined", "large gone", "joined", "stopped gone", "joined"});
}

BOOST_AUTO_TEST_CASE(a_body_that_cannot_be_made_costs_no_slot) {
  unsigned thrown = 0;
  std::size_t fits = 0;
  smarm::runtime rt({.schedulers = 1, .max_actors = 8});
  rt.run([&] {
    const thrower<8> small;
    const thrower<100> large;
    for (int i = 0; i < 100; ++i) {
      thrown += throws_no_copy([&] { (void)smarm::spawn(small); });
      thrown += throws_no_copy([&] { (void)smarm::try_spawn(large); });
      thrown += throws_no_copy([&] { (void)smarm::spawn({.label = "x", .stack_size = 40'000}, small); });
      thrown += throws_no_copy([&] { (void)rt.handle().spawn(small); });
    }
    std::vector<smarm::join_handle> handles;
    boost::system::error_code refusal;
    fits = fill(handles, refusal);
  });
  BOOST_TEST(thrown == 400u);
  BOOST_TEST(fits == 7u);
  BOOST_TEST(rt.stats().spawned == 8u);
  BOOST_TEST(rt.stats().stacks_in_use == 0u);
}

// Copying it lets others run, and starts one of them.
struct switching_body {
  recorder& seen;
  explicit switching_body(recorder& r) : seen(r) {}
  switching_body(const switching_body& other) : seen(other.seen) {
    smarm::this_actor::yield();
    (void)smarm::spawn([&s = seen] { s.note("inner"); }).join();
  }
  void operator()() const { seen.note("outer"); }
};

BOOST_AUTO_TEST_CASE(making_a_body_may_switch_and_spawn) {
  recorder seen;
  smarm::runtime rt({.schedulers = 4, .max_actors = 1000});
  rt.run([&] {
    const switching_body body(seen);
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 50; ++i) {
      all.push_back(smarm::spawn([&] { (void)smarm::spawn(body).join(); }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(seen.count("inner") == 50u);
  BOOST_TEST(seen.count("outer") == 50u);
}

BOOST_AUTO_TEST_CASE(one_may_spawn_while_an_exception_is_on_its_way) {
  recorder seen;
  smarm::run([&] {
    struct spawns {
      recorder& to;
      ~spawns() { (void)smarm::spawn([this] { to.note("spawned"); }).join(); }
    };
    try {
      const spawns at_the_end{seen};
      throw std::runtime_error("on its way");
    } catch (const std::runtime_error&) {
      seen.note("caught");
    }
  });
  CHECK_LIST(seen.all(), {"spawned", "caught"});
}

// ---- options

BOOST_AUTO_TEST_CASE(a_label_is_copied_and_told_in_reports) {
  recorder labels;
  smarm::runtime rt({.schedulers = 1,
                     .reports = [&](const smarm::report& r) { labels.note(r.label); }});
  rt.run([] {
    const auto spawn_with = [](std::string label) {
      return smarm::spawn({.label = label}, [] { throw 1; }); // the string ends here
    };
    (void)spawn_with("short").join();
    (void)spawn_with(std::string(300, 'l')).join();
    (void)smarm::spawn([] { throw 1; }).join();
  });
  CHECK_LIST(labels.all(), {"short", std::string(300, 'l'), ""});
}

SMARM_NOINLINE int descend(int levels) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(levels);
  return levels == 0 ? 0 : descend(levels - 1) + (frame[0] & 1);
}

BOOST_AUTO_TEST_CASE(a_stack_of_its_own_size_has_that_size) {
  std::size_t size = 0;
  std::size_t guard = 0;
  int deep = 0;
  smarm::runtime rt({.schedulers = 2, .stack_size = 64 * 1024});
  rt.run([&] {
    for (int i = 0; i < 10; ++i) {
      (void)smarm::spawn({.stack_size = 16 << 20, .guard_size = 1 << 20}, [&] {
        const auto& stack = *smarm::detail::current_scheduler()->current->stack.load();
        size = stack.size();
        guard = stack.shape().guard;
        smarm::this_actor::yield();
        deep = descend(10'000);
        smarm::this_actor::yield();
      }).join();
    }
  });
  BOOST_TEST(size > (16u << 20) - 8192);
  BOOST_TEST(guard == 1u << 20);
  BOOST_TEST(deep == 5000);
  BOOST_TEST(rt.stats().stacks_in_use == 0u);
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_named_with_their_value_and_range) {
  std::vector<std::string> said;
  const auto says = [&](auto&& spawn) {
    try {
      (void)spawn();
      said.emplace_back("nothing");
    } catch (const boost::system::system_error& e) {
      said.emplace_back(e.code() == errc::invalid_config ? e.what() : "something else");
    }
  };
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    says([] { return smarm::spawn({.stack_size = 7}, [] {}); });
    says([] { return smarm::spawn({.guard_size = 4095}, [] {}); });
    says([] { return smarm::spawn({.pinned_to = 2}, [] {}); });
    says([&] { return rt.handle().spawn({.pinned_to = 3}, [] {}); });
  });
  const char* const expected[] = {"spawn_options::stack_size = 7: allowed is 16384",
                                  "spawn_options::guard_size = 4095: allowed is 4096",
                                  "spawn_options::pinned_to = 2: allowed is 0 to 1",
                                  "spawn_options::pinned_to = 3: allowed is 0 to 1"};
  BOOST_REQUIRE(said.size() == std::size(expected));
  for (std::size_t i = 0; i < said.size(); ++i) {
    BOOST_TEST(said[i].find(expected[i]) != std::string::npos, "it said: " << said[i]);
  }
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  const auto refuses = [](const smarm::spawn_options& o) {
    return smarm::try_spawn(o, [] {}).error() == errc::invalid_config;
  };
  bool pin = false, small_stack = false, large_stack = false, small_guard = false,
       large_guard = false, outside = false;
  std::size_t fits = 0;
  smarm::runtime rt({.schedulers = 2, .max_actors = 4});
  rt.run([&] {
    for (int i = 0; i < 10; ++i) { // costs no slot
      pin = refuses({.pinned_to = 2});
      small_stack = refuses({.stack_size = 16 * 1024 - 1});
      large_stack = refuses({.stack_size = (std::size_t{1} << 30) + 1});
      small_guard = refuses({.guard_size = 4095});
      large_guard = refuses({.guard_size = (std::size_t{1} << 30) + 1});
      outside = rt.handle().try_spawn({.pinned_to = 7}, [] {}).error() == errc::invalid_config;
    }
    std::vector<smarm::join_handle> handles;
    boost::system::error_code refusal;
    fits = fill(handles, refusal);
  });
  BOOST_TEST(pin);
  BOOST_TEST(small_stack);
  BOOST_TEST(large_stack);
  BOOST_TEST(small_guard);
  BOOST_TEST(large_guard);
  BOOST_TEST(outside);
  BOOST_TEST(fits == 3u);
}

BOOST_AUTO_TEST_CASE(a_pinned_actor_never_leaves_its_scheduler_and_thread) {
  std::atomic<unsigned> strays{0};
  std::atomic<unsigned> turns{0};
  smarm::runtime rt({.schedulers = 4});
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    for (unsigned i = 0; i < 16; ++i) {
      // Both halves: pinned ones, and others that keep every scheduler looking for work to steal.
      all.push_back(smarm::spawn({.pinned_to = i % 4}, [&, at = i % 4] {
        const auto thread = this_thread();
        tokens mine;
        for (int n = 0; n < 200; ++n) {
          strays += smarm::this_actor::scheduler() != at || this_thread() != thread;
          switch (n % 4) {
          case 0: smarm::this_actor::yield(); break;
          case 1: smarm::this_actor::sleep_for(1us); break;
          case 2: (void)smarm::spawn([&] { mine.give(); }).id(); mine.take(); break;
          case 3: (void)smarm::spawn([] {}).join(); break;
          }
          ++turns;
        }
      }));
      all.push_back(smarm::spawn([] {
        for (int n = 0; n < 500; ++n) {
          smarm::this_actor::yield();
        }
      }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(turns == 3200u);
  BOOST_TEST(strays == 0u);
}

BOOST_AUTO_TEST_CASE(a_child_runs_beside_a_parent_that_goes_on_computing) {
  smarm::runtime rt({.schedulers = 2});
  std::atomic<int> done{0};
  rt.run([&] {
    for (int i = 0; i < 20; ++i) {
      auto child = smarm::spawn([&] { ++done; });
      while (done.load() != i + 1) { // never gives way
      }
      (void)child.join();
    }
  });
  BOOST_TEST(done.load() == 20);
}

BOOST_AUTO_TEST_CASE(a_pinned_actor_can_be_spawned_woken_and_stopped_from_outside) {
  smarm::runtime rt({.schedulers = 3, .reports = [](const smarm::report&) {}});
  rt.start();
  basic_recorder<unsigned> where;
  for (unsigned i = 0; i < 30; ++i) {
    tokens gate;
    tokens never;
    auto woken = rt.handle().spawn({.pinned_to = i % 3}, [&] {
      gate.take();
      where.note(smarm::this_actor::scheduler());
    });
    auto stopped = rt.handle().spawn({.pinned_to = i % 3}, [&] { never.take(); });
    gate.give();
    (void)rt.handle().request_stop(stopped.id());
    BOOST_TEST((woken.join() == smarm::exit_kind::normal));
    BOOST_TEST((stopped.join() == smarm::exit_kind::stopped));
    BOOST_TEST(where.all().back() == i % 3);
  }
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(the_next_tenant_of_a_slot_inherits_no_option) {
  std::set<unsigned> seen;
  smarm::runtime rt({.schedulers = 2, .max_actors = 2});
  rt.run([&] {
    for (int i = 0; i < 200; ++i) {
      (void)smarm::spawn({.label = "pinned", .pinned_to = 1}, [] {}).join();
      const unsigned at = 0;
      (void)smarm::spawn({.pinned_to = at}, [&] { seen.insert(smarm::this_actor::scheduler()); })
        .join();
      bool labelled = true;
      (void)smarm::spawn([&] {
        labelled = smarm::detail::current_scheduler()->current->record != nullptr;
      }).join();
      if (labelled) {
        seen.insert(99);
      }
    }
  });
  BOOST_TEST((seen == std::set<unsigned>{0}));
}

// ---- how many

BOOST_AUTO_TEST_CASE(the_bound_is_exact_in_small_tables_and_the_runtime_goes_on) {
  for (const std::size_t bound : {1u, 2u, 32u, 64u, 65u, 1000u}) {
    for (const unsigned schedulers : {1u, 4u}) {
      std::size_t first = 0;
      std::size_t again = 0;
      boost::system::error_code refusal;
      bool thrown = false;
      bool replaced = true;
      smarm::runtime rt({.schedulers = schedulers, .max_actors = bound});
      rt.run([&] {
        std::vector<smarm::join_handle> handles;
        first = fill(handles, refusal);
        try {
          (void)smarm::spawn([] {});
        } catch (const boost::system::system_error& e) {
          thrown = e.code() == errc::too_many_actors;
        }
        for (std::size_t i = 0; i < std::min<std::size_t>(handles.size(), 50); ++i) {
          (void)handles[i].join();
          auto h = smarm::try_spawn([] {});
          replaced = replaced && h && !smarm::try_spawn([] {});
          if (h) {
            handles[i] = *std::move(h);
          }
        }
        handles.clear();
        // What was detached while it ran is given back by its scheduler a moment later.
        until([&] {
          again = fill(handles, refusal);
          const bool all = again == bound - 1;
          handles.clear();
          return all;
        });
      });
      BOOST_TEST(first == bound - 1);
      BOOST_TEST((refusal == errc::too_many_actors));
      BOOST_TEST(thrown);
      BOOST_TEST(replaced);
      BOOST_TEST(again == bound - 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_bound_holds_for_those_outside_too) {
  smarm::runtime rt({.schedulers = 2, .max_actors = 3});
  rt.start();
  std::vector<smarm::join_handle> handles;
  for (int i = 0; i < 3; ++i) {
    handles.push_back(rt.handle().spawn([] {}));
  }
  BOOST_TEST((rt.handle().try_spawn([] {}).error() == errc::too_many_actors));
  for (int i = 0; i < 100; ++i) {
    (void)handles.back().join();
    handles.back() = rt.handle().spawn([] {});
    BOOST_TEST((rt.handle().try_spawn([] {}).error() == errc::too_many_actors));
  }
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(a_large_table_may_keep_a_few_hundred_slots_at_each_scheduler) {
  constexpr std::size_t bound = 70'000;
  std::size_t fits = 0;
  smarm::runtime rt({.schedulers = 2, .max_actors = bound});
  rt.run([&] {
    std::vector<smarm::join_handle> handles;
    boost::system::error_code refusal;
    fits = fill(handles, refusal);
  });
  BOOST_TEST(fits < bound);
  BOOST_TEST(fits >= bound - 1 - 2 * 256);
}

BOOST_AUTO_TEST_CASE(spawns_are_bounded_at_once_and_not_in_total) {
  std::size_t ended = 0;
  smarm::runtime rt({.schedulers = 2, .max_actors = 16});
  rt.run([&] {
    for (int i = 0; i < 20'000; ++i) {
      ended += smarm::spawn([] {}).join() == smarm::exit_kind::normal;
    }
  });
  BOOST_TEST(ended == 20'000u);
}

// Nor does anything that an instrument keeps for each stack, such as a sanitizer's copy of its frames.
BOOST_AUTO_TEST_CASE(a_hundred_thousand_ended_actors_leave_no_memory_behind) {
  constexpr int actors = SMARM_TSAN ? 10'000 : 100'000;
  const auto resident_kib = [] {
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
  };
  std::size_t warm = 0, in_the_end = 0;
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    for (int i = 0; i < actors; ++i) {
      auto h = smarm::spawn([] {
        char frame[256]; // on the stack, or where the sanitizer puts it
        asm volatile("" : : "r"(frame) : "memory");
        smarm::this_actor::yield();
        asm volatile("" : : "r"(frame) : "memory");
      });
      (void)h.join();
      if (i == actors / 10) {
        warm = resident_kib();
      }
    }
    in_the_end = resident_kib();
  });
  BOOST_TEST(in_the_end < warm + 32 * 1024, "from " << warm << " to " << in_the_end << " KiB");
}

// ---- slots and pids

BOOST_AUTO_TEST_CASE(a_freed_slot_is_used_again_soon_and_under_another_pid) {
  for (const unsigned schedulers : {1u, 2u}) {
    bool soon = true;
    bool others = true;
    smarm::runtime rt({.schedulers = schedulers, .max_actors = 32});
    rt.run([&] {
      for (int round = 0; round < 50; ++round) {
        auto first = smarm::spawn([] {});
        const smarm::pid old = first.id();
        (void)first.join();
        std::vector<smarm::join_handle> fillers;
        bool reused = false;
        for (int i = 0; i < 24 && !reused; ++i) {
          fillers.push_back(smarm::spawn([] {}));
          const smarm::pid now = fillers.back().id();
          reused = now.index() == old.index();
          others = others && now != old && (!reused || now.generation() > old.generation());
        }
        soon = soon && reused;
      }
    });
    BOOST_TEST(soon);
    BOOST_TEST(others);
  }
}

BOOST_AUTO_TEST_CASE(the_last_slot_given_back_is_the_first_to_be_used) {
  std::vector<std::uint32_t> given;
  std::vector<std::uint32_t> taken;
  smarm::runtime rt({.schedulers = 1, .max_actors = 32});
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 10; ++i) {
      all.push_back(smarm::spawn([] {}));
    }
    for (const int i : {3, 7, 0, 9, 5}) {
      given.push_back(all[static_cast<std::size_t>(i)].id().index());
      (void)all[static_cast<std::size_t>(i)].join();
    }
    for (int i = 0; i < 5; ++i) {
      all.push_back(smarm::spawn([] {}));
      taken.insert(taken.begin(), all.back().id().index());
    }
  });
  BOOST_TEST(taken == given, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_handle_that_is_kept_pins_the_slot_of_the_ended_actor) {
  bool pinned = true;
  bool freed = false;
  bool dead = false;
  smarm::runtime rt({.schedulers = 1, .max_actors = 8});
  rt.run([&] {
    auto kept = smarm::spawn([] {});
    smarm::this_actor::yield();
    dead = !rt.handle().is_live(kept.id());
    for (int i = 0; i < 100; ++i) {
      auto h = smarm::spawn([] {});
      pinned = pinned && h.id().index() != kept.id().index();
      (void)h.join();
    }
    const auto index = kept.id().index();
    kept.detach();
    freed = smarm::spawn([] {}).id().index() == index;
  });
  BOOST_TEST(dead);
  BOOST_TEST(pinned);
  BOOST_TEST(freed);
}

BOOST_AUTO_TEST_CASE(a_pid_is_live_from_the_spawn_to_the_end) {
  std::vector<int> live;
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    tokens gate;
    auto h = smarm::spawn([&] { gate.take(); });
    live.push_back(rt.handle().is_live(h.id()));
    smarm::this_actor::yield();
    live.push_back(rt.handle().is_live(h.id()));
    gate.give();
    live.push_back(rt.handle().is_live(h.id()));
    smarm::this_actor::yield();
    live.push_back(rt.handle().is_live(h.id()));
    live.push_back(rt.handle().is_live(smarm::pid::none()));
    live.push_back(rt.handle().is_live(smarm::pid::root()));
    live.push_back(rt.handle().is_live(smarm::pid(12'345'678, 0)));
    live.push_back(rt.handle().is_live(smarm::pid(h.id().index(), h.id().generation() + 1)));
  });
  CHECK_LIST(live, {1, 1, 1, 0, 0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(the_parent_is_who_spawned_and_nobody_outside_is) {
  basic_recorder<smarm::pid> parents;
  smarm::pid root;
  smarm::pid child;
  smarm::runtime rt({.schedulers = 1,
                     .reports = [&](const smarm::report& r) { parents.note(r.parent); }});
  rt.run([&] {
    root = smarm::this_actor::self();
    auto h = smarm::spawn([] {
      (void)smarm::spawn([] { throw 1; }).join();
      throw 2;
    });
    child = h.id();
    (void)h.join();
    (void)rt.handle().spawn([] { throw 3; }).join();
  });
  CHECK_LIST(parents.all(), {child, root, smarm::pid::root()});
}

BOOST_AUTO_TEST_SUITE_END()

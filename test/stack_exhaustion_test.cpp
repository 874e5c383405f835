// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Too little stack: one that overflows, and a system that gives no more of them. All of it in child
// processes: the first ends them, and the second is played by a limit on their address space.

#define BOOST_TEST_MODULE stack_exhaustion
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
namespace this_actor = smarm::this_actor;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#define CHECK_SAYS(end, text) BOOST_TEST(says((end).error, text), "it said: " << (end).error)

// In the child: what it writes here is what the parent finds wrong.
void require(bool right, const char* what) {
  if (!right) {
    std::fprintf(stderr, "wrong: %s\n", what);
  }
}

SMARM_NOINLINE int recurse(const char* above) {
  char frame[1000] = {above[0]};
  asm volatile("" : : "r"(frame) : "memory"); // all of it, not only what is read
  if (frame[0] == 0) {
    return 0; // never, but the compiler cannot know
  }
  const int below = recurse(frame);
  return below + frame[0];
}

void overflow() {
  const char start = 1;
  (void)recurse(&start);
}

// A sanitizer's handler, being the one before ours, ends the process in its own way.
bool died_of_overflow(const child_end& end) {
#if SMARM_ASAN || SMARM_TSAN
  return end.signal != 0 || end.status != 0;
#else
  return end.signal == SIGSEGV;
#endif
}

// Sanitizers need more than a process of scarce memory has: they leave those tests out.

// From now on the process gets this much more address space and no more.
[[maybe_unused]] void leave_address_space(std::size_t bytes) {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  require(::setrlimit(RLIMIT_AS, &limit) == 0, "the limit can be set");
}

[[maybe_unused]] constexpr std::size_t scarce = 16u << 20;
constexpr std::size_t most = 2000; // more than fit into that

[[maybe_unused]] smarm::config scarce_stacks(unsigned schedulers, smarm::report_sink sink) {
  return {.schedulers = schedulers,
          .stack_size = 64 * 1024,
          .guard_size = 64 * 1024,
          .guard = smarm::stack_guard::mapping,
          .reports = std::move(sink)};
}

// Actors that each hold a stack until they are given their token.
struct holders {
  std::vector<std::unique_ptr<tokens>> gates;
  std::vector<smarm::join_handle> all;
  boost::system::error_code refusal;
  std::atomic<std::size_t> began{0};

  holders() {
    for (std::size_t i = 0; i < most; ++i) {
      gates.push_back(std::make_unique<tokens>());
    }
    all.reserve(most);
  }

  // Until the system gives no more stacks and a spawn says so.
  void fill(const smarm::spawn_options& options) {
    while (all.size() < most) {
      auto h = smarm::try_spawn(options, [this, &gate = *gates[all.size()]] {
        ++began;
        gate.take();
      });
      if (!h) {
        refusal = h.error();
        return;
      }
      all.push_back(*std::move(h));
      // Lets it start, or starve.
      for (int i = 0; i < 40; ++i) {
        this_actor::yield();
      }
    }
  }
  [[nodiscard]] std::size_t starved() const { return all.size() - began; }
  void release(std::size_t which) { gates[which]->give(); }
  std::size_t release_all() {
    for (auto& g : gates) {
      g->give();
    }
    std::size_t normal = 0;
    for (auto& h : all) {
      normal += !h.joinable() || h.join().kind() == smarm::exit_kind::normal;
    }
    return normal;
  }
};

// The child fails by itself if it hangs.
template <class Body>
child_end in_scarce_child(Body body) {
  return in_child([body] {
    (void)::signal(SIGALRM, SIG_DFL);
    ::alarm(60);
    body();
    return 0;
  });
}

[[maybe_unused]] void check_right(const child_end& end) {
  BOOST_TEST(end.signal == 0);
  BOOST_TEST(end.status == 0);
  BOOST_TEST(end.error == "");
}

} // namespace

BOOST_AUTO_TEST_SUITE(stack_exhaustion_suite, *boost::unit_test::timeout(200))

// ---- overflow. The first case must be the first to make a runtime: the handlers stay.

BOOST_AUTO_TEST_CASE(an_overflow_is_not_reported_if_nobody_wants_it) {
  const child_end end = in_child([] {
    smarm::runtime rt({.schedulers = 1, .report_stack_overflow = false});
    rt.run([] { (void)smarm::spawn(overflow).join(); });
    return 0;
  });
  BOOST_TEST(died_of_overflow(end));
  BOOST_TEST(!says(end.error, "smarm: stack overflow"), end.error);
}

BOOST_AUTO_TEST_CASE(an_overflow_names_the_actor_its_label_and_its_sizes) {
  const child_end end = in_child([] {
    smarm::runtime rt({.schedulers = 1, .stack_size = 128 * 1024, .guard_size = 32 * 1024});
    rt.run([] { (void)smarm::spawn({.label = "deep thought"}, overflow).join(); });
    return 0;
  });
  BOOST_TEST(died_of_overflow(end));
  CHECK_SAYS(end, "smarm: stack overflow in actor <1.0> \"deep thought\": 128 KiB reserve, 32 KiB guard");
  CHECK_SAYS(end, "raise spawn_options::stack_size or config::stack_size");
}

BOOST_AUTO_TEST_CASE(an_overflow_names_the_label_that_the_actor_gave_itself) {
  const child_end end = in_child([] {
    smarm::runtime rt({.schedulers = 1});
    rt.run([] {
      (void)smarm::spawn([] {
        this_actor::label("second thought");
        overflow();
      }).join();
    });
    return 0;
  });
  BOOST_TEST(died_of_overflow(end));
  CHECK_SAYS(end, "\"second thought\"");
}

BOOST_AUTO_TEST_CASE(an_overflow_after_waits_and_on_a_stack_of_its_own_is_named_too) {
  const child_end end = in_child([] {
    smarm::runtime rt({.schedulers = 1});
    rt.run([] {
      (void)smarm::spawn({.label = "own", .stack_size = 32 * 1024}, [] {
        this_actor::yield();
        this_actor::sleep_for(1us);
        overflow();
      }).join();
    });
    return 0;
  });
  BOOST_TEST(died_of_overflow(end));
  CHECK_SAYS(end, "smarm: stack overflow in actor <1.0> \"own\": 32 KiB reserve, 64 KiB guard");
}

BOOST_AUTO_TEST_CASE(the_root_can_overflow_as_well) {
  const child_end end = in_child([] {
    smarm::run(overflow);
    return 0;
  });
  BOOST_TEST(died_of_overflow(end));
  CHECK_SAYS(end, "smarm: stack overflow in actor <0.0>: 256 KiB reserve");
}

// ---- no more stacks. A sanitizer needs more address space than can be left to it.

#if !SMARM_ASAN && !SMARM_TSAN

BOOST_AUTO_TEST_CASE(a_spawn_that_would_get_no_stack_says_so_and_the_runtime_goes_on) {
  check_right(in_scarce_child([] {
    std::atomic<int> reports{0};
    std::string text;
    smarm::runtime rt(scarce_stacks(1, [&](const smarm::report& r) {
      ++reports;
      text = r.text;
      require(r.kind == smarm::report_kind::out_of_stacks, "the kind of the report");
      require(r.actor.is_valid(), "the report names who waits");
    }));
    rt.run([&] {
      holders h;
      leave_address_space(scarce);
      h.fill({});
      require(h.all.size() < most, "there is an end to stacks");
      require(h.refusal == errc::out_of_stacks, "the spawn's error");
      require(h.starved() == 1, "one found out");
      require(reports == 1, "told once");
      require(says(text, "vm.max_map_count"), "the report names the remedy");

      bool thrown = false;
      try {
        (void)smarm::spawn([] {});
      } catch (const boost::system::system_error& e) {
        thrown = e.code() == errc::out_of_stacks;
      }
      require(thrown, "spawn throws the same");
      this_actor::sleep_for(1ms); // what runs, runs on

      const std::size_t first_started = h.began;
      h.release(0);
      (void)h.all[0].join();
      until([&] { return h.began == first_started + 1; }); // who starved has its stack
      require(h.starved() == 0, "nobody starves any more");
      require(h.release_all() == h.all.size(), "all end as they should");
      require(smarm::spawn([] {}).join().kind() == smarm::exit_kind::normal, "and others come");
    });
    require(rt.stats().stacks_in_use == 0, "all stacks are back");
  }));
}

BOOST_AUTO_TEST_CASE(those_that_starve_are_served_in_order_and_before_others) {
  check_right(in_scarce_child([] {
    smarm::runtime rt(scarce_stacks(1, [](const smarm::report&) {}));
    rt.run([] {
      basic_recorder<int> began;
      holders h;
      std::vector<smarm::join_handle> late;
      leave_address_space(scarce);
      // So many at once that several of them find no stack.
      for (std::size_t i = 0; i < 1000; ++i) {
        late.push_back(smarm::spawn([&, i] {
          began.note(static_cast<int>(i));
          h.gates[i]->take();
        }));
      }
      until([&] { return smarm::try_spawn([] {}).has_error(); });
      for (int i = 0; i < 5000; ++i) {
        this_actor::yield();
      }
      const auto before = began.size();
      require(before < 990, "many starve");
      for (std::size_t i = 0; i < 10; ++i) {
        h.gates[i]->give();
        (void)late[i].join();
        until([&] { return began.size() == before + i + 1; });
      }
      for (auto& g : h.gates) {
        g->give();
      }
      for (std::size_t i = 10; i < late.size(); ++i) {
        (void)late[i].join();
      }
      const auto order = began.all();
      bool in_order = order.size() == 1000;
      for (std::size_t i = 0; i < order.size(); ++i) {
        in_order = in_order && order[i] == static_cast<int>(i);
      }
      require(in_order, "first come, first served");
    });
  }));
}

BOOST_AUTO_TEST_CASE(a_stack_that_is_freed_on_one_scheduler_serves_who_starves_on_another) {
  for (const bool pinned : {false, true}) {
    check_right(in_scarce_child([pinned] {
      smarm::runtime rt(scarce_stacks(2, [](const smarm::report&) {}));
      rt.run([&] {
        (void)smarm::spawn({.pinned_to = 0}, [&] {
          constexpr int hungry = 20;
          std::atomic<int> ran{0};
          std::atomic<bool> scarce_now{false};
          std::atomic<bool> spawned{false};
          std::vector<smarm::join_handle> starving;
          tokens hold;
          holders h;
          auto there = smarm::spawn({.pinned_to = 1}, [&] {
            for (int i = 0; i < hungry; ++i) { // ready behind this one
              starving.push_back(pinned ? smarm::spawn({.pinned_to = 1}, [&] { ++ran; })
                                        : smarm::spawn([&] { ++ran; }));
            }
            spawned = true;
            spin_until([&] { return scarce_now.load(); });
            hold.take(); // and keeps its stack
          });
          spin_until([&] { return spawned.load(); });
          leave_address_space(scarce);
          h.fill({.pinned_to = 0}); // all stacks are with actors of scheduler 0
          require(h.refusal == errc::out_of_stacks, "the spawn's error");
          scarce_now = true;
          until([&] { return parked(there.id()); });
          this_actor::sleep_for(5ms); // time for scheduler 1 to find no stack, and to fall asleep
          require(h.release_all() == h.all.size(), "all end as they should");
          for (auto& s : starving) {
            (void)s.join();
          }
          require(ran == hungry, "all have run");
          hold.give();
          (void)there.join();
        }).join();
      });
      require(rt.stats().stacks_in_use == 0, "all stacks are back");
    }));
  }
}

BOOST_AUTO_TEST_CASE(a_stack_of_its_own_shape_that_cannot_be_had_is_refused_at_once) {
  check_right(in_scarce_child([] {
    smarm::runtime rt(scarce_stacks(1, [](const smarm::report&) {}));
    rt.run([] {
      leave_address_space(scarce);
      for (int i = 0; i < 100; ++i) {
        require(smarm::try_spawn({.label = "huge", .stack_size = 1 << 30}, [] {}).error() ==
                  errc::out_of_stacks,
                "the spawn's error");
      }
      require(smarm::spawn([] {}).join().kind() == smarm::exit_kind::normal, "others come");
    });
    require(rt.stats().spawned == 2, "nobody else was spawned");
  }));
}

// The report is made while somebody parks, where a wait would be inside a wait.
BOOST_AUTO_TEST_CASE(a_sink_that_hears_of_it_cannot_wait) {
  check_right(in_scarce_child([] {
    std::atomic<int> refused{0};
    smarm::runtime rt(scarce_stacks(1, [&](const smarm::report&) {
      try {
        this_actor::sleep_for(1ms);
      } catch (const boost::system::system_error& e) {
        refused += e.code() == errc::would_block_scheduler;
      }
      throw 1;
    }));
    rt.run([&] {
      holders h;
      leave_address_space(scarce);
      h.fill({});
      require(h.refusal == errc::out_of_stacks, "the spawn's error");
      require(refused == 1, "a wait is refused");
      require(h.release_all() == h.all.size(), "all end as they should");
    });
    require(rt.stats().sink_failures == 1, "what it throws is counted");
  }));
}

#endif

BOOST_AUTO_TEST_SUITE_END()

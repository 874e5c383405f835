// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Scheduler context, as code sees it that an actor runs on the thread's own stack: there is plenty of
// stack, and nothing may wait.

#define BOOST_TEST_MODULE scheduler_context
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <pthread.h>

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
using smarm::this_actor::run_on_thread_stack;
namespace this_actor = smarm::this_actor;

namespace {

SMARM_NOINLINE int descend(int levels) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(levels);
  return levels == 0 ? 0 : descend(levels - 1) + (frame[0] & 1);
}

bool on_the_threads_own_stack(const void* address) {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  ::pthread_getattr_np(::pthread_self(), &attributes);
  ::pthread_attr_getstack(&attributes, &low, &size);
  ::pthread_attr_destroy(&attributes);
  const auto* at = static_cast<const char*>(address);
  return static_cast<char*>(low) <= at && at < static_cast<char*>(low) + size;
}

template <class Call>
boost::system::error_code refusal(Call call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code();
  }
  return {};
}

// Never there.
struct nothing_to_wait_for {
  smarm::detail::enrolment enroll(const smarm::detail::registration&) noexcept {
    return smarm::detail::enrolment::enrolled;
  }
  bool satisfied() noexcept { return false; }
  bool withdraw() noexcept { return true; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(scheduler_context_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_call_runs_on_the_stack_and_thread_of_the_scheduler) {
  std::vector<int> where;
  for (const unsigned schedulers : {1u, 2u}) {
    smarm::runtime rt({.schedulers = schedulers});
    rt.run([&] {
      for (unsigned s = 0; s < schedulers; ++s) {
        (void)smarm::spawn({.pinned_to = s}, [&] {
          const char here = 0;
          const auto thread = this_thread();
          where.push_back(!on_the_threads_own_stack(&here));
          run_on_thread_stack([&] {
            const char there = 0;
            where.push_back(on_the_threads_own_stack(&there));
            where.push_back(thread == this_thread());
          });
        }).join();
      }
    });
  }
  BOOST_TEST(where.size() == 9u);
#if !SMARM_ASAN // whose fake frames are nowhere
  for (const int right : where) {
    BOOST_TEST(right == 1);
  }
#endif
}

BOOST_AUTO_TEST_CASE(it_has_more_stack_than_an_actor) {
  int sum = 0;
  smarm::runtime rt({.schedulers = 1, .stack_size = 64 * 1024});
  rt.run([&] { sum = run_on_thread_stack([] { return descend(2000); }); });
  BOOST_TEST(sum == 1000);
}

BOOST_AUTO_TEST_CASE(results_and_exceptions_come_through) {
  recorder seen;
  int result = 0;
  std::string text;
  smarm::run([&] {
    result = *run_on_thread_stack([] { return std::make_unique<int>(42); });
    text = run_on_thread_stack([] { return std::string(100, 'x'); });
    run_on_thread_stack([&] { seen.note("nothing to return"); });
    try {
      run_on_thread_stack([] { throw std::runtime_error("from there"); });
    } catch (const std::runtime_error& e) {
      seen.note(e.what());
    }
    try {
      (void)run_on_thread_stack([]() -> int { throw 7; });
    } catch (int value) {
      seen.note(std::to_string(value));
    }
  });
  BOOST_TEST(result == 42);
  BOOST_TEST(text == std::string(100, 'x'));
  CHECK_LIST(seen.all(), {"nothing to return", "from there", "7"});
}

BOOST_AUTO_TEST_CASE(nothing_may_wait_there) {
  std::vector<boost::system::error_code> thrown;
  boost::system::error_code returned;
  bool would_block = false;
  bool is_actor = true;
  bool still_joinable = false;
  smarm::run([&] {
    auto other = smarm::spawn([] {});
    run_on_thread_stack([&] {
      is_actor = this_actor::is_actor();
      thrown.push_back(refusal([] { this_actor::yield(); }));
      thrown.push_back(refusal([] { this_actor::checkpoint(); }));
      thrown.push_back(refusal([] { this_actor::sleep_for(1ms); }));
      thrown.push_back(refusal([&] { (void)other.join(); }));
      returned = other.join_for(1h).error();
      still_joinable = other.joinable();
      nothing_to_wait_for source;
      would_block =
          smarm::detail::wait_for_source<false>(source, smarm::detail::wait_kind::message) ==
          smarm::detail::wait_end::would_block;
    });
    (void)other.join();
  });
  BOOST_TEST(!is_actor);
  BOOST_TEST(thrown.size() == 4u);
  for (const auto& code : thrown) {
    BOOST_TEST((code == errc::would_block_scheduler));
  }
  BOOST_TEST((returned == errc::would_block_scheduler));
  BOOST_TEST(still_joinable);
  BOOST_TEST(would_block);
}

BOOST_AUTO_TEST_CASE(who_the_actor_is_can_be_asked_there) {
  bool self = false;
  bool scheduler = false;
  bool live = false;
  bool stop_before = true;
  bool stop_after = false;
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    (void)smarm::spawn({.pinned_to = 1}, [&] {
      const smarm::pid me = this_actor::self();
      run_on_thread_stack([&] {
        self = this_actor::self() == me;
        scheduler = this_actor::scheduler() == 1;
        live = rt.handle().is_live(this_actor::self());
        stop_before = this_actor::stop_requested();
        (void)smarm::request_stop(this_actor::self());
        stop_after = this_actor::stop_requested();
      });
    }).join();
  });
  BOOST_TEST(self);
  BOOST_TEST(scheduler);
  BOOST_TEST(live);
  BOOST_TEST(!stop_before);
  BOOST_TEST(stop_after);
}

BOOST_AUTO_TEST_CASE(scopes_that_are_made_there_are_the_actors) {
  recorder seen;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    auto h = smarm::spawn([&] {
      std::unique_ptr<smarm::disable_stop> calm;
      run_on_thread_stack([&] { calm = std::make_unique<smarm::disable_stop>(); });
      (void)smarm::request_stop(this_actor::self());
      this_actor::checkpoint();
      seen.note("calm");
      run_on_thread_stack([&] { calm.reset(); });
      this_actor::checkpoint();
      seen.note("never");
    });
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"calm", "stopped"});
}

BOOST_AUTO_TEST_CASE(a_call_inside_a_call_runs_where_it_is) {
  recorder seen;
  int sum = 0;
  smarm::run([&] {
    sum = run_on_thread_stack([&] {
      const int inner = run_on_thread_stack([] { return run_on_thread_stack([] { return 1; }); });
      try {
        run_on_thread_stack([] { throw std::runtime_error("from inside"); });
      } catch (const std::runtime_error& e) {
        seen.note(e.what());
      }
      return inner + static_cast<int>(this_actor::self() != smarm::pid::none());
    });
  });
  BOOST_TEST(sum == 2);
  CHECK_LIST(seen.all(), {"from inside"});
}

BOOST_AUTO_TEST_CASE(who_has_ended_can_be_joined_there) {
  recorder seen;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    auto fine = smarm::spawn([] {});
    auto also = smarm::spawn([] {});
    auto bad = smarm::spawn([] { throw std::runtime_error("no"); });
    until([&] {
      return !rt.handle().is_live(fine.id()) && !rt.handle().is_live(also.id()) &&
             !rt.handle().is_live(bad.id());
    });
    run_on_thread_stack([&] {
      seen.note(to_string(fine.join().kind()));
      seen.note(to_string(also.join_for(0s).value().kind()));
      seen.note(to_string(bad.join().kind()));
    });
    seen.note(fine.joinable() || also.joinable() || bad.joinable() ? "left over" : "all used");
  });
  CHECK_LIST(seen.all(), {"normal", "normal", "failed", "all used"});
}

BOOST_AUTO_TEST_CASE(what_does_not_wait_works_there) {
  recorder seen;
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    tokens gate;
    auto waiting = smarm::spawn([&] {
      gate.take();
      seen.note("woken");
    });
    auto sleeper = smarm::spawn([] { this_actor::sleep_for(24h); });
    until([&] { return parked(waiting.id()) && parked(sleeper.id()); });
    smarm::join_handle child;
    run_on_thread_stack([&] {
      gate.give();
      (void)smarm::request_stop(sleeper.id());
      child = smarm::spawn([] {});
    });
    (void)waiting.join();
    seen.note(to_string(sleeper.join().kind()));
    seen.note(to_string(child.join().kind()));
  });
  CHECK_LIST(seen.all(), {"woken", "stopped", "normal"});
}

BOOST_AUTO_TEST_CASE(a_stop_that_comes_meanwhile_is_raised_at_the_next_stop_point) {
  recorder seen;
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    std::atomic<bool> there{false};
    std::atomic<bool> stopped{false};
    auto h = smarm::spawn([&] {
      run_on_thread_stack([&] {
        there = true;
        spin_until([&] { return stopped.load(); });
      });
      seen.note("came back");
      this_actor::checkpoint();
      seen.note("never");
    });
    until([&] { return there.load(); });
    (void)smarm::request_stop(h.id());
    stopped = true;
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"came back", "stopped"});
}

BOOST_AUTO_TEST_CASE(exceptions_of_the_actor_and_of_the_call_do_not_meet) {
  recorder seen;
  smarm::run([&] {
    try {
      throw std::runtime_error("the actor's");
    } catch (const std::runtime_error& mine) {
      run_on_thread_stack([&] {
        seen.note(std::current_exception() == nullptr ? "clean" : "dirty");
        try {
          throw std::logic_error("the call's");
        } catch (const std::logic_error& e) {
          seen.note(e.what());
        }
      });
      try {
        throw;
      } catch (const std::runtime_error& e) {
        seen.note(e.what());
      }
    }
  });
  CHECK_LIST(seen.all(), {"clean", "the call's", "the actor's"});
}

BOOST_AUTO_TEST_CASE(many_actors_go_there_and_back_at_once) {
  std::atomic<int> calls{0};
  std::atomic<int> wrong{0};
  smarm::runtime rt({.schedulers = 4});
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 50; ++i) {
      all.push_back(smarm::spawn([&, i] {
        for (int n = 0; n < 50; ++n) {
          wrong += run_on_thread_stack([&] {
                     ++calls;
                     return i * n;
                   }) != i * n;
          if (n % 3 == 0) {
            this_actor::yield();
          } else if (n % 3 == 1) {
            this_actor::sleep_for(5us);
          }
        }
      }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(calls == 2500);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()

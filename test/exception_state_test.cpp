// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Actors that wait in a handler or in a destructor during unwinding, and go on on another thread:
// each keeps its own exceptions.

#define BOOST_TEST_MODULE exception_state
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "travel.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace this_actor = smarm::this_actor;

namespace {

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

// What is being handled right now.
std::string handled() {
  if (std::current_exception() == nullptr) {
    return "nothing";
  }
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (int value) {
    return std::to_string(value);
  }
}

template <class F>
class at_end {
public:
  explicit at_end(F f) : f_(std::move(f)) {}
  at_end(const at_end&) = delete;
  ~at_end() { f_(); }

private:
  F f_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(exception_state_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(two_actors_in_handlers_on_one_thread_keep_their_own_exceptions) {
  recorder seen;
  smarm::run([&] {
    const auto handles = [&](std::string text) {
      return [&seen, text] {
        try {
          throw std::runtime_error(text);
        } catch (const std::runtime_error&) {
          for (int i = 0; i < 3; ++i) {
            this_actor::yield();
            seen.note(handled());
          }
        }
        seen.note(handled());
      };
    };
    auto a = smarm::spawn(handles("a"));
    auto b = smarm::spawn(handles("b"));
    (void)a.join();
    (void)b.join();
  });
  CHECK_LIST(seen.all(), {"a", "b", "a", "b", "a", "nothing", "b", "nothing"});
}

BOOST_AUTO_TEST_CASE(an_actor_in_a_handler_leaves_the_others_without_an_exception) {
  recorder seen;
  smarm::run([&] {
    auto other = smarm::spawn([&] {
      for (int i = 0; i < 3; ++i) {
        seen.note(handled() + " " + std::to_string(std::uncaught_exceptions()));
        this_actor::yield();
      }
    });
    try {
      const at_end waits([] { this_actor::yield(); });
      throw 1;
    } catch (int) {
      this_actor::yield();
      auto fresh = smarm::spawn([&] { seen.note("fresh: " + handled()); });
      (void)fresh.join();
    }
    (void)other.join();
  });
  BOOST_TEST(seen.count("nothing 0") == 3u);
  BOOST_TEST(seen.count("fresh: nothing") == 1u);
}

BOOST_AUTO_TEST_CASE(a_handler_that_is_left_on_one_thread_goes_on_on_another) {
  std::vector<pid_t> threads;
  std::vector<unsigned> schedulers;
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    try {
      throw std::runtime_error("outer");
    } catch (...) {
      try {
        throw std::runtime_error("inner");
      } catch (...) {
        for (int i = 0; i < 4; ++i) {
          threads.push_back(this_thread());
          schedulers.push_back(this_actor::scheduler());
          move_on();
          seen.note(handled());
        }
      }
      move_on();
      seen.note(handled());
    }
    seen.note(handled());
  });
  CHECK_LIST(seen.all(), {"inner", "inner", "inner", "inner", "outer", "nothing"});
  for (std::size_t i = 1; i < threads.size(); ++i) {
    BOOST_TEST((threads[i] != threads[i - 1]));
    BOOST_TEST(schedulers[i] != schedulers[i - 1]);
  }
}

BOOST_AUTO_TEST_CASE(unwinding_that_is_interrupted_goes_on_on_another_thread) {
  std::vector<int> uncaught;
  bool moved = false;
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    try {
      const at_end waits([&] {
        const auto before = this_thread();
        uncaught.push_back(std::uncaught_exceptions());
        move_on();
        uncaught.push_back(std::uncaught_exceptions());
        moved = before != this_thread();
        try { // and another one on top of it
          const at_end waits_too([&] {
            uncaught.push_back(std::uncaught_exceptions());
            move_on();
            uncaught.push_back(std::uncaught_exceptions());
          });
          throw std::logic_error("second");
        } catch (const std::logic_error&) {
          move_on();
          seen.note(handled());
        }
        uncaught.push_back(std::uncaught_exceptions());
      });
      throw std::runtime_error("first");
    } catch (const std::runtime_error&) {
      seen.note(handled());
    }
    uncaught.push_back(std::uncaught_exceptions());
  });
  CHECK_LIST(uncaught, {1, 1, 2, 2, 1, 0});
  CHECK_LIST(seen.all(), {"second", "first"});
  BOOST_TEST(moved);
}

BOOST_AUTO_TEST_CASE(a_rethrow_after_the_journey_throws_the_same_exception) {
  std::string what;
  smarm::runtime rt(quiet(3));
  try {
    rt.run([] {
      try {
        throw std::runtime_error("from afar");
      } catch (...) {
        move_on();
        move_on();
        throw;
      }
    });
  } catch (const std::runtime_error& e) {
    what = e.what();
  }
  BOOST_TEST(what == "from afar");
}

BOOST_AUTO_TEST_CASE(a_stop_may_be_raised_on_another_thread_than_it_was_asked_for) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto h = smarm::spawn([&] {
      const at_end waits([&] {
        seen.note("unwinds " + std::to_string(std::uncaught_exceptions()));
        move_on(); // not ended by the stop
        seen.note("arrived " + std::to_string(std::uncaught_exceptions()));
      });
      this_actor::sleep_for(24h);
    });
    until([&] { return parked(h.id()); });
    (void)smarm::request_stop(h.id());
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"unwinds 1", "arrived 1", "stopped"});
}

BOOST_AUTO_TEST_CASE(many_in_handlers_and_destructors_at_once_on_many_schedulers) {
  std::atomic<int> wrong{0};
  std::atomic<int> moved{0};
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 100; ++i) {
      all.push_back(smarm::spawn([&, i] {
        for (int n = 0; n < 20; ++n) {
          const int value = i * 1000 + n;
          const unsigned before = this_actor::scheduler();
          try {
            const at_end waits([&] {
              this_actor::yield();
              wrong += std::uncaught_exceptions() != 1;
              this_actor::sleep_for(10us);
              wrong += std::uncaught_exceptions() != 1;
            });
            throw value;
          } catch (int caught) {
            this_actor::yield();
            wrong += caught != value || handled() != std::to_string(value);
          }
          wrong += std::uncaught_exceptions() != 0 || std::current_exception() != nullptr;
          moved += before != this_actor::scheduler();
        }
      }));
    }
    for (auto& h : all) {
      wrong += h.join().kind() != smarm::exit_kind::normal;
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST_MESSAGE(moved << " came back on another scheduler");
}

BOOST_AUTO_TEST_SUITE_END()

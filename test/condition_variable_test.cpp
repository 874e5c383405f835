// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Condition variables: who is woken, in which order, with the mutex held; limits of time; stops.

#define BOOST_TEST_MODULE condition_variable
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/condition_variable.hpp>
#include <smarm/error.hpp>
#include <smarm/mutex.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/errc.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

constinit smarm::condition_variable at_namespace_scope;

// Whether the caller of a wait has the mutex again.
template <class Mutex>
std::string held(Mutex& m) {
  return m.try_lock() ? "free" : "held";
}

} // namespace

BOOST_AUTO_TEST_SUITE(condition_variable_suite, *boost::unit_test::timeout(120))

// ---- notifying

BOOST_AUTO_TEST_CASE(who_is_notified_holds_the_mutex_again) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  bool ready = false;
  smarm::run([&] {
    auto waiter = waiting([&] {
      std::unique_lock lock(m);
      changed.wait(lock, [&] { return ready; });
      seen.note(held(m));
    });
    {
      const std::scoped_lock guard(m); // the waiter has given it up
      ready = true;
      changed.notify_one();
    }
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"held"});
}

BOOST_AUTO_TEST_CASE(notify_one_wakes_the_one_who_has_waited_longest) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 4; ++i) {
      handles.push_back(waiting([&, i] {
        std::unique_lock lock(m);
        changed.wait(lock);
        seen.note(std::to_string(i));
      }));
    }
    for (int i = 0; i < 4; ++i) {
      changed.notify_one();
      (void)handles[static_cast<std::size_t>(i)].join();
      seen.note("next");
    }
  });
  CHECK_LIST(seen.all(), {"0", "next", "1", "next", "2", "next", "3", "next"});
}

BOOST_AUTO_TEST_CASE(notify_all_wakes_everybody_in_order) {
  recorder seen;
  smarm::timed_mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 4; ++i) {
      handles.push_back(waiting([&, i] {
        std::unique_lock lock(m);
        changed.wait(lock);
        seen.note(std::to_string(i));
      }));
    }
    changed.notify_all();
    join_all(handles);
  });
  CHECK_LIST(seen.all(), {"0", "1", "2", "3"});
}

BOOST_AUTO_TEST_CASE(a_notify_with_nobody_there_is_not_kept) {
  recorder seen;
  smarm::mutex m;
  smarm::run([&] {
    at_namespace_scope.notify_one();
    at_namespace_scope.notify_all();
    auto waiter = waiting([&] {
      std::unique_lock lock(m);
      at_namespace_scope.wait(lock);
      seen.note("notified");
    });
    seen.note("waits");
    at_namespace_scope.notify_one();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"waits", "notified"});
}

BOOST_AUTO_TEST_CASE(a_predicate_that_is_true_already_needs_no_wait) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    auto other = smarm::spawn([&] { seen.note("other"); });
    std::unique_lock lock(m);
    changed.wait(lock, [] { return true; });
    seen.note(changed.wait_for(lock, 24h, [] { return true; }) ? "true" : "false");
    lock.unlock();
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"true", "other"});
}

BOOST_AUTO_TEST_CASE(a_predicate_may_itself_wait_and_may_throw) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    int calls = 0;
    auto waiter = smarm::spawn([&] {
      std::unique_lock lock(m);
      try {
        changed.wait(lock, [&] {
          smarm::this_actor::sleep_for(1us);
          if (++calls == 3) {
            throw std::runtime_error("third");
          }
          return false;
        });
      } catch (const std::runtime_error& e) {
        seen.note(e.what());
        seen.note(held(m));
      }
    });
    while (waiter.joinable() && calls < 3) {
      changed.notify_one();
      smarm::this_actor::yield();
    }
    (void)waiter.join();
    seen.note(held(m));
    m.unlock();
  });
  CHECK_LIST(seen.all(), {"third", "held", "free"});
}

// ---- limits of time

BOOST_AUTO_TEST_CASE(a_limit_that_passes_is_told_and_the_mutex_is_held) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  const auto work = [&] {
    std::unique_lock lock(m);
    seen.note(changed.wait_for(lock, 1ms) == std::cv_status::timeout ? "timeout" : "notified");
    seen.note(held(m));
    seen.note(changed.wait_until(lock, std::chrono::steady_clock::now()) == std::cv_status::timeout
                  ? "timeout"
                  : "notified");
    seen.note(changed.wait_for(lock, 1ms, [] { return false; }) ? "true" : "false");
    seen.note(held(m));
  };
  smarm::run(work);
  work(); // a plain thread
  CHECK_LIST(seen.all(), {"timeout", "held", "timeout", "false", "held", "timeout", "held",
                          "timeout", "false", "held"});
}

BOOST_AUTO_TEST_CASE(the_predicate_has_the_last_word_when_time_is_up) {
  bool last = false;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    int calls = 0;
    std::unique_lock lock(m);
    last = changed.wait_for(lock, 1ms, [&] { return ++calls == 2; });
  });
  BOOST_TEST(last);
}

BOOST_AUTO_TEST_CASE(a_notify_before_the_limit_is_told) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    auto waiter = waiting([&] {
      std::unique_lock lock(m);
      seen.note(changed.wait_for(lock, 24h) == std::cv_status::no_timeout ? "notified" : "timeout");
    });
    changed.notify_one();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"notified"});
}

BOOST_AUTO_TEST_CASE(who_gave_up_is_passed_over) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    auto first = waiting([&] {
      std::unique_lock lock(m);
      (void)changed.wait_for(lock, 1ms);
      seen.note("gave up");
    });
    auto second = waiting([&] {
      std::unique_lock lock(m);
      changed.wait(lock);
      seen.note("notified");
    });
    (void)first.join();
    changed.notify_one();
    (void)second.join();
  });
  CHECK_LIST(seen.all(), {"gave up", "notified"});
}

// ---- many

BOOST_AUTO_TEST_CASE(a_bounded_queue_of_actors_and_threads_hands_over_everything_once) {
  constexpr int each = 2000;
  std::deque<int> queue;
  smarm::mutex m;
  smarm::condition_variable not_empty;
  smarm::condition_variable not_full;
  std::atomic<long> sum{0};
  const auto produce = [&] {
    for (int i = 1; i <= each; ++i) {
      std::unique_lock lock(m);
      not_full.wait(lock, [&] { return queue.size() < 4; });
      queue.push_back(i);
      not_empty.notify_one();
    }
  };
  const auto consume = [&] {
    for (int i = 1; i <= each; ++i) {
      std::unique_lock lock(m);
      not_empty.wait(lock, [&] { return !queue.empty(); });
      sum += queue.front();
      queue.pop_front();
      lock.unlock();
      not_full.notify_one();
    }
  };
  std::thread producer(produce);
  std::thread consumer(consume);
  const auto actors = [&] {
    smarm::runtime rt(quiet(2));
    rt.run([&] {
      std::vector<smarm::join_handle> handles;
      for (int i = 0; i < 2; ++i) {
        handles.push_back(smarm::spawn(produce));
        handles.push_back(smarm::spawn(consume));
      }
      join_all(handles);
    });
  };
  std::thread other_runtime(actors);
  actors();
  other_runtime.join();
  producer.join();
  consumer.join();
  BOOST_TEST(sum == 5L * each * (each + 1) / 2);
  BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_SUITE_END()

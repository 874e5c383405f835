// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Conditions with locks of any type.

#define BOOST_TEST_MODULE condition_variable_any
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/condition_variable.hpp>
#include <smarm/mutex.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

// Whether the caller of a wait has the mutex again.
template <class Mutex>
std::string held(Mutex& m) {
  return m.try_lock() ? "free" : "held";
}

} // namespace

BOOST_AUTO_TEST_SUITE(condition_variable_any_suite, *boost::unit_test::timeout(120))

// Waits and yields in its own code, which nothing may do in an open wait.
class slow_lock {
public:
  void lock() {
    m_.lock();
    smarm::this_actor::yield();
  }
  void unlock() {
    smarm::this_actor::sleep_for(1us);
    m_.unlock();
    const smarm::disable_stop masked;
    smarm::this_actor::yield();
  }

private:
  smarm::mutex m_;
};

BOOST_AUTO_TEST_CASE(any_lock_will_do_even_one_that_waits) {
  recorder seen;
  slow_lock m;
  smarm::condition_variable_any changed;
  int turn = 0;
  smarm::run([&] {
    std::vector<smarm::join_handle> handles;
    for (int me = 0; me < 2; ++me) {
      handles.push_back(smarm::spawn([&, me] {
        for (int i = 0; i < 100; ++i) {
          std::unique_lock lock(m);
          if (i % 2 == 0) {
            changed.wait(lock, [&] { return turn % 2 == me; });
          } else {
            (void)changed.wait_for(lock, 24h, [&] { return turn % 2 == me; });
          }
          ++turn;
          changed.notify_all();
        }
      }));
    }
    join_all(handles);
    std::unique_lock lock(m);
    seen.note(changed.wait_for(lock, 1ms) == std::cv_status::timeout ? "timeout" : "notified");
    seen.note(lock.owns_lock() ? "held" : "free");
  });
  BOOST_TEST(turn == 200);
  CHECK_LIST(seen.all(), {"timeout", "held"});
}

BOOST_AUTO_TEST_CASE(a_notify_while_any_lock_is_being_left_is_not_missed) {
  recorder seen;
  struct notifies {
    smarm::condition_variable_any& changed;
    void lock() {}
    void unlock() { changed.notify_one(); }
  };
  smarm::condition_variable_any changed;
  notifies lock{changed};
  const auto work = [&] {
    changed.wait(lock);
    seen.note("notified");
  };
  smarm::run(work);
  work();
  CHECK_LIST(seen.all(), {"notified", "notified"});
}

BOOST_AUTO_TEST_CASE(a_stop_while_any_lock_is_being_left_hands_the_notify_on) {
  recorder seen;
  std::mutex m; // not held across a switch but by the wait itself
  smarm::condition_variable_any changed;
  struct stops_its_owner {
    smarm::condition_variable_any& changed;
    smarm::binary_semaphore& go;
    void lock() {}
    void unlock() {
      go.acquire();         // in the queue, and not yet in the wait
      changed.notify_one(); // for the owner, which was the first
      smarm::request_stop(smarm::this_actor::self());
    }
  };
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::binary_semaphore go(0);
    auto first = waiting([&] {
      stops_its_owner lock{changed, go};
      changed.wait(lock);
      seen.note("went on");
    });
    auto second = waiting([&] {
      std::unique_lock lock(m);
      changed.wait(lock);
      seen.note("second");
    });
    go.release();
    (void)first.join();
    (void)second.join(); // it waits for the notify that the first got, and no other comes
  });
  CHECK_LIST(seen.all(), {"second"});
}

BOOST_AUTO_TEST_CASE(threads_wait_with_locks_of_the_standard_library) {
  bool ready = false;
  std::mutex m;
  smarm::condition_variable_any changed;
  std::thread other([&] {
    const std::scoped_lock guard(m);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(m);
    changed.wait(lock, [&] { return ready; });
  }
  other.join();
  BOOST_TEST(ready);
}

BOOST_AUTO_TEST_SUITE_END()

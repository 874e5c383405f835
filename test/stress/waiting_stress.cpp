// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Mutexes, conditions, semaphores and groups in storms of deadlines and stops that come in the very
// moment of a grant: actors of two runtimes and plain threads. Whatever is lost shows as a hang or a
// wrong count.

#define BOOST_TEST_MODULE waiting_stress
#include <boost/test/unit_test.hpp>

#include "../waiting.hpp"

#include <smarm/condition_variable.hpp>
#include <smarm/mutex.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

constexpr auto storm = 2s; // how long each lasts

class end_of_storm {
public:
  [[nodiscard]] bool operator()() const { return std::chrono::steady_clock::now() >= at_; }

private:
  const std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::now() + storm;
};

// Times about as long as what they race with.
class short_times {
public:
  explicit short_times(unsigned seed) : random_(seed) {}
  std::chrono::nanoseconds next() { return std::chrono::nanoseconds(random_() % 30'000); }

private:
  std::minstd_rand random_;
};

// The body in so many plain threads and actors of two runtimes; each with a number of its own.
void everywhere(unsigned threads, unsigned actors, const std::function<void(unsigned)>& body) {
  std::vector<std::thread> plain;
  unsigned number = 0;
  for (unsigned i = 0; i < threads; ++i) {
    plain.emplace_back(body, number++);
  }
  for (int r = 0; r < 2; ++r) {
    plain.emplace_back([&body, actors, first = number] {
      smarm::runtime rt(quiet(2));
      rt.run([&] {
        std::vector<smarm::join_handle> handles;
        for (unsigned i = 0; i < actors; ++i) {
          handles.push_back(smarm::spawn([&body, n = first + i] { body(n); }));
        }
        join_all(handles);
      });
    });
    number += actors;
  }
  for (auto& t : plain) {
    t.join();
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_stress_suite, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(timeouts_against_unlocks) {
  smarm::timed_mutex m;
  long count = 0; // under the mutex
  std::atomic<long> entered{0};
  std::atomic<long> gave_up{0};
  const end_of_storm over;
  everywhere(1, 6, [&](unsigned n) {
    short_times limit(n);
    while (!over()) {
      if (n % 3 == 0) {
        m.lock();
      } else if (!m.try_lock_for(limit.next())) {
        ++gave_up;
        continue;
      }
      ++count;
      if (n % 4 == 0 && smarm::this_actor::is_actor()) {
        smarm::this_actor::yield();
      }
      m.unlock();
      ++entered;
    }
  });
  BOOST_TEST(count == entered);
  BOOST_TEST(m.try_lock());
  m.unlock();
  BOOST_TEST_MESSAGE(entered << " entered, " << gave_up << " gave up");
}

BOOST_AUTO_TEST_CASE(timeouts_against_notifies) {
  // As many tokens are taken as were given, by waiters who give up now and then: a notify that was
  // swallowed by one who gave up leaves a token and waiters who wait for ever.
  smarm::mutex m;
  smarm::condition_variable given;
  long tokens = 0;
  std::atomic<long> taken{0};
  std::atomic<long> gave_up{0};
  const long total = 60'000;
  std::atomic<long> claimed{0};
  everywhere(2, 4, [&](unsigned n) {
    short_times limit(n);
    if (n % 2 == 0) { // givers: one of the threads, two actors of each runtime
      while (claimed.fetch_add(1) < total) {
        {
          const std::scoped_lock guard(m);
          ++tokens;
        }
        given.notify_one();
        if (smarm::this_actor::is_actor()) {
          smarm::this_actor::yield();
        }
      }
      return;
    }
    for (;;) {
      std::unique_lock lock(m);
      while (tokens == 0 && taken < total) {
        if (n % 4 == 1) {
          given.wait(lock);
        } else if (given.wait_for(lock, limit.next()) == std::cv_status::timeout) {
          ++gave_up;
        }
      }
      if (taken == total) {
        return;
      }
      --tokens;
      if (++taken == total) {
        given.notify_all();
        return;
      }
    }
  });
  BOOST_TEST(taken == total);
  BOOST_TEST(tokens == 0);
  BOOST_TEST_MESSAGE(gave_up << " gave up");
}

BOOST_AUTO_TEST_CASE(timeouts_against_releases) {
  smarm::counting_semaphore<> places(2);
  std::atomic<int> inside{0};
  std::atomic<int> wrong{0};
  const end_of_storm over;
  everywhere(1, 6, [&](unsigned n) {
    short_times limit(n);
    while (!over()) {
      if (n % 3 == 0) {
        places.acquire();
      } else if (!places.try_acquire_for(limit.next())) {
        continue;
      }
      wrong += ++inside > 2;
      if (n % 2 == 0 && smarm::this_actor::is_actor()) {
        smarm::this_actor::yield();
      }
      --inside;
      places.release();
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(places.try_acquire());
  BOOST_TEST(places.try_acquire());
  BOOST_TEST(!places.try_acquire());
}

BOOST_AUTO_TEST_CASE(stops_against_grants) {
  // Victims wait for everything there is, and are stopped at some point or other of it.
  smarm::timed_mutex m;
  smarm::condition_variable changed;
  smarm::counting_semaphore<> places(1);
  long owners = 0; // under the mutex
  long wrong = 0;  // likewise
  const auto inside = [&](int yields) {
    const smarm::disable_stop masked;
    wrong += ++owners != 1;
    for (; yields > 0; --yields) {
      smarm::this_actor::yield();
    }
    --owners;
  };
  std::atomic<long> stopped{0};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    const end_of_storm over;
    std::atomic<bool> done{false};
    auto notifier = smarm::spawn([&] {
      while (!done) {
        {
          const std::scoped_lock guard(m);
          inside(1);
        }
        changed.notify_one();
        smarm::this_actor::yield();
      }
    });
    std::minstd_rand random(7);
    while (!over()) {
      std::vector<smarm::join_handle> victims;
      for (unsigned i = 0; i < 8; ++i) {
        victims.push_back(smarm::spawn([&, i] {
          for (;;) {
            if (i % 2 == 0) {
              std::unique_lock lock(m);
              changed.wait(lock);
              inside(0);
            } else if (m.try_lock_for(1s)) {
              const std::unique_lock lock(m, std::adopt_lock);
              inside(1);
              smarm::this_actor::sleep_for(1us); // another stop point, with the mutex
            }
            places.acquire();
            places.release();
          }
        }));
      }
      for (unsigned k = random() % 64; k > 0; --k) {
        smarm::this_actor::yield();
      }
      for (auto& v : victims) {
        smarm::request_stop(v.id());
        if (random() % 4 == 0) {
          smarm::this_actor::yield();
        }
      }
      for (auto& v : victims) {
        stopped += v.join().kind() == smarm::exit_kind::stopped;
      }
    }
    done = true;
    (void)notifier.join();
  });
  BOOST_TEST(stopped > 0);
  BOOST_TEST(wrong == 0);
  BOOST_TEST(m.try_lock());
  m.unlock();
  BOOST_TEST(places.try_acquire());
  BOOST_TEST(!places.try_acquire());
}

BOOST_AUTO_TEST_CASE(groups_that_are_left_at_any_time) {
  std::atomic<long> begun{0};
  std::atomic<long> ended{0};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    const end_of_storm over;
    std::minstd_rand random(11);
    while (!over()) {
      auto owner = smarm::spawn([&, tasks = random() % 40, limit = 1 + random() % 8] {
        struct alive {
          std::atomic<long>& ended;
          ~alive() { ++ended; }
        };
        smarm::task_group group(limit);
        for (unsigned i = 0; i < tasks; ++i) {
          group.spawn([&, i] {
            ++begun;
            const alive here{ended};
            if (i % 3 == 0) {
              smarm::this_actor::sleep_for(20us);
            }
            if (i % 7 == 0) {
              throw i;
            }
          });
        }
        group.wait();
      });
      for (unsigned k = random() % 32; k > 0; --k) {
        smarm::this_actor::yield();
      }
      if (random() % 2 == 0) {
        smarm::request_stop(owner.id());
      }
      (void)owner.join();
    }
  });
  BOOST_TEST(begun == ended);
  BOOST_TEST(begun > 0);
}

BOOST_AUTO_TEST_SUITE_END()

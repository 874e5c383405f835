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
using smarm::errc;
using smarm::exit_kind;

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

// ---- stops

BOOST_AUTO_TEST_CASE(a_stop_ends_the_wait_with_the_mutex_held) {
  recorder seen;
  exit_kind how{};
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto waiter = waiting([&] {
      std::unique_lock lock(m);
      try {
        changed.wait(lock);
        seen.note("went on");
      } catch (...) {
        seen.note(held(m));
        throw;
      }
    });
    smarm::request_stop(waiter.id());
    how = waiter.join().kind();
    seen.note(held(m));
    m.unlock();
    changed.notify_one(); // nobody is there
  });
  CHECK_LIST(seen.all(), {"held", "free"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(a_stopped_waiter_waits_for_the_mutex_before_it_unwinds) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto waiter = waiting([&] {
      std::unique_lock lock(m);
      const noted_end unwound(seen, "unwound");
      changed.wait(lock);
    });
    m.lock();
    smarm::request_stop(waiter.id());
    smarm::this_actor::yield();
    until([&] { return parked(waiter.id()); });
    seen.note("unlocking");
    m.unlock();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"unlocking", "unwound"});
}

BOOST_AUTO_TEST_CASE(a_stop_that_is_pending_is_raised_before_the_wait) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto actor = smarm::spawn([&] {
      smarm::request_stop(smarm::this_actor::self());
      std::unique_lock lock(m);
      const noted_end unwound(seen, "unwound");
      changed.wait(lock);
      seen.note("went on");
    });
    (void)actor.join();
    seen.note(held(m));
    m.unlock();
  });
  CHECK_LIST(seen.all(), {"unwound", "free"});
}

BOOST_AUTO_TEST_CASE(a_notify_and_a_stop_at_once_lose_nothing) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const bool stop_first : {false, true}) {
      auto first = waiting([&] {
        std::unique_lock lock(m);
        changed.wait(lock);
        seen.note("first");
        lock.unlock();
        smarm::this_actor::yield();
      });
      auto second = waiting([&] {
        std::unique_lock lock(m);
        changed.wait(lock);
        seen.note("second");
      });
      if (stop_first) {
        smarm::request_stop(first.id());
        changed.notify_one(); // it has not run yet, and is still the first
      } else {
        changed.notify_one();
        smarm::request_stop(first.id());
      }
      (void)first.join();
      seen.note(parked(second.id()) ? "second waits" : "second is notified too");
      changed.notify_one();
      (void)second.join();
    }
  });
  CHECK_LIST(seen.all(), {"first", "second waits", "second", "first", "second waits", "second"});
}

BOOST_AUTO_TEST_CASE(a_masked_stop_does_not_end_the_wait) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto waiter = waiting([&] {
      const smarm::disable_stop masked;
      std::unique_lock lock(m);
      changed.wait(lock);
      seen.note("notified");
    });
    smarm::request_stop(waiter.id());
    smarm::this_actor::yield();
    seen.note("waits");
    changed.notify_one();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"waits", "notified"});
}

// ---- misuse

BOOST_AUTO_TEST_CASE(a_wait_without_the_mutex_is_refused) {
  std::vector<boost::system::error_code> said;
  smarm::mutex m;
  smarm::condition_variable changed;
  std::unique_lock lock(m, std::defer_lock);
  said.push_back(refusal([&] { changed.wait(lock); }));
  lock.lock();
  smarm::run([&] { said.push_back(refusal([&] { (void)changed.wait_for(lock, 1h); })); });
  BOOST_TEST(said.size() == 2u);
  for (const auto& code : said) {
    BOOST_TEST((code == boost::system::errc::operation_not_permitted));
  }
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_a_wait_is_refused_with_the_mutex_held) {
  recorder seen;
  boost::system::error_code said;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    smarm::this_actor::run_on_thread_stack([&] {
      std::unique_lock lock(m);
      said = refusal([&] { changed.wait(lock); });
      seen.note(held(m));
    });
  });
  BOOST_TEST((said == errc::would_block_scheduler));
  CHECK_LIST(seen.all(), {"held"});
}

// ---- locks of any type

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

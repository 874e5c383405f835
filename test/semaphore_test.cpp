// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Semaphores: so many at a time, in order; limits of time; stops; threads and runtimes.

#define BOOST_TEST_MODULE semaphore
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/error.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

constinit smarm::binary_semaphore at_namespace_scope{1};

static_assert(smarm::binary_semaphore::max() == 1);
static_assert(smarm::counting_semaphore<7>::max() == 7);

} // namespace

BOOST_AUTO_TEST_SUITE(semaphore_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(no_more_than_its_count_get_in) {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> rounds{0};
  smarm::counting_semaphore<> places(3);
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 10; ++i) {
      handles.push_back(smarm::spawn([&] {
        for (int k = 0; k < 200; ++k) {
          places.acquire();
          const int now = ++inside;
          for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
          }
          smarm::this_actor::yield();
          --inside;
          places.release();
          ++rounds;
        }
      }));
    }
    join_all(handles);
  });
  BOOST_TEST(rounds == 2000);
  BOOST_TEST(most == 3);
}

BOOST_AUTO_TEST_CASE(it_counts) {
  smarm::counting_semaphore<10> places(2);
  std::vector<int> got;
  got.push_back(places.try_acquire());
  got.push_back(places.try_acquire());
  got.push_back(places.try_acquire());
  places.release(3);
  for (int i = 0; i < 4; ++i) {
    got.push_back(places.try_acquire());
  }
  places.release(0);
  got.push_back(places.try_acquire());
  CHECK_LIST(got, {1, 1, 0, 1, 1, 1, 0, 0});
  at_namespace_scope.acquire();
  BOOST_TEST(!at_namespace_scope.try_acquire());
  at_namespace_scope.release();
}

BOOST_AUTO_TEST_CASE(waiters_are_served_in_the_order_in_which_they_came) {
  recorder seen;
  smarm::counting_semaphore<> places(0);
  smarm::run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 5; ++i) {
      handles.push_back(waiting([&, i] {
        places.acquire();
        seen.note(std::to_string(i));
      }));
    }
    places.release(2);
    seen.note(places.try_acquire() ? "got in" : "none left");
    until([&] { return seen.size() == 3; });
    places.release(4); // one more than wait
    join_all(handles);
    seen.note(places.try_acquire() ? "one left" : "none left");
    seen.note(places.try_acquire() ? "one left" : "none left");
  });
  CHECK_LIST(seen.all(), {"none left", "0", "1", "2", "3", "4", "one left", "none left"});
}

BOOST_AUTO_TEST_CASE(a_limit_that_passes_takes_nothing) {
  std::vector<int> got;
  smarm::counting_semaphore<> places(0);
  const auto work = [&] {
    got.push_back(places.try_acquire_for(1ms));
    got.push_back(places.try_acquire_until(std::chrono::steady_clock::now() + 1ms));
    got.push_back(places.try_acquire_for(0s));
    places.release();
    got.push_back(places.try_acquire_for(0s));
    got.push_back(places.try_acquire());
  };
  smarm::run(work);
  work(); // a plain thread
  CHECK_LIST(got, {0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
}

BOOST_AUTO_TEST_CASE(who_gives_up_is_passed_over) {
  recorder seen;
  smarm::counting_semaphore<> places(0);
  smarm::run([&] {
    auto first = waiting([&] { seen.note(places.try_acquire_for(1ms) ? "got it" : "gave up"); });
    auto second =
        waiting([&] { seen.note(places.try_acquire_for(24h) ? "second" : "second gave up"); });
    (void)first.join();
    places.release();
    (void)second.join();
  });
  CHECK_LIST(seen.all(), {"gave up", "second"});
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_wait_and_takes_nothing) {
  for (const bool limited : {false, true}) {
    exit_kind how{};
    bool left = false;
    smarm::counting_semaphore<> places(0);
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      auto waiter = waiting([&] {
        if (limited) {
          (void)places.try_acquire_for(24h);
        } else {
          places.acquire();
        }
      });
      smarm::request_stop(waiter.id());
      how = waiter.join().kind();
      places.release();
      left = places.try_acquire();
    });
    BOOST_TEST((how == exit_kind::stopped));
    BOOST_TEST(left);
  }
}

BOOST_AUTO_TEST_CASE(who_is_given_one_and_stopped_at_once_has_it) {
  recorder seen;
  smarm::counting_semaphore<> places(0);
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const bool stop_first : {false, true}) {
      auto waiter = waiting([&] {
        places.acquire();
        seen.note("has it");
        places.release();
        smarm::this_actor::yield();
        seen.note("not stopped");
      });
      if (stop_first) {
        smarm::request_stop(waiter.id());
        places.release();
      } else {
        places.release();
        smarm::request_stop(waiter.id());
      }
      (void)waiter.join();
      seen.note(places.try_acquire() ? "given back" : "lost");
    }
  });
  CHECK_LIST(seen.all(), {"has it", "given back", "has it", "given back"});
}

BOOST_AUTO_TEST_CASE(an_acquire_is_a_stop_point_even_if_it_need_not_wait) {
  recorder seen;
  smarm::counting_semaphore<> places(1);
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    (void)smarm::spawn([&] {
      smarm::request_stop(smarm::this_actor::self());
      seen.note(places.try_acquire() ? "tried" : "none");
      places.release();
      places.acquire();
      seen.note("went on");
    }).join();
    seen.note(places.try_acquire() ? "untouched" : "lost");
  });
  CHECK_LIST(seen.all(), {"tried", "untouched"});
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_only_a_wait_is_refused) {
  std::vector<boost::system::error_code> said;
  smarm::counting_semaphore<> places(1);
  smarm::run([&] {
    smarm::this_actor::run_on_thread_stack([&] {
      places.acquire();
      said.push_back(refusal([&] { places.acquire(); }));
      said.push_back(refusal([&] { (void)places.try_acquire_for(1h); }));
      places.release();
    });
  });
  BOOST_TEST(said.size() == 2u);
  for (const auto& code : said) {
    BOOST_TEST((code == errc::would_block_scheduler));
  }
}

BOOST_AUTO_TEST_CASE(threads_and_the_actors_of_two_runtimes_pass_tokens_around) {
  constexpr int each = 2000;
  smarm::counting_semaphore<> full(0);
  smarm::counting_semaphore<> empty(3);
  std::atomic<int> inside{0};
  std::atomic<int> wrong{0};
  const auto give = [&] {
    for (int i = 0; i < each; ++i) {
      empty.acquire();
      wrong += ++inside > 3;
      full.release();
    }
  };
  const auto take = [&] {
    for (int i = 0; i < each; ++i) {
      while (!full.try_acquire_for(1h)) {
      }
      --inside;
      empty.release();
    }
  };
  const auto actors = [&] {
    smarm::runtime rt(quiet(2));
    rt.run([&] {
      std::vector<smarm::join_handle> handles;
      for (int i = 0; i < 2; ++i) {
        handles.push_back(smarm::spawn(give));
        handles.push_back(smarm::spawn(take));
      }
      join_all(handles);
    });
  };
  std::thread giver(give);
  std::thread taker(take);
  std::thread other_runtime(actors);
  actors();
  other_runtime.join();
  giver.join();
  taker.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(inside == 0);
  BOOST_TEST(!full.try_acquire());
}

BOOST_AUTO_TEST_CASE(whoever_got_the_last_one_may_destroy_it) {
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int i = 0; i < 3000; ++i) {
      auto done = std::make_unique<smarm::binary_semaphore>(0);
      auto other = smarm::spawn([&s = *done] { s.release(); });
      if (i % 2 == 0) {
        smarm::this_actor::yield();
      }
      done->acquire();
      done.reset(); // while the other may still be on its way out of release
      (void)other.join();
    }
  });
}

BOOST_AUTO_TEST_CASE(a_count_beyond_its_range_is_refused_and_changes_nothing) {
  smarm::binary_semaphore one(1);
  BOOST_TEST((refusal([&] { one.release(); }) == errc::count_out_of_range));
  BOOST_TEST((refusal([&] { one.release(-1); }) == errc::count_out_of_range));
  BOOST_TEST(one.try_acquire());
  BOOST_TEST(!one.try_acquire());
  one.release();
  BOOST_TEST((refusal([] { smarm::binary_semaphore(2); }) == errc::invalid_config));
  BOOST_TEST((refusal([] { smarm::counting_semaphore<>(-1); }) == errc::invalid_config));
}

BOOST_AUTO_TEST_CASE(those_who_wait_count_as_room_for_a_release) {
  boost::system::error_code one_too_many;
  std::vector<int> left;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::binary_semaphore one(0);
    std::vector<smarm::join_handle> waiting;
    for (int i = 0; i < 2; ++i) {
      waiting.push_back(smarm::spawn([&] { one.acquire(); }));
    }
    smarm::this_actor::yield();
    // Two for those, and one that stays: four would be one too many.
    one_too_many = refusal([&] { one.release(4); });
    one.release(3);
    for (auto& w : waiting) {
      (void)w.join();
    }
    left.push_back(one.try_acquire());
    left.push_back(one.try_acquire());
  });
  BOOST_TEST((one_too_many == errc::count_out_of_range));
  CHECK_LIST(left, {true, false});
}

BOOST_AUTO_TEST_CASE(releases_at_the_same_time_do_not_pass_the_maximum) {
  smarm::binary_semaphore one(0);
  std::atomic<int> accepted{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) {
        if (!refusal([&] { one.release(); })) {
          accepted.fetch_add(1);
        }
        if (i % 8 == 0 && one.try_acquire()) {
          accepted.fetch_sub(1);
        }
      }
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  const int left = one.try_acquire() ? 1 : 0;
  BOOST_TEST(left == accepted.load());
  BOOST_TEST(!one.try_acquire());
}

BOOST_AUTO_TEST_SUITE_END()

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that are sent later: order, cancelling, what becomes of the message in every case, and
// what it may do in its destructor.

#define BOOST_TEST_MODULE send_after
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send_after.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::send_after;
using smarm::send_at;
using smarm::timer_id;
using std::chrono::steady_clock;

namespace {

// Does something when it is destroyed, wherever that is.
class at_end {
public:
  explicit at_end(std::function<void()> what) : what_(std::move(what)) {}
  at_end(at_end&& other) noexcept : what_(std::exchange(other.what_, nullptr)) {}
  at_end& operator=(at_end&& other) noexcept {
    std::swap(what_, other.what_);
    return *this;
  }
  ~at_end() {
    if (what_) {
      what_();
    }
  }

private:
  std::function<void()> what_;
};

// Counts those that are there, and how often one with a value was destroyed.
struct counted {
  explicit counted(int v) : value(v) { ++alive; }
  counted(counted&& other) noexcept : value(std::exchange(other.value, -1)) { ++alive; }
  counted& operator=(counted&& other) noexcept {
    std::swap(value, other.value);
    return *this;
  }
  ~counted() {
    --alive;
    ends += value >= 0;
  }
  int value;
  static inline std::atomic<int> alive{0};
  static inline std::atomic<int> ends{0};
};

// Lets the schedulers work until nothing is armed.
void until_all_fired() {
  smarm::detail::runtime_state& rt = this_runtime();
  until([&] { return rt.stats().armed_timers == 0; });
}

std::vector<smarm::report> reports_of(const std::function<void()>& body) {
  basic_recorder<smarm::report> seen;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) { seen.note(r); }});
  rt.run(body);
  return seen.all();
}

boost::system::error_code refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code();
  }
  return {};
}

// Nothing is asked of a destination but try_send.
struct other_destination {
  std::vector<int>* got;
  errc answer = {};
  boost::system::result<void> try_send(int&& value) const {
    got->push_back(value);
    if (answer != errc{}) {
      return smarm::make_error_code(answer);
    }
    return {};
  }
};

} // namespace

namespace smarm::detail {
template <>
struct message_of<other_destination> {
  using type = int;
};
} // namespace smarm::detail

BOOST_AUTO_TEST_SUITE(send_after_suite, *boost::unit_test::timeout(120))

// ---- sending

BOOST_AUTO_TEST_CASE(a_message_comes_when_its_time_has_come_and_not_before) {
  int got = 0;
  bool early = true;
  bool pending = true;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto begin = steady_clock::now();
    const timer_id id = send_after(2ms, tx, 42);
    pending = id.pending();
    got = rx.recv().value();
    early = steady_clock::now() - begin < 2ms;
    pending = pending && !id.pending();
  });
  BOOST_TEST(got == 42);
  BOOST_TEST(!early);
  BOOST_TEST(pending);
}

BOOST_AUTO_TEST_CASE(messages_come_by_deadline_and_equal_ones_in_the_order_of_arming) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto base = steady_clock::now() + 1ms;
    for (const int late : {3, 1, 2, 0}) {
      for (int i = 0; i < 3; ++i) {
        (void)send_at(base + late * 100us, tx, late * 10 + i);
      }
    }
    tx = {};
    while (auto message = rx.recv()) {
      got.push_back(*message);
    }
  });
  CHECK_LIST(got, {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32});
}

// Whoever looks at the clock fires every scheduler's timers.
BOOST_AUTO_TEST_CASE(the_order_is_kept_though_several_schedulers_fire) {
  std::atomic<bool> over{false};
  int received = 0;
  int out_of_order = 0;
  smarm::runtime rt({.schedulers = 4, .poll_cycles = 2000});
  rt.run([&] {
    std::vector<smarm::join_handle> busy;
    for (unsigned i = 0; i < 4; ++i) {
      busy.push_back(smarm::spawn({.pinned_to = i}, [&] {
        while (!over) {
          smarm::this_actor::yield();
        }
      }));
    }
    auto arming = smarm::spawn({.pinned_to = 0}, [&] {
      for (int round = 0; round < 100; ++round) {
        auto [tx, rx] = smarm::channel<int>();
        const auto base = steady_clock::now() + 200us;
        for (int i = 0; i < 500; ++i) {
          (void)send_at(base + i * 1us, tx, int(i));
        }
        tx = {};
        int last = -1;
        while (const auto message = rx.recv()) {
          ++received;
          out_of_order += *message < std::exchange(last, *message);
        }
      }
    });
    (void)arming.join();
    over = true;
    for (auto& h : busy) {
      (void)h.join();
    }
  });
  BOOST_TEST(received == 100 * 500);
  BOOST_TEST(out_of_order == 0);
}

BOOST_AUTO_TEST_CASE(timers_and_sleeps_go_by_the_same_order) {
  strings seen;
  smarm::run([&] {
    bool in_time = false;
    // Until all three are waiting before the first is due.
    for (auto lead = 1ms; !in_time; lead *= 2) {
      seen.clear();
      const auto base = steady_clock::now() + lead;
      auto [tx, rx] = smarm::channel<int>();
      const auto sleep_until = [&seen, base](std::chrono::microseconds late, const char* name) {
        return smarm::spawn([&seen, base, late, name] {
          smarm::this_actor::sleep_until(base + late);
          seen.emplace_back(name);
        });
      };
      auto first = sleep_until(0us, "first");
      auto receiving = smarm::spawn([&, rx = std::move(rx)]() mutable {
        (void)rx.recv();
        seen.emplace_back("receiver");
      });
      auto last = sleep_until(200us, "last");
      (void)send_at(base + 100us, tx, 1);
      smarm::this_actor::yield();
      in_time = parked(first.id()) && parked(receiving.id()) && parked(last.id()) &&
                steady_clock::now() < base;
      (void)first.join();
      (void)receiving.join();
      (void)last.join();
    }
  });
  CHECK_LIST(seen, {"first", "receiver", "last"});
}

BOOST_AUTO_TEST_CASE(no_delay_and_a_past_deadline_are_due_at_once) {
  int sum = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)send_after(0ms, tx, 1);
    (void)send_after(-5h, tx, 2);
    (void)send_at(steady_clock::time_point{}, tx, 4);
    (void)send_at(steady_clock::now() - 1s, tx, 8);
    for (int i = 0; i < 4; ++i) {
      sum += rx.recv().value();
    }
  });
  BOOST_TEST(sum == 15);
}

BOOST_AUTO_TEST_CASE(delays_of_any_kind_work_and_one_beyond_time_never_ends) {
  std::vector<int> cancelled;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    for (const timer_id& id :
         {send_after(std::chrono::hours::max(), tx, 1), send_after(std::chrono::years(200), tx, 1),
          send_after(std::chrono::duration<double>(1e300), tx, 1),
          send_at(steady_clock::time_point::max(), tx, 1)}) {
      smarm::this_actor::yield();
      cancelled.push_back(cancel(id));
    }
  });
  CHECK_LIST(cancelled, {true, true, true, true});
}

BOOST_AUTO_TEST_CASE(messages_may_be_move_only_large_and_over_aligned) {
  int sum = 0;
  bool placed = false;
  smarm::run([&] {
    auto [a, from_a] = smarm::channel<std::unique_ptr<int>>();
    auto [b, from_b] = smarm::channel<large>();
    auto [c, from_c] = smarm::channel<over_aligned>();
    (void)send_after(1us, a, std::make_unique<int>(1));
    (void)send_after(1us, b, {.value = 2, .rest = {}});
    (void)send_after(1us, c, over_aligned(4));
    sum = *from_a.recv().value() + from_b.recv().value().value;
    const auto last = from_c.recv();
    sum += last->value;
    placed = last->placed;
    (void)cancel(send_after(1h, c, over_aligned(4)));
  });
  BOOST_TEST(sum == 7);
  BOOST_TEST(placed);
}

BOOST_AUTO_TEST_CASE(whatever_can_be_tried_to_send_to_will_do_and_is_asked_at_the_fire) {
  std::vector<int> got;
  const auto reports = reports_of([&] {
    for (const errc missing : {errc{}, errc::closed, errc::no_process, errc::unresolved,
                               errc::no_channel, errc::no_member}) {
      (void)send_after(1us, other_destination{&got, missing}, 7);
    }
    got.push_back(0);
    until_all_fired();
  });
  CHECK_LIST(got, {0, 7, 7, 7, 7, 7, 7});
  BOOST_TEST(reports.empty()); // that nobody is there is no news
}

// ---- cancelling

BOOST_AUTO_TEST_CASE(cancel_is_true_once_and_the_message_never_comes) {
  std::vector<int> results;
  errc after{};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const timer_id id = send_after(1ms, tx, 1);
    const timer_id copy = id;
    results = {id.pending(), cancel(copy), cancel(id), cancel(copy), id.pending()};
    (void)send_after(2ms, tx, 2); // comes after the first one would have
    results.push_back(rx.recv().value() == 2);
    after = error_of(rx.try_recv());
  });
  CHECK_LIST(results, {true, true, false, false, false, true});
  BOOST_TEST((after == errc::empty));
}

BOOST_AUTO_TEST_CASE(cancel_frees_the_message_and_lets_go_of_the_channel_at_once) {
  long count = 0;
  errc after{};
  std::size_t armed = 1;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<std::shared_ptr<int>>();
    auto shared = std::make_shared<int>(1);
    const timer_id id = send_after(1h, tx, shared);
    tx = {}; // the timer's is the only sender now
    (void)cancel(id);
    count = shared.use_count();
    after = error_of(rx.recv());
    armed = this_runtime().stats().armed_timers;
  });
  BOOST_TEST(count == 1);
  BOOST_TEST((after == errc::closed));
  BOOST_TEST(armed == 0u);
}

BOOST_AUTO_TEST_CASE(a_pending_timer_keeps_its_channel_open) {
  int got = 0;
  errc after{};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)send_after(1ms, std::exchange(tx, {}), 3);
    got = rx.recv().value();
    after = error_of(rx.recv());
  });
  BOOST_TEST(got == 3);
  BOOST_TEST((after == errc::closed));
}

BOOST_AUTO_TEST_CASE(cancel_after_the_fire_is_false) {
  bool cancelled = true;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const timer_id id = send_after(1us, tx, 1);
    (void)rx.recv();
    cancelled = cancel(id);
  });
  BOOST_TEST(!cancelled);
}

BOOST_AUTO_TEST_CASE(an_id_of_no_timer_cancels_nothing) {
  std::vector<int> results;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    timer_id none;
    timer_id id = send_after(1h, tx, 1);
    results = {cancel(none), none.pending(), id == none};
    none = std::move(id);
    results.push_back(cancel(id));
    results.push_back(id == timer_id());
    results.push_back(cancel(none));
  });
  CHECK_LIST(results, {false, false, false, false, true, true});
}

BOOST_AUTO_TEST_CASE(many_threads_cancel_and_one_is_told_that_it_did) {
  constexpr int timers = 300;
  constexpr int threads = 3;
  std::atomic<int> cancelled{0};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<counted>();
    std::vector<timer_id> ids;
    for (int i = 0; i < timers; ++i) {
      ids.push_back(send_after(1h, tx, counted(i)));
    }
    std::atomic<int> ready{0};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&] {
        ++ready;
        wait_until([&] { return ready == threads; });
        for (const timer_id& id : ids) {
          cancelled += cancel(id);
        }
      });
    }
    for (std::thread& t : all) {
      t.join();
    }
  });
  BOOST_TEST(cancelled == timers);
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(each_message_is_delivered_or_cancelled_and_destroyed_once) {
  constexpr int timers = SMARM_TSAN ? 3000 : 20000;
  counted::ends = 0;
  std::vector<std::atomic<int>> delivered(timers);
  std::vector<std::atomic<int>> cancelled(timers);
  std::vector<timer_id> ids(timers);
  smarm::runtime rt(quiet(3));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<counted>();
    std::atomic<int> armed{0};
    std::vector<std::thread> cancelling;
    for (int t = 0; t < 2; ++t) {
      cancelling.emplace_back([&, t] {
        for (int i = 0; i < timers; ++i) {
          wait_until([&] { return armed > i; });
          if ((i + t) % 3 != 0) { // some by both, some by one, so that some are left to fire
            cancelled[static_cast<std::size_t>(i)] += cancel(ids[static_cast<std::size_t>(i)]);
          }
        }
      });
    }
    auto arming = smarm::spawn([&, tx = std::move(tx)] {
      for (int i = 0; i < timers; ++i) {
        ids[static_cast<std::size_t>(i)] =
            send_after(std::chrono::nanoseconds(i * 7919 % 30'000), tx, counted(i));
        armed = i + 1;
        if (i % 16 == 0) {
          smarm::this_actor::yield();
        }
      }
    });
    while (auto message = rx.recv()) {
      ++delivered[static_cast<std::size_t>(message->value)];
    }
    (void)arming.join();
    for (std::thread& t : cancelling) {
      t.join();
    }
  });
  int wrong = 0;
  for (std::size_t i = 0; i < timers; ++i) {
    wrong += delivered[i] + cancelled[i] != 1;
  }
  BOOST_TEST(wrong == 0);
  BOOST_TEST(counted::alive == 0);
  BOOST_TEST(counted::ends == timers);
}

// ---- the end of a run

BOOST_AUTO_TEST_CASE(a_pending_timer_neither_keeps_a_runtime_nor_outlives_its_run) {
  counted::ends = 0;
  std::vector<int> results;
  timer_id id;
  smarm::runtime rt(quiet(2));
  for (int run = 0; run < 2; ++run) { // the second time as well
    int got = 0;
    auto [tx, rx] = smarm::channel<counted>();
    rt.run([&] {
      id = send_after(1h, tx, counted(1));
      (void)send_after(1us, tx, counted(2));
      got = rx.recv().value().value;
    });
    results.push_back(got == 2);
    results.push_back(counted::ends == 2 * (run + 1));
    results.push_back(id.pending());
    results.push_back(cancel(id));
  }
  CHECK_LIST(results, {true, true, false, false, true, true, false, false});
  BOOST_TEST(counted::alive == 0);
  BOOST_TEST(rt.stats().armed_timers == 0u);
}

BOOST_AUTO_TEST_CASE(an_id_outlives_its_runtime) {
  timer_id id;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    id = send_after(1h, tx, 1);
  });
  const timer_id copy = id;
  BOOST_TEST(!cancel(copy));
  BOOST_TEST(!id.pending());
}

BOOST_AUTO_TEST_CASE(cancel_may_come_while_the_runtime_ends) {
  constexpr int rounds = 200;
  constexpr int timers = 40;
  counted::ends = 0;
  int total = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<timer_id> ids(timers);
    std::atomic<bool> armed{false};
    std::atomic<int> cancelled{0};
    std::thread other([&] {
      wait_until([&] { return armed.load(); });
      for (const timer_id& id : ids) {
        cancelled += cancel(id);
      }
    });
    {
      smarm::runtime rt(quiet(2));
      rt.run([&] {
        auto [tx, rx] = smarm::channel<counted>();
        for (int i = 0; i < timers; ++i) {
          ids[static_cast<std::size_t>(i)] =
              send_after(i % 2 == 0 ? 1h : std::chrono::nanoseconds(1us), tx, counted(i));
        }
        armed = true;
      });
    }
    other.join();
    total += cancelled <= timers;
  }
  BOOST_TEST(total == rounds);
  BOOST_TEST(counted::alive == 0);
  BOOST_TEST(counted::ends == rounds * timers);
}

BOOST_AUTO_TEST_CASE(at_the_end_of_a_run_a_message_may_arm_and_spawn_but_it_comes_to_nothing) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  for (int run = 0; run < 2; ++run) {
    auto [tx, rx] = smarm::channel<at_end>();
    rt.run([&] {
      (void)send_after(1h, tx, at_end([&] {
                         const timer_id late =
                             send_after(1h, tx, at_end([&] { seen.note("destroyed"); }));
                         seen.note(late.pending() ? "armed" : "not armed");
                         const auto child = smarm::try_spawn([&] { seen.note("ran"); });
                         seen.note(error_of(child) == errc::runtime_down ? "down" : "up");
                       }));
    });
  }
  CHECK_LIST(seen.all(), {"destroyed", "not armed", "down", "destroyed", "not armed", "down"});
  BOOST_TEST(rt.stats().armed_timers == 0u);
}

BOOST_AUTO_TEST_CASE(what_a_message_spawns_as_a_run_ends_runs_in_it_or_is_refused) {
  constexpr int rounds = SMARM_TSAN ? 100 : 500;
  int wrong = 0;
  smarm::runtime rt(quiet(3));
  for (int round = 0; round < rounds; ++round) {
    std::atomic<int> tried{0};
    std::atomic<int> refused{0};
    std::atomic<int> ran{0};
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    rt.start();
    for (int i = 0; i < 4; ++i) {
      (void)rt.handle().send_after(std::chrono::nanoseconds(i * 3000 + round * 41 % 5000), tx,
                                   at_end([&] {
                                     ++tried;
                                     refused += !smarm::try_spawn([&] { ++ran; }).has_value();
                                   }));
    }
    rt.wait(); // no actor keeps it
    wrong += tried != 4 || refused + ran != tried;
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(timers_of_two_runtimes_are_cancelled_from_each_other) {
  std::atomic<int> cancelled{0};
  std::atomic<int> armed{0};
  timer_id ids[2];
  std::vector<std::thread> runtimes;
  for (int r = 0; r < 2; ++r) {
    runtimes.emplace_back([&, r] {
      smarm::run([&, r] {
        auto [tx, rx] = smarm::channel<counted>();
        ids[r] = send_after(1h, std::exchange(tx, {}), counted(r));
        ++armed;
        until([&] { return armed == 2; });
        cancelled += cancel(ids[1 - r]);
        (void)rx.recv(); // until the other one has cancelled ours
      });
    });
  }
  for (std::thread& t : runtimes) {
    t.join();
  }
  BOOST_TEST(cancelled == 2);
  BOOST_TEST(counted::alive == 0);
}

// ---- from outside

BOOST_AUTO_TEST_CASE(a_plain_thread_is_told_of_the_handle) {
  auto [tx, rx] = smarm::channel<int>();
  std::string text;
  boost::system::error_code code;
  try {
    (void)send_after(1ms, tx, 1);
  } catch (const boost::system::system_error& e) {
    code = e.code();
    text = e.what();
  }
  BOOST_TEST((code == errc::not_in_actor));
  BOOST_TEST(text.find("runtime_handle::send_after") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_plain_thread_arms_through_the_handle_in_order) {
  std::vector<int> got;
  bool cancelled = false;
  smarm::runtime rt(quiet(2));
  rt.start();
  auto [tx, rx] = smarm::channel<int>();
  const auto base = steady_clock::now() + 1ms;
  for (int i = 0; i < 5; ++i) {
    (void)rt.handle().send_at(base, tx, i);
  }
  const auto id = rt.handle().send_after(1h, std::exchange(tx, {}), 99);
  for (int i = 0; i < 5; ++i) {
    got.push_back(rx.recv().value());
  }
  cancelled = cancel(id.value());
  const errc after = error_of(rx.recv());
  rt.wait();
  CHECK_LIST(got, {0, 1, 2, 3, 4});
  BOOST_TEST(cancelled);
  BOOST_TEST((after == errc::closed));
}

BOOST_AUTO_TEST_CASE(an_actor_may_use_the_handle_of_its_own_runtime_and_of_another) {
  int sum = 0;
  smarm::runtime other(quiet(1));
  other.start();
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)rt.handle().send_after(1us, tx, 1);
    (void)other.handle().send_after(1us, tx, 2);
    sum = rx.recv().value() + rx.recv().value();
  });
  other.wait();
  BOOST_TEST(sum == 3);
}

BOOST_AUTO_TEST_CASE(a_runtime_that_does_not_run_refuses_and_the_message_is_destroyed) {
  counted::ends = 0;
  auto [tx, rx] = smarm::channel<counted>();
  std::vector<errc> errors;
  smarm::runtime_handle handle;
  errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
  {
    smarm::runtime rt(quiet(1));
    handle = rt.handle();
    errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
    rt.run([] {});
    errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
  }
  errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
  for (const errc e : errors) {
    BOOST_TEST((e == errc::runtime_down));
  }
  BOOST_TEST(errors.size() == 4u);
  BOOST_TEST(counted::ends == 4);
  BOOST_TEST(counted::alive == 0);
}

// ---- what goes wrong at the fire

BOOST_AUTO_TEST_CASE(a_receiver_that_is_gone_is_no_news_and_the_message_is_destroyed) {
  counted::ends = 0;
  bool cancelled = true;
  const auto reports = reports_of([&] {
    auto [tx, rx] = smarm::channel<counted>();
    const timer_id id = send_after(1us, tx, counted(1));
    rx = {};
    until_all_fired();
    cancelled = cancel(id);
  });
  BOOST_TEST(reports.empty());
  BOOST_TEST(!cancelled);
  BOOST_TEST(counted::ends == 1);
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_full_channel_drops_the_message_counts_it_and_it_is_reported) {
  std::uint64_t refused = 0;
  std::uint64_t dropped = 0;
  std::vector<int> got;
  const auto reports = reports_of([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 1, .when_full = smarm::overflow::block});
    (void)tx.send(1);
    (void)send_after(1us, tx, 2);
    auto [newest, rest] =
        smarm::channel<int>({.capacity = 1, .when_full = smarm::overflow::drop_newest});
    (void)newest.send(1);
    (void)send_after(1us, newest, 2); // as its channel's owner wants it
    until_all_fired();
    refused = tx.overflows().refused;
    dropped = newest.overflows().dropped_newest;
    while (auto message = rx.try_recv()) {
      got.push_back(*message);
    }
  });
  BOOST_TEST(refused == 1u);
  BOOST_TEST(dropped == 1u);
  CHECK_LIST(got, {1});
  BOOST_REQUIRE(reports.size() == 1u);
  BOOST_TEST((reports.front().kind == smarm::report_kind::callback_failed));
  BOOST_TEST(reports.front().text.find("Raise the bound") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_move_that_throws_at_the_fire_is_reported_and_nothing_leaks) {
  reluctant::moves_until_throw = -1;
  errc after{};
  const auto reports = reports_of([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    (void)send_after(1us, tx, reluctant(1));
    reluctant::moves_until_throw = 0;
    until_all_fired();
    after = error_of(rx.try_recv());
  });
  BOOST_REQUIRE(reports.size() == 1u);
  BOOST_TEST((reports.front().kind == smarm::report_kind::callback_failed));
  BOOST_TEST(reports.front().text.find("cannot be moved") != std::string::npos);
  BOOST_TEST((after == errc::empty));
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_move_that_throws_while_arming_arms_nothing) {
  bool threw = false;
  std::size_t armed = 1;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    reluctant value(1);
    reluctant::moves_until_throw = 1; // into the argument, but no further
    threw = thrown([&] { (void)send_after(1h, tx, std::move(value)); });
    reluctant::moves_until_throw = -1;
    armed = this_runtime().stats().armed_timers;
  });
  BOOST_TEST(threw);
  BOOST_TEST(armed == 0u);
  BOOST_TEST(reluctant::alive == 0);
}

// ---- scheduler context

BOOST_AUTO_TEST_CASE(what_a_message_does_as_it_is_destroyed_works_unless_it_would_wait) {
  recorder seen;
  const auto act = [&seen](smarm::sender<int> tx, smarm::receiver<int>& empty,
                           const timer_id& other) {
    seen.note(smarm::this_actor::is_actor() ? "actor" : "no actor");
    seen.note(error_of(empty.recv()) == errc::would_block_scheduler ? "would block" : "waits");
    const auto yield = refusal([] { smarm::this_actor::yield(); });
    seen.note(yield == errc::would_block_scheduler ? "no yield" : "yields");
    const auto self = refusal([] { (void)smarm::this_actor::self(); });
    seen.note(self == errc::not_in_actor ? "nobody" : "somebody");
    seen.note(cancel(other) ? "cancelled" : "missed");
    (void)tx.send(1);
    (void)send_after(1us, tx, 2);
    (void)smarm::spawn([tx] { (void)tx.send(4); });
  };
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto [never, empty] = smarm::channel<int>();
    auto [gone, dropped] = smarm::channel<at_end>();
    const timer_id other = send_after(1h, tx, 100);
    (void)send_after(1us, gone, at_end([&, tx = tx] { act(tx, empty, other); }));
    dropped = {};
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
      sum += rx.recv().value();
    }
    seen.note(std::to_string(sum));
  });
  CHECK_LIST(seen.all(), {"no actor", "would block", "no yield", "nobody", "cancelled", "7"});
}

BOOST_AUTO_TEST_CASE(a_message_that_is_cancelled_is_destroyed_by_the_caller_who_may_wait_in_it) {
  recorder seen;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    auto [to_it, from_us] = smarm::channel<int>();
    timer_id inner = send_after(1h, tx, at_end([&] { seen.note("inner"); }));
    const timer_id outer = send_after(1h, tx, at_end([&, inner] {
                                        smarm::this_actor::yield();
                                        seen.note("got " + std::to_string(from_us.recv().value()));
                                        (void)cancel(inner);
                                      }));
    (void)send_after(1us, to_it, 5);
    seen.note(cancel(outer) ? "cancelled" : "missed");
  });
  CHECK_LIST(seen.all(), {"got 5", "inner", "cancelled"});
}

BOOST_AUTO_TEST_CASE(a_message_may_hold_the_id_of_its_own_timer) {
  bool cancelled = false;
  int destroyed = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    auto own = std::make_shared<timer_id>();
    *own = send_after(1h, tx, at_end([&, own] { destroyed += 1 + 10 * cancel(*own); }));
    auto* const place = own.get();
    own.reset(); // only the message holds it now
    cancelled = cancel(*place);
  });
  BOOST_TEST(cancelled);
  BOOST_TEST(destroyed == 1);
}

BOOST_AUTO_TEST_CASE(exceptions_of_an_actor_that_yields_and_of_a_callback_do_not_meet) {
  recorder seen;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    try {
      throw std::runtime_error("the actor's");
    } catch (const std::runtime_error&) {
      (void)send_after(1us, tx, at_end([&] {
                         seen.note(std::current_exception() == nullptr ? "clean" : "dirty");
                         seen.note(std::to_string(std::uncaught_exceptions()));
                         try {
                           throw std::logic_error("the callback's");
                         } catch (const std::logic_error& e) {
                           seen.note(e.what());
                         }
                       }));
      until_all_fired();
      try {
        throw;
      } catch (const std::runtime_error& e) {
        seen.note(e.what());
      }
    }
  });
  CHECK_LIST(seen.all(), {"clean", "0", "the callback's", "the actor's"});
}

BOOST_AUTO_TEST_CASE(a_stopped_actor_is_not_stopped_inside_a_callback) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    auto victim = smarm::spawn([&] {
      (void)send_after(0us, tx, at_end([&] {
                         auto [never, empty] = smarm::channel<int>();
                         seen.note(error_of(empty.recv()) == errc::would_block_scheduler
                                       ? "not raised"
                                       : "raised");
                       }));
      (void)smarm::request_stop(smarm::this_actor::self());
      const smarm::disable_stop until_fired;
      until_all_fired();
    });
    (void)victim.join();
  });
  CHECK_LIST(seen.all(), {"not raised"});
}

BOOST_AUTO_TEST_CASE(a_callback_may_arm_what_is_due_at_once_without_end) {
  int left = 1000;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    std::function<void()> again = [&] {
      if (--left > 0) {
        (void)send_after(0s, tx, at_end(again));
      }
    };
    (void)send_after(0s, tx, at_end(again));
    until([&] { return left == 0; });
  });
  BOOST_TEST(left == 0);
}

BOOST_AUTO_TEST_SUITE_END()

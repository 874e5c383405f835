// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Pools of workers: who is served by whom and when, what becomes of a worker and of its request when the
// one, the caller, or the pool ends.

#define BOOST_TEST_MODULE worker_pool
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/worker_pool.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
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

namespace {

class porter : public smarm::gen_server<porter> {
public:
  struct echo {
    int value;
  };
  struct who {};
  struct hold {
    smarm::receiver<int> gate;
  }; // until somebody sends, or the gate is gone
  struct note {
    std::string what;
  };
  struct fail {};
  struct carry {
    std::unique_ptr<int> load;
  };
  struct later {
    int value;
  };

  explicit porter(recorder& to) : to_(to) {}

  int handle_call(echo m) const { return m.value; }
  smarm::pid handle_call(who) const { return smarm::this_actor::self(); }
  int handle_call(hold m) {
    to_.note("holds");
    const auto got = m.gate.recv();
    return got ? *got : -1;
  }
  int handle_call(fail) { throw std::runtime_error("told to"); }
  int handle_call(carry m) { return *m.load; }
  void handle_call(later m, smarm::reply_to<int> r) { r.reply(m.value); }
  void handle_cast(note m) { to_.note(std::move(m.what)); }
  void handle_cast(fail) { throw std::runtime_error("told to"); }
  void handle_cast(hold m) { (void)handle_call(std::move(m)); }

private:
  recorder& to_;
};

class cripple : public smarm::gen_server<cripple> {
public:
  struct echo {};
  int handle_call(echo) const { return 0; }
  void init() { throw std::runtime_error("cannot"); }
};

using pool_type = smarm::worker_pool<porter>;

smarm::worker_pool_options of(std::size_t size) {
  return {.size = size, .intensity = 1'000'000, .period = 1s};
}

smarm::worker_pool_statistics look(const pool_type& pool) { return pool.statistics().value(); }

// A call that keeps a worker busy until the sender sends or goes.
struct held {
  smarm::sender<int> gate;
  smarm::pending_reply<int> answer;
};
held hold_one(const pool_type& pool, recorder& to) {
  const std::size_t before = to.count("holds");
  auto [gate, wait] = smarm::channel<int>();
  auto answer = pool.send_request(porter::hold{std::move(wait)}).value();
  until([&] { return to.count("holds") > before; });
  return {std::move(gate), std::move(answer)};
}

void with_pool(const smarm::worker_pool_options& options,
               const std::function<void(const pool_type&, recorder&)>& body,
               unsigned schedulers = 1) {
  recorder to;
  smarm::runtime(quiet(schedulers)).run([&] {
    const pool_type pool(options, std::ref(to));
    const auto running = pool.start().value();
    body(pool, to);
    (void)running.shutdown(10min).value();
  });
}

std::string refusal(const smarm::worker_pool_options& options) {
  recorder to;
  try {
    const pool_type pool(options, std::ref(to));
  } catch (const boost::system::system_error& e) {
    return e.code() == make_error_code(errc::invalid_config) ? e.what() : "another error";
  }
  return "none";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_call_is_answered_by_some_worker) {
  int at_once = 0, later = 0, pending = 0;
  smarm::worker_pool_statistics seen;
  with_pool(of(3), [&](const pool_type& pool, recorder&) {
    at_once = pool.call(porter::echo{5}).value();
    later = pool.call(porter::later{6}, 10min).value();
    pending = pool.send_request(porter::echo{7}).value().recv().value();
    until([&] { return look(pool).idle == 3; });
    seen = look(pool);
  });
  BOOST_TEST(at_once == 5);
  BOOST_TEST(later == 6);
  BOOST_TEST(pending == 7);
  BOOST_TEST(seen.workers == 3U);
  BOOST_TEST(seen.served == 3U);
  BOOST_TEST(seen.died == 0U);
}

BOOST_AUTO_TEST_CASE(so_many_requests_are_handled_at_once_as_there_are_workers) {
  std::size_t idle = 9, waiting = 0;
  int last = 0;
  with_pool(of(2), [&](const pool_type& pool, recorder& to) {
    auto a = hold_one(pool, to), b = hold_one(pool, to);
    auto c = pool.send_request(porter::echo{3}).value();
    until([&] { return look(pool).waiting == 1; });
    idle = look(pool).idle;
    waiting = look(pool).waiting;
    (void)b.gate.send(1);
    last = c.recv().value();
    (void)a.gate.send(1);
  });
  BOOST_TEST(idle == 0U);
  BOOST_TEST(waiting == 1U);
  BOOST_TEST(last == 3);
}

BOOST_AUTO_TEST_CASE(who_has_waited_longest_is_served_first_whatever_it_wants) {
  strings order;
  with_pool(of(1), [&](const pool_type& pool, recorder& to) {
    auto busy = hold_one(pool, to);
    (void)pool.cast(porter::note{"first"}).value();
    auto lease = smarm::spawn([&] {
      auto worker = pool.check_out().value();
      to.note("second");
    });
    until([&] { return look(pool).waiting == 2; });
    (void)pool.cast(porter::note{"third"}).value();
    auto call = smarm::spawn([&] { (void)pool.call(porter::echo{1}); });
    until([&] { return look(pool).waiting == 4; });
    (void)pool.cast(porter::note{"fifth"}).value();
    (void)busy.gate.send(1);
    lease.join();
    call.join();
    until([&] { return look(pool).idle == 1; });
    order = to.all();
  });
  CHECK_LIST(order, {"holds", "first", "second", "third", "fifth"});
}

BOOST_AUTO_TEST_CASE(a_caller_whose_time_is_up_is_passed_over) {
  errc waited{}, leased{};
  smarm::worker_pool_statistics seen;
  with_pool(of(1), [&](const pool_type& pool, recorder& to) {
    auto busy = hold_one(pool, to);
    waited = error_of(pool.call(porter::echo{1}, 1ms));
    leased = error_of(pool.check_out(1ms));
    auto last = pool.send_request(porter::echo{2}).value();
    (void)busy.gate.send(1);
    (void)last.recv().value();
    seen = look(pool);
  });
  BOOST_TEST((waited == errc::timed_out));
  BOOST_TEST((leased == errc::timed_out));
  BOOST_TEST(seen.gave_up == 2U);
  BOOST_TEST(seen.served == 2U);
}

BOOST_AUTO_TEST_CASE(a_worker_is_busy_until_its_handler_returns_also_if_nobody_waits_for_it) {
  errc timed_out{};
  std::size_t idle_meanwhile = 9;
  int next = 0;
  with_pool(of(1), [&](const pool_type& pool, recorder&) {
    auto [gate, wait] = smarm::channel<int>();
    timed_out = error_of(pool.call(porter::hold{std::move(wait)}, 1ms));
    idle_meanwhile = look(pool).idle;
    (void)gate.send(1);
    next = pool.call(porter::echo{4}).value();
  });
  BOOST_TEST((timed_out == errc::timed_out));
  BOOST_TEST(idle_meanwhile == 0U);
  BOOST_TEST(next == 4);
}

BOOST_AUTO_TEST_CASE(a_lease_is_one_worker_until_it_goes) {
  bool same = false;
  std::size_t idle_meanwhile = 9, idle_then = 0;
  with_pool(of(1), [&](const pool_type& pool, recorder&) {
    {
      const auto worker = pool.check_out(10min).value();
      same = worker->call(porter::who{}).value() == worker->id() &&
             (*worker).call(porter::who{}).value() == worker->id();
      idle_meanwhile = look(pool).idle;
    }
    idle_then = look(pool).idle;
  });
  BOOST_TEST(same);
  BOOST_TEST(idle_meanwhile == 0U);
  BOOST_TEST(idle_then == 1U);
}

BOOST_AUTO_TEST_CASE(a_lease_that_nobody_received_goes_back) {
  std::size_t idle = 0;
  smarm::worker_pool_statistics seen;
  with_pool(of(1), [&](const pool_type& pool, recorder& to) {
    auto busy = hold_one(pool, to);
    auto borrower = smarm::spawn([&] { (void)pool.check_out(); });
    until([&] { return look(pool).waiting == 1; });
    // The answer is on its way when the borrower is stopped.
    (void)busy.gate.send(1);
    (void)smarm::request_stop(borrower.id());
    borrower.join();
    (void)pool.call(porter::echo{1}).value();
    until([&] { return look(pool).idle == 1; });
    idle = look(pool).idle;
    seen = look(pool);
  });
  BOOST_TEST(idle == 1U);
  BOOST_TEST(seen.revoked == 0U);
  BOOST_TEST(seen.died == 0U);
}

BOOST_AUTO_TEST_CASE(a_borrower_that_fails_gives_its_worker_back) {
  bool same = false;
  smarm::worker_pool_statistics seen;
  with_pool(
      of(1),
      [&](const pool_type& pool, recorder&) {
        const smarm::pid before = pool.call(porter::who{}).value();
        for (int i = 0; i < 100; ++i) {
          smarm::spawn([&] {
            const auto worker = pool.check_out().value();
            throw std::runtime_error("told to");
          }).join();
        }
        same = pool.call(porter::who{}).value() == before;
        seen = look(pool);
      },
      2);
  BOOST_TEST(same);
  BOOST_TEST(seen.revoked == 0U);
}

BOOST_AUTO_TEST_CASE(when_a_borrower_has_ended_its_lease_is_void_whoever_has_it) {
  errc seen_by_holder{};
  bool another = false;
  smarm::worker_pool_statistics seen;
  with_pool(of(1), [&](const pool_type& pool, recorder&) {
    std::optional<smarm::worker_lease<porter>> kept;
    smarm::spawn([&] { kept.emplace(pool.check_out().value()); }).join();
    const smarm::pid before = (*kept)->id();
    const smarm::pid now = pool.call(porter::who{}).value(); // waits for the next one
    another = now != before;
    seen_by_holder = error_of((*kept)->call(porter::echo{1}));
    kept.reset();
    (void)pool.call(porter::echo{1}).value();
    until([&] { return look(pool).idle == 1; });
    seen = look(pool);
  });
  BOOST_TEST(another);
  BOOST_TEST((seen_by_holder == errc::server_down));
  BOOST_TEST(seen.revoked == 1U);
  BOOST_TEST(seen.workers == 1U);
}

BOOST_AUTO_TEST_CASE(a_worker_that_fails_in_a_call_is_replaced) {
  errc seen_by_caller{};
  bool another = false;
  smarm::worker_pool_statistics seen;
  with_pool(of(1), [&](const pool_type& pool, recorder&) {
    const smarm::pid before = pool.call(porter::who{}).value();
    seen_by_caller = error_of(pool.call(porter::fail{}));
    another = pool.call(porter::who{}).value() != before;
    (void)pool.cast(porter::fail{}).value();
    (void)pool.call(porter::echo{1}).value();
    until([&] { return look(pool).idle == 1; });
    seen = look(pool);
  });
  BOOST_TEST((seen_by_caller == errc::server_down));
  BOOST_TEST(another);
  BOOST_TEST(seen.died == 2U);
  BOOST_TEST(seen.workers == 1U);
}

BOOST_AUTO_TEST_CASE(a_worker_that_ends_while_it_is_lent_is_replaced) {
  errc seen_by_holder{}, afterwards{};
  smarm::worker_pool_statistics seen;
  with_pool(of(1), [&](const pool_type& pool, recorder&) {
    auto worker = pool.check_out().value();
    seen_by_holder = error_of(worker->call(porter::fail{}));
    afterwards = error_of(pool.call(porter::echo{1}, 10min));
    worker.give_back();
    (void)pool.call(porter::echo{1}, 10min).value();
    seen = look(pool);
  });
  BOOST_TEST((seen_by_holder == errc::server_down));
  BOOST_TEST((afterwards == errc{}));
  BOOST_TEST(seen.died == 1U);
  BOOST_TEST(seen.workers == 1U);
}

BOOST_AUTO_TEST_CASE(a_worker_that_is_no_good_is_discarded) {
  bool another = false, empty = false;
  with_pool(of(1), [&](const pool_type& pool, recorder&) {
    auto worker = pool.check_out().value();
    const smarm::pid before = worker->id();
    worker.discard();
    empty = !worker && error_of(worker->call(porter::echo{1})) == errc::server_down;
    another = pool.call(porter::who{}, 10min).value() != before;
  });
  BOOST_TEST(another);
  BOOST_TEST(empty);
}

BOOST_AUTO_TEST_CASE(more_may_not_wait_than_the_limit_says) {
  errc call{}, lease{};
  smarm::worker_pool_statistics seen;
  strings noted;
  auto options = of(1);
  options.max_waiting = 1;
  with_pool(options, [&](const pool_type& pool, recorder& to) {
    auto busy = hold_one(pool, to);
    auto waits = pool.send_request(porter::echo{1}).value();
    until([&] { return look(pool).waiting == 1; });
    call = error_of(pool.call(porter::echo{2}));
    lease = error_of(pool.check_out());
    (void)pool.cast(porter::note{"dropped"}).value();
    until([&] { return look(pool).refused == 3; });
    (void)busy.gate.send(1);
    (void)waits.recv().value();
    until([&] { return look(pool).idle == 1; });
    seen = look(pool);
    noted = to.all();
  });
  BOOST_TEST((call == errc::queue_full));
  BOOST_TEST((lease == errc::queue_full));
  BOOST_TEST(seen.refused == 3U);
  CHECK_LIST(noted, {"holds"});
}

BOOST_AUTO_TEST_CASE(who_has_given_up_takes_no_room_in_the_queue) {
  errc call{};
  auto options = of(1);
  options.max_waiting = 1;
  with_pool(options, [&](const pool_type& pool, recorder& to) {
    auto busy = hold_one(pool, to);
    (void)pool.call(porter::echo{1}, 1ms);
    auto waits = pool.send_request(porter::echo{2}).value();
    until([&] { return look(pool).waiting == 1 && look(pool).gave_up == 1; });
    (void)busy.gate.send(1);
    call = error_of(waits.recv());
  });
  BOOST_TEST((call == errc{}));
}

BOOST_AUTO_TEST_CASE(while_all_are_busy_more_are_started_up_to_the_limit_and_go_again) {
  smarm::worker_pool_statistics at_work, then;
  auto options = of(1);
  options.max_overflow = 2;
  options.overflow_linger = 0s;
  with_pool(options, [&](const pool_type& pool, recorder& to) {
    auto a = hold_one(pool, to), b = hold_one(pool, to), c = hold_one(pool, to);
    auto d = pool.send_request(porter::echo{1}).value();
    until([&] { return look(pool).waiting == 1; });
    at_work = look(pool);
    (void)c.gate.send(1);
    (void)d.recv().value();
    (void)b.gate.send(1);
    (void)a.gate.send(1);
    until([&] { return look(pool).workers == 1 && look(pool).idle == 1; });
    then = look(pool);
  });
  BOOST_TEST(at_work.workers == 3U);
  BOOST_TEST(at_work.overflow == 2U);
  BOOST_TEST(at_work.overflow_started == 2U);
  BOOST_TEST(then.overflow == 0U);
  BOOST_TEST(then.died == 0U);
}

BOOST_AUTO_TEST_CASE(overflow_lingers_and_those_that_stay_work_first) {
  bool first_is_permanent = false, second_is_not = false;
  smarm::worker_pool_statistics seen;
  auto options = of(1);
  options.max_overflow = 1;
  options.overflow_linger = 10min;
  with_pool(options, [&](const pool_type& pool, recorder& to) {
    const smarm::pid permanent = pool.call(porter::who{}).value();
    until([&] { return look(pool).idle == 1; });
    { auto a = hold_one(pool, to), b = hold_one(pool, to); }
    until([&] { return look(pool).idle == 2; });
    const auto first = pool.check_out().value(), second = pool.check_out().value();
    first_is_permanent = first->id() == permanent;
    second_is_not = second->id() != permanent;
    seen = look(pool);
  });
  BOOST_TEST(first_is_permanent);
  BOOST_TEST(second_is_not);
  BOOST_TEST(seen.overflow == 1U);
  BOOST_TEST(seen.overflow_started == 1U);
}

BOOST_AUTO_TEST_CASE(overflow_that_has_lingered_ends) {
  smarm::worker_pool_statistics seen;
  auto options = of(1);
  options.max_overflow = 1;
  options.overflow_linger = 1ms;
  with_pool(options, [&](const pool_type& pool, recorder& to) {
    { auto a = hold_one(pool, to), b = hold_one(pool, to); }
    until([&] { return look(pool).overflow == 0 && look(pool).idle == 1; });
    seen = look(pool);
  });
  BOOST_TEST(seen.workers == 1U);
  BOOST_TEST(seen.overflow_started == 1U);
  BOOST_TEST(seen.died == 0U);
}

BOOST_AUTO_TEST_CASE(a_pool_whose_workers_fail_too_often_gives_up) {
  smarm::exit_reason how;
  errc afterwards{};
  recorder to;
  smarm::runtime(quiet(1)).run([&] {
    auto options = of(1);
    options.intensity = 1;
    options.period = 10min;
    const pool_type pool(options, std::ref(to));
    const auto running = pool.start().value();
    auto end = smarm::monitor(running.id());
    (void)pool.call(porter::fail{});
    (void)pool.call(porter::fail{}, 10min);
    how = end.recv().value().reason;
    afterwards = error_of(pool.call(porter::echo{1}));
  });
  BOOST_TEST(how.kind() == smarm::exit_kind::shutdown);
  BOOST_TEST((afterwards == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_pool_whose_workers_cannot_start_does_not_start) {
  errc seen{}, call{};
  smarm::runtime(quiet(1)).run([&] {
    const smarm::worker_pool<cripple> pool({.size = 2});
    seen = error_of(pool.start());
    call = error_of(pool.call(cripple::echo{}));
  });
  BOOST_TEST((seen == errc::start_failed));
  BOOST_TEST((call == errc::server_down));
}

BOOST_AUTO_TEST_CASE(when_the_pool_ends_who_waits_is_told) {
  errc call{}, lease{}, held_one{};
  recorder to;
  smarm::runtime(quiet(1)).run([&] {
    const pool_type pool(of(1), std::ref(to));
    const auto running = pool.start().value();
    auto busy = hold_one(pool, to);
    auto waits = pool.send_request(porter::echo{1}).value();
    auto borrower = smarm::spawn([&] { lease = error_of(pool.check_out()); });
    until([&] { return look(pool).waiting == 2; });
    (void)running.shutdown(10min).value();
    call = error_of(waits.recv());
    held_one = error_of(busy.answer.recv());
    borrower.join();
  });
  BOOST_TEST((call == errc::server_down));
  BOOST_TEST((lease == errc::server_down));
  BOOST_TEST((held_one == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_lease_may_outlive_the_pool_and_the_runtime) {
  recorder to;
  smarm::worker_lease<porter> kept;
  {
    smarm::runtime rt(quiet(1));
    rt.start();
    const pool_type pool(of(1), std::ref(to));
    const auto running = pool.start(rt.handle()).value();
    kept = pool.check_out().value();
    BOOST_TEST((error_of(kept->call(porter::echo{1})) == errc{}));
    BOOST_TEST(rt.shutdown(10min).empty());
  }
  BOOST_TEST((error_of(kept->call(porter::echo{1})) == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_request_that_cannot_be_sent_stays_with_the_caller) {
  recorder to;
  const pool_type pool(of(1), std::ref(to));
  porter::carry request{std::make_unique<int>(7)};
  BOOST_TEST((error_of(pool.call(std::move(request))) == errc::server_down));
  BOOST_REQUIRE(request.load != nullptr);
  BOOST_TEST(*request.load == 7);
  BOOST_TEST((error_of(pool.cast(porter::note{"x"})) == errc::server_down));
  BOOST_TEST((error_of(pool.check_out()) == errc::server_down));
  BOOST_TEST((error_of(pool.statistics()) == errc::server_down));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_right_is_refused_in_a_sentence) {
  BOOST_TEST(refusal({.size = 65537}).find("size is 65537") != std::string::npos);
  BOOST_TEST(refusal({.max_overflow = 65537}).find("max_overflow") != std::string::npos);
  BOOST_TEST(refusal({.overflow_linger = -1ns}).find("overflow_linger") != std::string::npos);
  BOOST_TEST(refusal({.worker = {.grace = -1s}}).find("grace") != std::string::npos);
  BOOST_TEST(refusal({.period = 0s}).find("period") != std::string::npos);
}

// Whatever is killed when, every call ends, and in the end all workers are there and idle.
BOOST_AUTO_TEST_CASE(under_load_workers_and_borrowers_that_end_cost_no_worker) {
  constexpr int callers = 8, rounds = 150;
  std::atomic<int> answered{0}, down{0}, other{0};
  smarm::worker_pool_statistics seen;
  auto options = of(3);
  options.max_overflow = 2;
  options.overflow_linger = 0s;
  with_pool(
      options,
      [&](const pool_type& pool, recorder&) {
        std::vector<smarm::join_handle> all;
        for (int c = 0; c < callers; ++c) {
          all.push_back(smarm::spawn([&, c] {
            for (int i = 0; i < rounds; ++i) {
              errc end{};
              switch ((c + i) % 4) {
              case 0: end = error_of(pool.call(porter::echo{i})); break;
              case 1: end = error_of(pool.call(porter::fail{})); break;
              case 2:
                if (const auto worker = pool.check_out(); worker) {
                  end = error_of((*worker)->call(porter::echo{i}));
                } else {
                  end = error_of(worker);
                }
                break;
              default:
                smarm::spawn([&] {
                  auto worker = pool.check_out();
                  if (worker) {
                    (void)(*worker)->cast(porter::fail{});
                  }
                  throw std::runtime_error("told to");
                }).join();
              }
              ++(end == errc{} ? answered : end == errc::server_down ? down : other);
            }
          }));
        }
        for (auto& one : all) {
          one.join();
        }
        until([&] { return look(pool).idle == 3 && look(pool).workers == 3; });
        seen = look(pool);
      },
      2);
  BOOST_TEST(answered + down == callers * rounds);
  BOOST_TEST(other == 0);
  BOOST_TEST(answered > 0);
  BOOST_TEST(seen.revoked == 0U);
  BOOST_TEST(seen.waiting == 0U);
}

BOOST_AUTO_TEST_CASE(threads_call_it_too) {
  constexpr int callers = 3, rounds = 300;
  recorder to;
  std::atomic<int> right{0};
  smarm::runtime rt(quiet(2));
  rt.start();
  const pool_type pool(of(2), std::ref(to));
  const auto running = pool.start(rt.handle()).value();
  std::vector<std::thread> threads;
  for (int t = 0; t < callers; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        if (i % 3 == 0) {
          const auto worker = pool.check_out().value();
          right += worker->call(porter::echo{i}).value() == i;
        } else {
          right += pool.call(porter::echo{i}, 10min).value() == i;
        }
      }
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  BOOST_TEST(right == callers * rounds);
  BOOST_TEST(rt.shutdown(10min).empty());
}

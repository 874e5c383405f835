// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The right to answer goes where it likes: beyond the handler, the server, the runtime; and the other
// end of it, too. One answer comes, or server_down, and nothing is left of either.

#define BOOST_TEST_MODULE server_reply_to
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

struct counted {
  counted(int v = 0) : value(v) { ++alive; }
  counted(const counted& other) : value(other.value) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
  int value;
  static inline std::atomic<int> alive{0};
};

using answer = smarm::reply_to<counted>;

// Hands the right to answer to whoever runs the test.
class giver : public smarm::gen_server<giver> {
public:
  struct ask {
    counted c;
  };
  struct leave {};
  explicit giver(std::vector<answer>& to) : to_(to) {}
  void handle_call(const ask&, answer r) { to_.push_back(std::move(r)); }
  void handle_call(leave) { stop(); }

private:
  std::vector<answer>& to_;
};

// A server, and a call to it that is not answered yet.
template <class Body>
void with_a_call(Body body) {
  std::vector<answer> given;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto s = smarm::start_server<giver>(std::ref(given)).value();
    auto pending = s.send_request(giver::ask{}).value();
    until([&] { return !given.empty(); });
    body(s, std::move(given.front()), pending);
    given.clear();
  });
}

using ref = smarm::server_ref<giver>;
using pending = smarm::pending_reply<counted>;

} // namespace

BOOST_AUTO_TEST_SUITE(server_reply_to, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(it_answers_when_its_server_has_ended) {
  int got = 0;
  with_a_call([&](ref& s, answer r, pending& p) {
    (void)s.shutdown(smarm::exit_kind::shutdown, 1h);
    r.reply(7);
    got = p.recv().value().value;
  });
  BOOST_TEST(got == 7);
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(another_actor_may_answer_or_drop_it) {
  std::vector<int> got;
  with_a_call([&](ref&, answer r, pending& p) {
    auto other = smarm::spawn([r = std::move(r)]() mutable { r.reply(8); });
    got.push_back(p.recv().value().value);
    (void)other.join();
  });
  with_a_call([&](ref&, answer r, pending& p) {
    auto other = smarm::spawn([r = std::move(r)]() mutable { smarm::this_actor::sleep_for(24h); });
    smarm::this_actor::yield();
    (void)smarm::request_stop(other.id());
    got.push_back(error_of(p.recv()) == errc::server_down);
    (void)other.join();
  });
  CHECK_LIST(got, {8, 1});
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_plain_thread_may_answer_or_drop_it) {
  std::vector<int> got;
  for (const bool answers : {true, false}) {
    with_a_call([&](ref&, answer r, pending& p) {
      std::thread other([&, r = std::move(r)]() mutable {
        if (answers) {
          r.reply(9);
        } else {
          const answer gone = std::move(r);
        }
      });
      const auto a = p.recv();
      got.push_back(a ? a->value : error_of(a) == errc::server_down);
      other.join();
    });
  }
  CHECK_LIST(got, {9, 1});
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(both_ends_outlive_the_runtime) {
  std::vector<int> got;
  for (const bool answers : {true, false}) {
    std::optional<answer> kept;
    pending waits;
    with_a_call([&](ref&, answer r, pending& p) {
      kept.emplace(std::move(r));
      waits = std::move(p);
    });
    got.push_back(waits.ready());
    got.push_back(kept->abandoned());
    if (answers) {
      kept->reply(10);
    }
    kept.reset();
    const auto a = waits.recv(); // on the main thread
    got.push_back(a ? a->value : error_of(a) == errc::server_down);
  }
  CHECK_LIST(got, {0, 0, 10, 0, 0, 1});
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(either_end_may_go_first_when_the_runtime_has_gone) {
  for (const bool answer_first : {true, false}) {
    std::optional<answer> kept;
    std::optional<pending> waits;
    with_a_call([&](ref&, answer r, pending& p) {
      kept.emplace(std::move(r));
      waits.emplace(std::move(p));
    });
    if (answer_first) {
      kept->reply(1);
      kept.reset();
      waits.reset();
    } else {
      waits.reset();
      BOOST_TEST(kept->abandoned());
      kept->reply(1);
      kept.reset();
    }
    BOOST_TEST(counted::alive == 0);
  }
}

BOOST_AUTO_TEST_CASE(an_answer_to_nobody_is_destroyed_and_a_second_one_is_not_made) {
  std::vector<int> got;
  with_a_call([&](ref&, answer r, pending& p) {
    got.push_back(r.abandoned());
    { const pending gone = std::move(p); }
    got.push_back(r.abandoned());
    r.reply(1);
    got.push_back(counted::alive);
    r.reply(2);
    got.push_back(r.abandoned()); // used: nobody waits for it
    got.push_back(counted::alive);
  });
  with_a_call([&](ref&, answer r, pending& p) {
    r.reply(1);
    r.reply(2);
    answer other = std::move(r);
    other.reply(3);
    got.push_back(p.recv().value().value);
    got.push_back(error_of(p.recv()) == errc::closed);
  });
  CHECK_LIST(got, {0, 1, 0, 1, 0, 1, 1});
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(one_that_is_assigned_to_gives_up_the_call_that_it_had) {
  std::vector<int> got;
  std::vector<answer> given;
  smarm::run([&] {
    auto s = smarm::start_server<giver>(std::ref(given)).value();
    auto a = s.send_request(giver::ask{}).value();
    auto b = s.send_request(giver::ask{}).value();
    until([&] { return given.size() == 2; });
    given[0] = std::move(given[1]);
    got.push_back(error_of(a.recv()) == errc::server_down);
    given[0].reply(2);
    got.push_back(b.recv().value().value);
    given.clear();
  });
  CHECK_LIST(got, {1, 2});
  BOOST_TEST(counted::alive == 0);
}

// Answers that come too late, one after another: none gets into a later call, none is left.
BOOST_AUTO_TEST_CASE(late_answers_do_not_leak) {
  int wrong = 0;
  int late = 0;
  int left = -1;
  std::vector<answer> given;
  smarm::run([&] {
    auto s = smarm::start_server<giver>(std::ref(given)).value();
    for (int i = 1; i <= 1000; ++i) {
      late += error_of(s.call(giver::ask{}, 0ns)) == errc::timed_out;
      auto timed_out = s.send_request(giver::ask{}).value();
      until([&] { return given.size() == 1; });
      late += error_of(timed_out.recv_for(0ns)) == errc::timed_out;
      { const auto gone = std::move(timed_out); }
      auto next = s.send_request(giver::ask{}).value();
      until([&] { return given.size() == 2; });
      given[0].reply(-1);
      given[1].reply(i);
      wrong += next.recv().value().value != i;
      given.clear();
    }
    left = counted::alive;
  });
  BOOST_TEST(late == 2000);
  BOOST_TEST(wrong == 0);
  BOOST_TEST(left == 0);
}

BOOST_AUTO_TEST_CASE(one_receiver_at_a_time_and_a_stop_leaves_the_answer) {
  std::vector<int> got;
  with_a_call([&](ref&, answer r, pending& p) {
    auto victim = smarm::spawn([&] { (void)p.recv(); });
    until([&] { return parked(victim.id()); });
    (void)smarm::request_stop(victim.id());
    got.push_back(victim.join().kind() == smarm::exit_kind::stopped);
    got.push_back(error_of(p.try_recv()) == errc::empty);
    r.reply(5);
    got.push_back(p.recv().value().value);
  });
  CHECK_LIST(got, {1, 1, 5});
}

// A plain thread that waits, an answer or none from an actor, and a deadline between them.
BOOST_AUTO_TEST_CASE(answers_and_deadlines_race_across_threads) {
  std::vector<answer> given;
  int answered = 0, late = 0, down = 0, wrong = 0;
  constexpr int rounds = 300;
  smarm::runtime rt(quiet(1)); // so that `given` needs no lock
  rt.run([&] {
    auto s = smarm::start_server<giver>(std::ref(given)).value();
    for (int i = 0; i < rounds; ++i) {
      auto p = s.send_request(giver::ask{}).value();
      until([&] { return !given.empty(); });
      std::thread waits([&, q = std::move(p)]() mutable {
        const auto a = q.recv_for(std::chrono::microseconds(i % 50));
        if (a) {
          ++answered;
          wrong += a->value != i;
        } else {
          ++(error_of(a) == errc::timed_out ? late : down);
        }
      });
      if (i % 3 != 0) {
        given.front().reply(i);
      }
      given.clear();
      waits.join();
    }
  });
  BOOST_TEST(answered + late + down == rounds);
  BOOST_TEST(wrong == 0);
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_SUITE_END()

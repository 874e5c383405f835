// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers: calls, casts, deferred and pending replies, deadlines, and refs.

#define BOOST_TEST_MODULE gen_server
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "servers.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

class counter : public smarm::gen_server<counter> {
public:
  struct add {
    long by;
  };
  struct get {};
  struct reset {};
  struct fail {};
  struct whole_name {};

  explicit counter(long from = 0) : total_(from) {}

  void handle_cast(add m) { total_ += m.by; }
  long handle_call(get) const { return total_; }
  void handle_call(reset) { total_ = 0; }
  long handle_call(fail) { throw std::runtime_error("told to"); }
  const std::string& handle_call(const whole_name&) const { return name_; }

private:
  long total_;
  std::string name_ = "a counter whose name is longer than any small buffer";
};

// Answers when it is told to.
class later : public smarm::gen_server<later> {
public:
  struct ask {
    int what;
  };
  struct answer_all {};
  struct drop_all {};
  struct forget {};
  struct how_many {};

  void handle_call(ask a, smarm::reply_to<int> r) { waiting_.emplace_back(a.what, std::move(r)); }
  void handle_call(const forget&, smarm::reply_to<std::string>) {}
  void handle_cast(answer_all) {
    for (auto& [what, r] : waiting_) {
      r.reply(what * 10);
    }
    waiting_.clear();
  }
  void handle_cast(drop_all) { waiting_.clear(); }
  std::size_t handle_call(how_many) const { return waiting_.size(); }

private:
  std::vector<std::pair<int, smarm::reply_to<int>>> waiting_;
};

// Waits as long as it is told to before it answers.
class slow : public smarm::gen_server<slow> {
public:
  struct work {
    std::chrono::milliseconds time;
  };
  struct handled {};
  int handle_call(work w) {
    ++handled_;
    if (w.time > 0ms) {
      smarm::this_actor::sleep_for(w.time);
    }
    return static_cast<int>(w.time.count());
  }
  int handle_call(handled) const { return handled_; }

private:
  int handled_ = 0;
};

} // namespace

BOOST_AUTO_TEST_SUITE(gen_server_suite, *boost::unit_test::timeout(120))

// ---- calls and casts

BOOST_AUTO_TEST_CASE(casts_are_handled_in_order_and_a_call_sees_the_casts_before_it) {
  long got = 0, after = 1;
  smarm::run([&] {
    auto c = smarm::start_server<counter>().value();
    (void)c.cast(counter::add{2});
    (void)c.cast(counter::add{40});
    got = c.call(counter::get{}).value();
    (void)c.call(counter::reset{}).value();
    after = c.call(counter::get{}, 10s).value();
  });
  BOOST_TEST(got == 42);
  BOOST_TEST(after == 0);
}

BOOST_AUTO_TEST_CASE(a_server_is_made_of_the_arguments_and_replies_are_values) {
  long got = 0;
  std::string name;
  smarm::run([&] {
    auto c = smarm::start_server<counter>(7).value();
    got = c.call(counter::get{}).value();
    name = c.call(counter::whole_name{}).value();
  });
  BOOST_TEST(got == 7);
  BOOST_TEST(name == "a counter whose name is longer than any small buffer");
}

BOOST_AUTO_TEST_CASE(a_call_after_the_server_has_gone_is_server_down) {
  errc in_flight{}, later_call{}, later_cast{}, with_limit{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto c = smarm::start_server<counter>().value();
    in_flight = error_of(c.call(counter::fail{}, 10s));
    later_call = error_of(c.call(counter::get{}));
    with_limit = error_of(c.call(counter::get{}, 10s));
    later_cast = error_of(c.cast(counter::add{1}));
  });
  BOOST_TEST((in_flight == errc::server_down));
  BOOST_TEST((later_call == errc::server_down));
  BOOST_TEST((with_limit == errc::server_down));
  BOOST_TEST((later_cast == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_server_that_calls_itself_is_told_so) {
  errc got{};
  struct selfish : smarm::gen_server<selfish> {
    struct go {};
    errc handle_call(go) { return error_of(self().call(go{}, 10s)); }
  };
  smarm::run([&] { got = smarm::start_server<selfish>().value().call(selfish::go{}).value(); });
  BOOST_TEST((got == errc::calling_self));
}

BOOST_AUTO_TEST_CASE(a_call_from_a_plain_thread_blocks_that_thread_only) {
  long got = 0;
  errc limited{};
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    auto c = smarm::start_server<counter>(5).value();
    auto s = smarm::start_server<slow>().value();
    std::atomic<bool> done{false};
    std::thread other([&, c, s] {
      got = c.call(counter::get{}).value();
      limited = error_of(s.call(slow::work{10s}, 1ms));
      done = true;
    });
    while (!done) {
      smarm::this_actor::sleep_for(1ms);
    }
    other.join();
  });
  BOOST_TEST(got == 5);
  BOOST_TEST((limited == errc::timed_out));
}

// ---- answers that come later

BOOST_AUTO_TEST_CASE(deferred_answers_reach_the_calls_that_they_belong_to) {
  std::vector<int> got;
  errc dropped{}, forgotten{};
  smarm::run([&] {
    auto s = smarm::start_server<later>().value();
    auto a = s.send_request(later::ask{1}).value();
    auto b = s.send_request(later::ask{2}).value();
    got.push_back(static_cast<int>(s.call(later::how_many{}).value()));
    got.push_back(a.ready() || b.ready());
    (void)s.cast(later::answer_all{});
    got.push_back(b.recv().value());
    got.push_back(static_cast<int>(smarm::select(a)));
    got.push_back(a.try_recv().value());
    got.push_back(error_of(a.recv()) == errc::closed);
    auto c = s.send_request(later::ask{3}).value();
    (void)s.cast(later::drop_all{});
    dropped = error_of(c.recv());
    forgotten = error_of(s.call(later::forget{}));
  });
  CHECK_LIST(got, {2, 0, 20, 0, 10, 1});
  BOOST_TEST((dropped == errc::server_down));
  BOOST_TEST((forgotten == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_pending_reply_that_is_let_go_harms_nobody) {
  std::vector<int> got;
  smarm::run([&] {
    auto s = smarm::start_server<later>().value();
    { auto a = s.send_request(later::ask{1}).value(); }
    auto b = s.send_request(later::ask{2}).value();
    got.push_back(error_of(b.recv_for(1ms)) == errc::timed_out);
    (void)s.cast(later::answer_all{});
    got.push_back(b.recv().value());
  });
  CHECK_LIST(got, {1, 20});
}

// ---- deadlines

BOOST_AUTO_TEST_CASE(a_call_ends_at_its_deadline_and_a_late_answer_leaks_into_no_other) {
  std::vector<int> got;
  smarm::run([&] {
    auto s = smarm::start_server<slow>().value();
    got.push_back(s.call(slow::work{0ms}, 10s).value());
    got.push_back(error_of(s.call(slow::work{50ms}, 5ms)) == errc::timed_out);
    got.push_back(s.call(slow::work{0ms}, 10s).value());
    got.push_back(s.call(slow::work{0ms}).value());
  });
  CHECK_LIST(got, {0, 1, 0, 0});
}

BOOST_AUTO_TEST_CASE(a_request_whose_deadline_has_passed_is_skipped_and_counted) {
  std::vector<int> got;
  smarm::run([&] {
    auto s = smarm::start_server<slow>().value();
    auto busy = s.send_request(slow::work{30ms}).value();
    auto expired = s.send_request(slow::work{0ms}, 1ms).value();
    got.push_back(error_of(s.call(slow::work{0ms}, 1ms)) == errc::timed_out);
    got.push_back(busy.recv().value());
    got.push_back(error_of(expired.recv()) == errc::expired);
    got.push_back(s.call(slow::handled{}).value());
    got.push_back(static_cast<int>(s.expired_requests()));
  });
  CHECK_LIST(got, {1, 30, 1, 1, 2});
}

// ---- refs

BOOST_AUTO_TEST_CASE(when_the_last_ref_goes_the_server_handles_what_is_queued_and_ends) {
  recorder seen;
  smarm::run([&] {
    auto c = smarm::start_server<logger>(std::ref(seen)).value();
    auto ended = smarm::monitor(c.id());
    auto another = c;
    auto [tx, rx] = smarm::channel<int>();
    (void)c.cast(logger::wait_for{std::move(rx)});
    c = {};
    another = {};
    (void)tx.send(1);
    seen.note(smarm::to_string(ended.recv().value().reason.kind()));
  });
  CHECK_LIST(seen.all(), {"waits", "terminate normal", "destroyed", "normal"});
}

BOOST_AUTO_TEST_CASE(shutdown_ends_a_server_that_waits_in_a_handler) {
  recorder seen;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto c = smarm::start_server<logger>(std::ref(seen)).value();
    (void)c.cast(logger::wait_for{std::move(rx)});
    smarm::this_actor::yield();
    seen.note(c.shutdown(smarm::exit_kind::shutdown, 10s) ? "down" : "not down");
    seen.note(c.shutdown(smarm::exit_kind::shutdown, 10s) ? "down" : "not down");
  });
  CHECK_LIST(seen.all(), {"waits", "terminate shutdown", "destroyed", "down", "down"});
}

// ---- stacks

BOOST_AUTO_TEST_CASE(an_idle_server_holds_no_stack) {
  std::size_t with = 0, stackless = 0;
  smarm::run([&] {
    std::vector<smarm::server_ref<counter>> all;
    for (int i = 0; i < 1000; ++i) {
      all.push_back(smarm::start_server<counter>().value());
      (void)all.back().call(counter::get{}).value();
    }
    for (const auto& one : all) {
      const smarm::detail::slot* s = this_runtime().slots.find(one.id().index());
      ++(s->stack.load() == nullptr ? stackless : with);
    }
  });
  BOOST_TEST(stackless == 1000u);
  BOOST_TEST(with == 0u);
}

BOOST_AUTO_TEST_CASE(a_server_with_a_stack_of_its_own_size_waits_on_it) {
  long got = 0;
  smarm::run([&] {
    auto c = smarm::start_server<counter>({.stack_size = 1 << 20}).value();
    for (int i = 0; i < 3; ++i) {
      (void)c.cast(counter::add{1});
      got += c.call(counter::get{}).value();
    }
  });
  BOOST_TEST(got == 6);
}

BOOST_AUTO_TEST_SUITE_END()

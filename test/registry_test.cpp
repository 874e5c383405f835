// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Names, typed pids, and sending to either: who is reached, who is not, and what becomes of the message.

#define BOOST_TEST_MODULE registry
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/monitor.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send.hpp>
#include <smarm/send_after.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
namespace this_actor = smarm::this_actor;

namespace {

constexpr smarm::name<int> svc("svc");
constexpr smarm::name<std::string> svc_text("svc");

smarm::config quiet_config() {
  return {.schedulers = 1, .reports = [](const smarm::report&) {}};
}

void sleep_for_ever() { this_actor::sleep_for(24h); }

// Registers an inbox under the name and takes one message, which it gives back.
struct holder {
  tokens ready;
  int got = 0;
  smarm::join_handle handle;

  explicit holder(smarm::name<int> as = svc)
      : handle(smarm::spawn([this, as] {
          auto [tx, rx] = smarm::channel<int>();
          if (smarm::register_name(as, std::move(tx))) {
            ready.give();
            auto message = rx.recv();
            got = message ? *message : -1;
          } else {
            ready.give();
          }
        })) {
    ready.take();
  }
  int join() {
    (void)handle.join();
    return got;
  }
};

struct adder {
  using message = int;
  explicit adder(int start, std::vector<int>& into) : total(start), out(into) {}
  adder(const adder&) = delete;
  void run(smarm::receiver<int>& inbox) {
    while (auto n = inbox.recv()) {
      if (*n == 0) {
        break;
      }
      total += *n;
    }
    out.push_back(total);
  }
  int total;
  std::vector<int>& out;
};

struct other_adder { // takes the same, and is something else
  using message = int;
  void run(smarm::receiver<int>& inbox) { (void)inbox.recv(); }
};

struct printer {
  using message = smarm::messages<int, std::string>;
  void run(smarm::receiver<int>& numbers, smarm::receiver<std::string>& texts) {
    out.note(texts.recv().value() + std::to_string(numbers.recv().value()));
  }
  recorder& out;
};

} // namespace

namespace {
template <class To, class Value>
concept takes = requires(const To& to, Value&& value) {
  smarm::send(to, std::forward<Value>(value));
};
} // namespace

BOOST_AUTO_TEST_SUITE(registry_suite, *boost::unit_test::timeout(120))

// ---- names

BOOST_AUTO_TEST_CASE(who_is_registered_is_found_and_reached_by_name) {
  int got = 0;
  bool found = false;
  std::string text;
  smarm::run([&] {
    holder h;
    found = smarm::whereis("svc") == h.handle.id();
    text = smarm::name_of(h.handle.id()).value();
    (void)smarm::send(svc, 42).value();
    got = h.join();
  });
  BOOST_TEST(found);
  BOOST_TEST(text == "svc");
  BOOST_TEST(got == 42);
}

BOOST_AUTO_TEST_CASE(one_actor_has_a_channel_for_each_type_of_message) {
  recorder seen;
  smarm::run([&] {
    tokens ready;
    auto h = smarm::spawn([&] {
      auto [numbers, number] = smarm::channel<int>();
      auto [texts, text] = smarm::channel<std::string>();
      (void)smarm::register_name(svc, std::move(numbers)).value();
      (void)smarm::register_name(svc_text, std::move(texts)).value();
      ready.give();
      seen.note(std::to_string(number.recv().value()) + text.recv().value());
    });
    ready.take();
    (void)smarm::send(svc_text, "halt").value();
    (void)smarm::send(svc, 7).value();
    (void)h.join();
  });
  CHECK_LIST(seen.all(), {"7halt"});
}

BOOST_AUTO_TEST_CASE(a_name_that_a_live_actor_has_is_taken) {
  std::vector<errc> codes;
  int got = 0;
  bool still_there = false;
  smarm::run([&] {
    holder h;
    auto [tx, rx] = smarm::channel<int>();
    codes.push_back(error_of(smarm::register_name(svc, std::move(tx))));
    codes.push_back(error_of(smarm::register_name("svc", this_actor::self())));
    codes.push_back(error_of(smarm::register_name("svc", h.handle.id()))); // has it already
    still_there = smarm::whereis("svc") == h.handle.id();
    (void)smarm::send(svc, 1).value();
    got = h.join();
    codes.push_back(error_of(rx.try_recv())); // its sender is gone: nothing was published
  });
  BOOST_TEST(
      (codes == std::vector<errc>{errc::name_taken, errc::name_taken, errc{}, errc::closed}));
  BOOST_TEST(still_there);
  BOOST_TEST(got == 1);
}

BOOST_AUTO_TEST_CASE(a_name_is_free_when_its_holders_end_is_heard_of) {
  for (const unsigned schedulers : {1u, 2u}) {
    int free = 0;
    int taken_over = 0;
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      for (int i = 0; i < 500; ++i) {
        auto [h, m] = smarm::spawn_monitor([] {
          (void)smarm::register_name("svc", this_actor::self());
          this_actor::yield();
        });
        (void)(i % 2 == 0 ? m.recv()->actor : (h.join(), h.id()));
        free += !smarm::whereis("svc").has_value();
        auto next = smarm::spawn(sleep_for_ever);
        taken_over += smarm::register_name("svc", next.id()).has_value();
        (void)smarm::request_shutdown(next.id());
        (void)next.join();
      }
    });
    BOOST_TEST(free == 500);
    BOOST_TEST(taken_over == 500);
  }
}

BOOST_AUTO_TEST_CASE(a_dead_name_is_not_inherited_by_the_next_tenant_of_the_slot) {
  bool reused = false;
  std::optional<smarm::pid> found;
  std::optional<std::string> inherited;
  errc code{};
  int got = 0;
  smarm::runtime rt({.schedulers = 2, .max_actors = 32});
  rt.run([&] {
    holder first;
    const smarm::pid old = first.handle.id();
    (void)smarm::send(svc, 1).value();
    (void)first.join();
    std::vector<smarm::join_handle> tenants;
    while (tenants.size() < 24 && !reused) {
      tenants.push_back(smarm::spawn([] {
        auto [tx, rx] = smarm::channel<int>();
        smarm::publish(std::move(tx));
        sleep_for_ever();
      }));
      reused = tenants.back().id().index() == old.index();
    }
    until([&] { return parked(tenants.back().id()); });
    found = smarm::whereis("svc");
    inherited = smarm::name_of(tenants.back().id());
    code = error_of(smarm::send(svc, 5));
    holder second;
    (void)smarm::send(svc, 6).value();
    got = second.join();
  });
  BOOST_TEST(reused);
  BOOST_TEST(!found.has_value());
  BOOST_TEST(!inherited.has_value());
  BOOST_TEST((code == errc::unresolved));
  BOOST_TEST(got == 6);
}

BOOST_AUTO_TEST_CASE(unregister_frees_the_name_and_nothing_else) {
  std::vector<errc> codes;
  std::vector<bool> right;
  int got = 0;
  smarm::run([&] {
    holder h;
    right.push_back(smarm::unregister("svc") == h.handle.id());
    right.push_back(!smarm::whereis("svc").has_value());
    right.push_back(!smarm::unregister("svc").has_value());
    right.push_back(!smarm::name_of(h.handle.id()).has_value());
    codes.push_back(error_of(smarm::send(svc, 1)));
    codes.push_back(error_of(smarm::register_name("another", h.handle.id())));
    codes.push_back(error_of(smarm::send(smarm::name<int>("another"), 9)));
    got = h.join();
  });
  BOOST_TEST(right == std::vector<bool>(4, true), boost::test_tools::per_element());
  BOOST_TEST((codes == std::vector<errc>{errc::unresolved, errc{}, errc{}}));
  BOOST_TEST(got == 9);
}

BOOST_AUTO_TEST_CASE(an_actor_may_have_several_names_and_loses_all_at_its_end) {
  int found = 0;
  int left = 0;
  smarm::run([&] {
    auto h = smarm::spawn(sleep_for_ever);
    for (int i = 0; i < 50; ++i) {
      (void)smarm::register_name("name " + std::to_string(i), h.id()).value();
    }
    for (int i = 0; i < 50; ++i) {
      found += smarm::whereis("name " + std::to_string(i)) == h.id();
    }
    (void)smarm::request_shutdown(h.id());
    (void)h.join();
    for (int i = 0; i < 50; ++i) {
      left += smarm::whereis("name " + std::to_string(i)).has_value();
    }
  });
  BOOST_TEST(found == 50);
  BOOST_TEST(left == 0);
}

BOOST_AUTO_TEST_CASE(the_dead_get_no_names) {
  std::vector<errc> codes;
  smarm::run([&] {
    auto h = smarm::spawn([] {});
    (void)h.join();
    codes.push_back(error_of(smarm::register_name("svc", h.id())));
    codes.push_back(error_of(smarm::register_name("svc", smarm::pid::none())));
    codes.push_back(error_of(smarm::register_name("svc", this_actor::self())));
  });
  BOOST_TEST((codes == std::vector<errc>{errc::no_process, errc::no_process, errc{}}));
}

BOOST_AUTO_TEST_CASE(a_registered_inbox_stays_open_while_its_owner_lives) {
  std::vector<bool> closed;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)smarm::register_name(svc, std::move(tx));
    closed.push_back(rx.closed());
    auto [again, rx2] = smarm::channel<int>();
    smarm::publish(std::move(again)); // takes its place
    closed.push_back(rx.closed());
    closed.push_back(rx2.closed());
  });
  BOOST_TEST((closed == std::vector<bool>{false, true, false}));
}

BOOST_AUTO_TEST_CASE(registered_actors_do_not_keep_a_run_alive) {
  exit_kind how{};
  smarm::join_handle kept;
  smarm::run([&] {
    tokens ready;
    kept = smarm::spawn([&] {
      auto [tx, rx] = smarm::channel<int>();
      (void)smarm::register_name(svc, std::move(tx));
      ready.give();
      (void)rx.recv();
    });
    ready.take();
  });
  how = kept.join().kind();
  BOOST_TEST(how == exit_kind::shutdown);
}

// ---- waiting for a name

BOOST_AUTO_TEST_CASE(a_name_can_be_waited_for) {
  for (const unsigned schedulers : {1u, 2u}) {
    std::vector<bool> right(3);
    errc late{};
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      std::vector<smarm::join_handle> waiting;
      for (std::size_t i = 0; i < 2; ++i) {
        waiting.push_back(smarm::spawn([&, i, root = this_actor::self()] {
          right[i] = smarm::wait_for_name("svc", 1h).value() == root;
        }));
        until([&] { return parked(waiting.back().id()); });
      }
      late = error_of(smarm::wait_for_name("nobody", 1ms));
      (void)smarm::register_name("another", this_actor::self());
      (void)smarm::register_name("svc", this_actor::self());
      for (auto& h : waiting) {
        (void)h.join();
      }
      right[2] = smarm::wait_for_name("svc", std::chrono::steady_clock::now()).value() ==
                 this_actor::self();
    });
    BOOST_TEST(right == std::vector<bool>(3, true), boost::test_tools::per_element());
    BOOST_TEST((late == errc::timed_out));
  }
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_name_can_be_stopped) {
  exit_kind how{};
  errc after{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto h = smarm::spawn([] { (void)smarm::wait_for_name("svc", 1h); });
    until([&] { return parked(h.id()); });
    (void)smarm::request_stop(h.id());
    how = h.join().kind();
    after = error_of(smarm::register_name("svc", this_actor::self()));
  });
  BOOST_TEST(how == exit_kind::stopped);
  BOOST_TEST((after == errc{}));
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_name_ends_when_the_runtime_goes) {
  std::optional<smarm::runtime> rt(quiet(1));
  smarm::runtime another(quiet(1));
  errc for_actor{}, for_thread{};
  another.run([&] {
    auto h = smarm::spawn([&] { for_actor = error_of(rt->handle().wait_for_name("svc", 1h)); });
    until([&] { return parked(h.id()); });
    std::atomic<bool> has_run{false};
    std::thread outside([&, to = rt->handle()] {
      rt->run([] {}); // whose end is not that of the runtime
      has_run = true;
      for_thread = error_of(to.wait_for_name("svc", 1h)); // be it before or after
    });
    until([&] { return has_run.load(); });
    const bool waits = parked(h.id());
    rt.reset();
    (void)h.join();
    outside.join();
    for_actor = waits ? for_actor : errc{};
  });
  BOOST_TEST((for_actor == errc::runtime_down));
  BOOST_TEST((for_thread == errc::runtime_down));
}

// ---- errors, and what becomes of the message

BOOST_AUTO_TEST_CASE(a_send_that_fails_leaves_the_message) {
  using parcel = std::unique_ptr<int>;
  std::vector<errc> codes;
  std::vector<bool> kept;
  smarm::run([&] {
    auto message = std::make_unique<int>(1);
    const auto note = [&](const auto& result) {
      codes.push_back(error_of(result));
      kept.push_back(message != nullptr);
    };
    const smarm::name<parcel> to("svc");
    note(smarm::send(to, std::move(message)));
    holder h;
    note(smarm::send(to, std::move(message)));
    note(smarm::send_dyn<parcel>(h.handle.id(), std::move(message)));
    (void)smarm::send(svc, 1);
    (void)h.join();
    note(smarm::send_dyn<parcel>(h.handle.id(), std::move(message)));
    note(smarm::send_dyn<parcel>(smarm::pid::none(), std::move(message)));
    note(smarm::send_dyn<parcel>(this_actor::self(), std::move(message))); // has published nothing
    auto [tx, rx] = smarm::channel<parcel>();
    smarm::publish(std::move(tx));
    rx = {};
    note(smarm::send_dyn<parcel>(this_actor::self(), std::move(message)));
  });
  BOOST_TEST((codes == std::vector<errc>{errc::unresolved, errc::no_channel, errc::no_channel,
                                         errc::no_process, errc::no_process, errc::no_channel,
                                         errc::closed}));
  BOOST_TEST(kept == std::vector<bool>(7, true), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_bare_pid_reaches_the_inbox_of_the_type_that_is_said) {
  int got = 0;
  errc wrong{};
  smarm::run([&] {
    holder h;
    wrong = error_of(smarm::send_dyn<std::string>(h.handle.id(), "x"));
    (void)smarm::send_dyn<int>(h.handle.id(), 3).value();
    got = h.join();
  });
  BOOST_TEST((wrong == errc::no_channel));
  BOOST_TEST(got == 3);
}

BOOST_AUTO_TEST_CASE(a_plain_thread_belongs_to_no_runtime) {
  int refused = 0;
  const auto refuses = [&](auto call) {
    try {
      call();
    } catch (const boost::system::system_error& e) {
      refused += e.code() == errc::not_in_actor;
    }
  };
  refuses([] { (void)smarm::whereis("svc"); });
  refuses([] { (void)smarm::register_name("svc", smarm::pid::none()); });
  refuses([] { (void)smarm::unregister("svc"); });
  refuses([] { (void)smarm::send(svc, 1); });
  refuses([] { (void)smarm::send_dyn<int>(smarm::pid::none(), 1); });
  BOOST_TEST(refused == 5);
}

// ---- typed pids

BOOST_AUTO_TEST_CASE(a_typed_pid_is_a_copyable_identity) {
  using id = smarm::typed_pid<adder>;
  static_assert(std::is_trivially_copyable_v<id> && std::is_convertible_v<id, smarm::pid>);
  static_assert(!std::is_convertible_v<id, smarm::typed_pid<other_adder>>);
  static_assert(!std::is_constructible_v<id, smarm::pid>);
  static_assert(!takes<smarm::name<int>, std::unique_ptr<int>>);
  static_assert(takes<smarm::name<int>, int> && takes<smarm::name<std::string>, const char*>);
  std::ostringstream out;
  out << id();
  BOOST_TEST(out.str() == "<none>");
  BOOST_TEST((id().untyped() == smarm::pid::none()));
  BOOST_TEST((std::hash<id>()(id()) == std::hash<smarm::pid>()(smarm::pid())));
  BOOST_TEST((smarm::name<int>("a") == smarm::name<int>("a")));
  BOOST_TEST(svc.text() == "svc");
}

BOOST_AUTO_TEST_CASE(a_typed_actor_can_be_sent_to_as_soon_as_it_is_known) {
  std::vector<int> totals;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int i = 0; i < 200; ++i) {
      auto a = smarm::spawn_actor<adder>(i, std::ref(totals));
      (void)smarm::send(a.id(), 1000).value();
      (void)a.id().try_send(0).value();
      (void)a.join();
    }
  });
  BOOST_TEST(totals.size() == 200u);
  BOOST_TEST(totals.front() == 1000);
  BOOST_TEST(totals.back() == 1199);
}

BOOST_AUTO_TEST_CASE(an_actor_with_several_types_of_messages_has_an_inbox_for_each) {
  recorder seen;
  smarm::run([&] {
    auto p = smarm::spawn_actor<printer>({.label = "printer"}, std::ref(seen));
    (void)p.id().send(7).value();
    (void)p.id().send(std::string("number ")).value();
    (void)p.join();
  });
  CHECK_LIST(seen.all(), {"number 7"});
}

BOOST_AUTO_TEST_CASE(a_typed_pid_never_reaches_the_next_tenant) {
  bool reused = false;
  std::vector<errc> codes;
  std::vector<int> totals;
  smarm::run([&] {
    auto first = smarm::spawn_actor<adder>(0, std::ref(totals));
    const auto old = first.id();
    (void)old.send(0);
    (void)first.join();
    auto second = smarm::spawn_actor<adder>(100, std::ref(totals));
    reused = second.id().untyped().index() == old.untyped().index();
    codes.push_back(error_of(old.send(5)));
    codes.push_back(error_of(second.id().send(7)));
    (void)second.id().send(0);
    (void)second.join();
  });
  BOOST_TEST(reused);
  BOOST_TEST((codes == std::vector<errc>{errc::no_process, errc{}}));
  CHECK_LIST(totals, {0, 107});
}

BOOST_AUTO_TEST_CASE(two_types_of_actors_that_take_the_same_are_not_confused) {
  std::vector<bool> found;
  std::vector<errc> codes;
  std::vector<int> totals;
  smarm::run([&] {
    auto a = smarm::spawn_actor<adder>(1, std::ref(totals));
    (void)smarm::register_name("an adder", a.id());
    found.push_back(smarm::lookup_as<adder>("an adder") == a.id());
    found.push_back(smarm::lookup_as<other_adder>("an adder").has_value());
    found.push_back(smarm::lookup_as<adder>("nobody").has_value());
    codes.push_back(error_of(smarm::send(smarm::name<int>("an adder"), 5)));
    codes.push_back(error_of(smarm::send_dyn<int>(a.id(), 0)));
    (void)a.join();
    found.push_back(smarm::lookup_as<adder>("an adder").has_value());
  });
  BOOST_TEST((found == std::vector<bool>{true, false, false, false}));
  BOOST_TEST((codes == std::vector<errc>{errc{}, errc{}}));
  CHECK_LIST(totals, {6});
}

BOOST_AUTO_TEST_CASE(an_actor_may_publish_itself_as_one_of_a_type) {
  int got = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto me = smarm::publish_as<adder>(std::move(tx));
    (void)me.send(4).value();
    (void)smarm::register_name("me", me);
    got = smarm::lookup_as<adder>("me") == me ? rx.recv().value() : 0;
  });
  BOOST_TEST(got == 4);
}

struct refuses_to_start {
  using message = int;
  refuses_to_start() { throw std::runtime_error("will not"); }
  void run(smarm::receiver<int>&) {}
};

BOOST_AUTO_TEST_CASE(a_typed_actor_whose_constructor_throws_fails) {
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] { how = smarm::spawn_actor<refuses_to_start>().join().kind(); });
  BOOST_TEST(how == exit_kind::failed);
}

// ---- later

BOOST_AUTO_TEST_CASE(a_delayed_message_finds_its_addressee_when_its_time_has_come) {
  std::vector<int> totals;
  int got = 0;
  smarm::run([&] {
    auto a = smarm::spawn_actor<adder>(0, std::ref(totals));
    (void)smarm::send_after(0ms, a.id(), 5);
    (void)smarm::send_after(1ms, a.id(), 0);
    (void)a.join();
    (void)smarm::send_after(0ms, a.id(), 6); // nobody there: no harm
    (void)smarm::send_after(0ms, svc_text, "x");
    (void)smarm::send_after(2ms, svc, 8); // nobody there yet
    holder h;
    got = h.join();
  });
  CHECK_LIST(totals, {5});
  BOOST_TEST(got == 8);
}

BOOST_AUTO_TEST_CASE(a_delayed_message_goes_to_the_inbox_that_is_named) {
  recorder out;
  std::vector<int> totals;
  smarm::run([&] {
    auto p = smarm::spawn_actor<printer>(std::ref(out));
    (void)smarm::send_after(0ms, p.id().inbox<std::string>(), "n");
    (void)smarm::send_after(0ms, p.id().inbox<int>(), 3);
    (void)p.join();
    auto a = smarm::spawn_actor<adder>(0, std::ref(totals));
    const smarm::pid bare = a.id();
    (void)smarm::send_after(0ms, smarm::inbox_of<int>(bare), 4);
    (void)smarm::send_after(1ms, smarm::inbox_of<int>(bare), 0);
    (void)smarm::send_after(0ms, smarm::inbox_of<std::string>(bare), "nobody wants it");
    (void)a.join();
  });
  CHECK_LIST(out.all(), {"n3"});
  CHECK_LIST(totals, {4});
}

// ---- from plain threads

BOOST_AUTO_TEST_CASE(a_plain_thread_reaches_actors_through_the_handle) {
  std::vector<int> totals;
  recorder out;
  smarm::runtime rt(quiet_config());
  const smarm::runtime_handle h = rt.handle();
  rt.start();
  auto a = h.spawn_actor<adder>({.label = "adder"}, 0, std::ref(totals));
  BOOST_TEST(h.register_name("adder", a.id()).has_value());
  BOOST_TEST((h.whereis("adder") == a.id().untyped()));
  BOOST_TEST(h.name_of(a.id()).value() == "adder");
  BOOST_TEST((h.lookup_as<adder>("adder") == a.id()));
  BOOST_TEST(!h.lookup_as<other_adder>("adder").has_value());
  constexpr smarm::name<int> by_name("adder");
  BOOST_TEST((h.wait_for_name("adder", 1h).value() == a.id().untyped()));
  BOOST_TEST((h.wait_for_name("nobody", 1ms).error() == errc::timed_out));
  std::thread late([&] { (void)h.register_name("late", a.id()); });
  BOOST_TEST((h.wait_for_name("late", 1h).value() == a.id().untyped()));
  late.join();
  BOOST_TEST(h.send(a.id(), 1).has_value());
  BOOST_TEST(h.try_send(a.id(), 2).has_value());
  BOOST_TEST(h.send(by_name, 4).has_value());
  BOOST_TEST(h.try_send(by_name, 8).has_value());
  BOOST_TEST(h.send_dyn<int>(a.id(), 16).has_value());
  BOOST_TEST(h.try_send_dyn<int>(a.id(), 32).has_value());
  BOOST_TEST((h.send_dyn<std::string>(a.id(), "x").error() == errc::no_channel));
  BOOST_TEST(h.send_after(0ms, a.id(), 64).has_value());
  BOOST_TEST(h.send_after(0ms, by_name, 128).has_value());
  BOOST_TEST(h.send_after(1ms, by_name, 0).has_value());
  BOOST_TEST((a.join() == exit_kind::normal));
  BOOST_TEST((h.send(a.id(), 1).error() == errc::no_process));
  BOOST_TEST((h.send(by_name, 1).error() == errc::unresolved));
  BOOST_TEST((h.register_name("adder", a.id()).error() == errc::no_process));

  auto p = h.spawn_actor<printer>(std::ref(out));
  BOOST_TEST(h.register_name("printer", p.id()).has_value());
  BOOST_TEST((h.unregister("printer") == p.id().untyped()));
  BOOST_TEST(!h.unregister("printer").has_value());
  BOOST_TEST(h.send(p.id(), std::string("n")).has_value());
  BOOST_TEST(h.send(p.id(), 1).has_value());
  BOOST_TEST((p.join() == exit_kind::normal));
  BOOST_TEST(rt.shutdown(10s).empty());
  CHECK_LIST(totals, {255});
  CHECK_LIST(out.all(), {"n1"});
  BOOST_TEST((h.try_spawn_actor<printer>(std::ref(out)).error() == errc::runtime_down));
}

BOOST_AUTO_TEST_CASE(the_handle_of_a_runtime_that_is_gone_says_so_and_leaves_the_message) {
  smarm::runtime_handle h;
  smarm::typed_pid<adder> was;
  {
    smarm::runtime rt(quiet_config());
    h = rt.handle();
  }
  BOOST_TEST((h.register_name("svc", smarm::pid::none()).error() == errc::runtime_down));
  BOOST_TEST(!h.whereis("svc").has_value());
  BOOST_TEST(!h.unregister("svc").has_value());
  BOOST_TEST((h.wait_for_name("svc", 1h).error() == errc::runtime_down));
  BOOST_TEST(!h.name_of(smarm::pid::none()).has_value());
  BOOST_TEST(!h.lookup_as<adder>("svc").has_value());
  BOOST_TEST((h.send(was, 1).error() == errc::runtime_down));
  std::string text = "a message that is longer than a short string";
  BOOST_TEST((h.send(svc_text, std::move(text)).error() == errc::runtime_down));
  BOOST_TEST((h.send_dyn<std::string>(was, std::move(text)).error() == errc::runtime_down));
  BOOST_TEST(text == "a message that is longer than a short string");
}

BOOST_AUTO_TEST_CASE(an_actor_of_another_runtime_reaches_actors_through_the_handle) {
  std::vector<int> totals;
  smarm::runtime one(quiet_config());
  one.start();
  auto a = one.handle().spawn_actor<adder>(0, std::ref(totals));
  bool found_here = true;
  smarm::run([&, there = one.handle()] {
    found_here = smarm::whereis("adder").has_value();
    (void)there.register_name("adder", a.id());
    found_here |= smarm::whereis("adder").has_value();
    (void)there.send(smarm::name<int>("adder"), 7);
    (void)there.send(a.id(), 0);
    (void)a.join();
  });
  BOOST_TEST(one.shutdown(10s).empty());
  BOOST_TEST(!found_here);
  CHECK_LIST(totals, {7});
}

// ---- where there is no room, and where nothing may wait

BOOST_AUTO_TEST_CASE(a_full_inbox_is_said_or_waited_for) {
  std::vector<std::string> seen;
  smarm::run([&] {
    tokens ready;
    tokens go_on;
    auto h = smarm::spawn([&] {
      auto [tx, rx] = smarm::channel<std::string>(smarm::bounded{1});
      smarm::publish(std::move(tx));
      ready.give();
      go_on.take();
      for (int i = 0; i < 2; ++i) {
        seen.push_back(rx.recv().value());
      }
    });
    ready.take();
    std::string text = "a message that is longer than a short string";
    seen.push_back(smarm::try_send_dyn<std::string>(h.id(), "first") ? "sent" : "not sent");
    const auto full = smarm::try_send_dyn<std::string>(h.id(), std::move(text));
    seen.push_back(full.error() == errc::queue_full ? text : "lost");
    auto waiting = smarm::spawn([&] { (void)smarm::send_dyn<std::string>(h.id(), "second"); });
    this_actor::yield();
    go_on.give();
    (void)h.join();
  });
  CHECK_LIST(seen, {"sent", "a message that is longer than a short string", "first", "second"});
}

BOOST_AUTO_TEST_CASE(on_the_threads_own_stack_an_actor_is_still_itself) {
  std::optional<smarm::pid> holder;
  bool sent = false;
  int got = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    this_actor::run_on_thread_stack([&, &tx = tx] {
      (void)smarm::register_name(svc, std::move(tx));
      holder = smarm::whereis("svc");
      sent = smarm::send(svc, 5).has_value();
    });
    holder = holder == this_actor::self() ? holder : std::nullopt;
    got = rx.recv().value();
  });
  BOOST_TEST(holder.has_value());
  BOOST_TEST(sent);
  BOOST_TEST(got == 5);
}

BOOST_AUTO_TEST_CASE(options_of_a_typed_actor_may_be_a_value) {
  std::vector<int> totals;
  std::string what;
  errc refused{};
  smarm::runtime rt(quiet_config());
  rt.run([&] {
    const smarm::spawn_options constant{.label = "one"};
    smarm::spawn_options changing{.label = "two"};
    auto one = smarm::spawn_actor<adder>(constant, 1, std::ref(totals));
    auto two = smarm::spawn_actor<adder>(changing, 2, std::ref(totals));
    auto three = smarm::spawn_actor<adder>(smarm::spawn_options{}, 3, std::ref(totals));
    for (auto* each : {&one, &two, &three}) {
      (void)smarm::send(each->id(), 0);
      (void)each->join();
    }
    const smarm::spawn_options impossible{.stack_size = 1};
    refused = error_of(smarm::try_spawn_actor<adder>(impossible, 1, std::ref(totals)));
    try {
      (void)smarm::spawn_actor<adder>(impossible, 1, std::ref(totals));
    } catch (const boost::system::system_error& e) {
      what = e.what();
    }
  });
  CHECK_LIST(totals, {1, 2, 3});
  BOOST_TEST((refused == errc::invalid_config));
  BOOST_TEST(what.find("stack_size") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers that share the keys among them: where a key leads, also when its server was started anew.

#define BOOST_TEST_MODULE partition_supervisor
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/blocking.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/introspect.hpp>
#include <smarm/latch.hpp>
#include <smarm/partition_supervisor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

class store : public smarm::gen_server<store> {
public:
  struct number {};
  struct who {};
  struct fail {};

  explicit store(int n) : number_(n) {}
  int handle_call(number) const { return number_; }
  smarm::pid handle_call(who) const { return smarm::this_actor::self(); }
  void handle_cast(fail) { stop(smarm::exit_reason::failed("told to")); }

private:
  int number_;
};

class other : public smarm::gen_server<other> {};

using stores_type = smarm::partition_supervisor<store>;

smarm::partition_options of(std::size_t partitions) {
  return {.partitions = partitions, .supervisor = {.intensity = 1'000'000}};
}

stores_type numbered(std::size_t partitions) {
  return stores_type::with_index(
      of(partitions), [](std::size_t i) { return smarm::server<store>(static_cast<int>(i)); });
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code() == make_error_code(errc::invalid_config) ? e.what() : "another error";
  }
  return "none";
}

// Until the next incarnation answers.
smarm::pid next(const stores_type& stores, std::size_t index, smarm::pid before) {
  for (;;) {
    const auto now = stores[index].call(store::who{});
    if (now && *now != before) {
      return *now;
    }
    smarm::this_actor::yield();
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_key_leads_to_one_of_them_and_always_to_the_same) {
  std::vector<int> first, second;
  smarm::runtime(quiet(2)).run([&] {
    const auto stores = numbered(5);
    const auto running = stores.start().value();
    for (int key = 0; key < 100; ++key) {
      first.push_back(stores.for_key(key).call(store::number{}).value());
      second.push_back(static_cast<int>(stores.index_of(key)));
    }
  });
  BOOST_TEST(first == second, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keys_with_a_common_factor_are_spread) {
  const auto stores = numbered(8);
  for (const std::size_t factor : {1U, 8U, 64U, 4096U, 1U << 20}) {
    std::vector<int> hits(stores.size());
    for (std::size_t i = 0; i < 800; ++i) {
      ++hits[stores.index_of(i * factor)];
    }
    for (const int n : hits) {
      BOOST_TEST(n > 50);
      BOOST_TEST(n < 200);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_text_is_a_text_however_it_is_kept) {
  const auto stores = numbered(64);
  const char array[] = "alice";
  const char* const pointer = array;
  const auto expected = stores.index_of(std::string("alice"));
  BOOST_TEST(stores.index_of(array) == expected);
  BOOST_TEST(stores.index_of(pointer) == expected);
  BOOST_TEST(stores.index_of(std::string_view(array)) == expected);
}

BOOST_AUTO_TEST_CASE(the_hash_may_be_the_users) {
  const auto stores = numbered(8);
  const auto all_the_same = [](int) { return std::size_t{7}; };
  BOOST_TEST(stores.index_of(1, all_the_same) == stores.index_of(2, all_the_same));
}

BOOST_AUTO_TEST_CASE(a_server_that_was_started_anew_is_in_the_place_of_the_one_before) {
  bool same_place = false, others_untouched = false;
  smarm::runtime(quiet(2)).run([&] {
    const auto stores = numbered(3);
    const auto running = stores.start().value();
    const smarm::pid before = stores[1].id(), neighbour = stores[2].id();
    (void)stores[1].cast(store::fail{}).value();
    const smarm::pid now = next(stores, 1, before);
    same_place = stores[1].id() == now && stores[1].call(store::number{}).value() == 1;
    others_untouched = stores[2].id() == neighbour;
  });
  BOOST_TEST(same_place);
  BOOST_TEST(others_untouched);
}

BOOST_AUTO_TEST_CASE(there_is_one_for_each_scheduler_unless_said_otherwise) {
  std::size_t inside = 0;
  smarm::runtime(quiet(3)).run([&] { inside = stores_type({}, 1).size(); });
  BOOST_TEST(inside == 3U);
  const std::size_t threads = std::max(1U, std::min(std::thread::hardware_concurrency(), 64U));
  BOOST_TEST(stores_type({}, 1).size() == threads);
}

BOOST_AUTO_TEST_CASE(before_they_run_and_afterwards_they_are_down) {
  const stores_type stores(of(2), 1);
  std::vector<errc> seen;
  smarm::runtime(quiet(1)).run([&] {
    seen.push_back(error_of(stores.for_key(1).call(store::number{})));
    const auto running = stores.start().value();
    seen.push_back(error_of(stores.for_key(1).call(store::number{})));
    (void)running.shutdown(10min).value();
    seen.push_back(error_of(stores.for_key(1).call(store::number{})));
    const auto again = stores.start().value();
    seen.push_back(error_of(stores.for_key(1).call(store::number{})));
  });
  BOOST_TEST((seen == std::vector<errc>{errc::server_down, errc{}, errc::server_down, errc{}}));
}

BOOST_AUTO_TEST_CASE(they_may_be_part_of_a_tree) {
  int sum = 0;
  smarm::runtime(quiet(1)).run([&] {
    const auto stores = numbered(4);
    const auto root =
        smarm::start_supervisor({}, {{.id = "stores", .start = stores.as_child()}}).value();
    stores.each([&](std::size_t, const auto& s) { sum += s.call(store::number{}).value(); });
    (void)root.shutdown(10min).value();
    stores.each([&](std::size_t, const auto& s) { sum += s.call(store::number{}) ? 100 : 0; });
  });
  BOOST_TEST(sum == 6);
}

BOOST_AUTO_TEST_CASE(with_a_name_they_are_all_named) {
  bool found = false, by_child_id = false;
  smarm::runtime(quiet(1)).run([&] {
    const stores_type stores({.partitions = 2, .supervisor = {.name = "stores"}}, 5);
    const auto running = stores.start().value();
    found = smarm::server_name<store>("stores/1").whereis() == stores[1] &&
            smarm::find_supervisor("stores").value() == running;
    const auto infos = running.which_children().value();
    by_child_id = infos.size() == 2 && infos[0].id == "stores/0" && infos[1].id == "stores/1";
  });
  BOOST_TEST(found);
  BOOST_TEST(by_child_id);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_right_is_refused_in_a_sentence) {
  BOOST_TEST(refusal([] { stores_type(of(65537), 1); }).find("partitions is 65537") !=
             std::string::npos);
  BOOST_TEST(refusal([] {
               (void)stores_type::with_index(of(1),
                                             [](std::size_t) { return smarm::server<other>(); });
             }).find("starts no server of the supervisor's class") != std::string::npos);
  BOOST_TEST(refusal([] {
               (void)stores_type::with_index(of(1),
                                             [](std::size_t) { return smarm::child_start(); });
             }).find("starts no server of the supervisor's class") != std::string::npos);
  BOOST_TEST(refusal([] {
               stores_type({.partitions = 1, .child = {.grace = -1s}}, 1);
             }).find("grace") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(threads_reach_the_present_one_while_it_is_started_anew) {
  constexpr int restarts = 200;
  const auto stores = numbered(2);
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  smarm::runtime rt(quiet(2));
  rt.start();
  const auto running = stores.start(rt.handle()).value();
  std::vector<std::thread> callers;
  for (int t = 0; t < 2; ++t) {
    callers.emplace_back([&] {
      while (!over) {
        const auto got = stores[0].call(store::number{});
        wrong += got ? *got != 0 : error_of(got) != errc::server_down;
      }
    });
  }
  rt.handle()
      .spawn([&] {
        smarm::pid now = next(stores, 0, smarm::pid());
        for (int i = 0; i < restarts; ++i) {
          (void)stores[0].cast(store::fail{});
          now = next(stores, 0, now);
        }
      })
      .join();
  over = true;
  for (auto& t : callers) {
    t.join();
  }
  BOOST_TEST(wrong == 0);
  BOOST_TEST(rt.shutdown(10min).empty());
}

namespace {

// Its second start and all after that wait until they may go on.
struct slow_start {
  smarm::latch may_go_on{1};
  std::atomic<int> starts{0};
};
class slow_store : public smarm::gen_server<slow_store> {
public:
  struct fail {};
  explicit slow_store(slow_start& how) : how_(how) {}

  smarm::init_result init() {
    number_ = ++how_.starts;
    if (number_ > 1) {
      how_.may_go_on.wait();
    }
    return smarm::init_result::ok();
  }
  int handle_call(int) const { return number_; }
  void handle_cast(fail) { stop(smarm::exit_reason::failed("told to")); }

private:
  slow_start& how_;
  int number_ = 0;
};
using slow_stores = smarm::partition_supervisor<slow_store>;

void fail_and_wait(const slow_stores& stores, slow_start& how) {
  (void)stores[0].cast(slow_store::fail{});
  while (how.starts == 1) {
    smarm::this_actor::yield();
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(who_waits_for_a_key_gets_the_one_that_runs_or_the_next_one) {
  slow_start how;
  int before = 0, in_an_actor = 0, on_a_thread = 0;
  smarm::runtime(quiet(2)).run([&] {
    const slow_stores stores(of(1), std::ref(how));
    const auto running = stores.start().value();
    before = stores.wait_for_key("any", 0s).value().call(0).value();
    fail_and_wait(stores, how);
    auto waiter = smarm::spawn([&] {
      in_an_actor = stores.wait_for_key("any", smarm::infinity).value().call(0).value();
    });
    std::thread thread(
        [&] { on_a_thread = stores.wait_for_index(0, smarm::infinity).value().call(0).value(); });
    const auto waits = [&] {
      return smarm::introspect::actor_info(waiter.id()).value().waits_for ==
             smarm::wait_kind::condition;
    };
    while (!waits()) {
      smarm::this_actor::yield();
    }
    how.may_go_on.count_down();
    (void)waiter.join();
    smarm::blocking([&] { thread.join(); });
  });
  BOOST_TEST(before == 1);
  BOOST_TEST(in_an_actor == 2);
  BOOST_TEST(on_a_thread == 2);
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_key_gives_up_in_time_and_can_be_stopped) {
  slow_start how;
  boost::system::error_code not_started, too_late;
  smarm::exit_kind stopped = smarm::exit_kind::normal;
  smarm::runtime(quiet(2)).run([&] {
    const slow_stores stores(of(1), std::ref(how));
    not_started = stores.wait_for_key("any", 0s).error();
    const auto running = stores.start().value();
    fail_and_wait(stores, how);
    too_late = stores.wait_for_key("any", 1ms).error();
    auto waiter = smarm::spawn([&] { (void)stores.wait_for_key("any", 1h); });
    smarm::request_stop(waiter.id());
    stopped = waiter.join().kind();
    how.may_go_on.count_down();
    (void)stores.wait_for_key("any", smarm::infinity).value();
  });
  BOOST_TEST(not_started == make_error_code(errc::timed_out));
  BOOST_TEST(too_late == make_error_code(errc::timed_out));
  BOOST_TEST(stopped == smarm::exit_kind::stopped);
}

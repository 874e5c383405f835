// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What supervisors do at the edges: limits without an end, ends that meet each other, requests that
// come while a restart is under way.

#define BOOST_TEST_MODULE supervisor_edges
#include <boost/test/unit_test.hpp>

#include "supervision.hpp"

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/error.hpp>
#include <smarm/init_result.hpp>
#include <smarm/server_name.hpp>
#include <smarm/supervisor.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::child_state;
using smarm::errc;
using smarm::exit_kind;
using smarm::restart;

namespace {

void run(const std::function<void()>& body) {
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run(body);
}

// Whose terminate looks at nothing until it is let go.
class deaf : public smarm::gen_server<deaf> {
public:
  deaf(recorder& seen, std::string id, std::atomic<bool>& release)
      : seen_(seen), id_(std::move(id)), release_(release) {}
  ~deaf() { seen_.note(id_ + " is gone"); }
  void terminate(const smarm::exit_reason&) {
    const smarm::disable_stop masked;
    while (!release_) {
      smarm::this_actor::sleep_for(1ms);
    }
  }

private:
  recorder& seen_;
  std::string id_;
  std::atomic<bool>& release_;
};

// Whose terminate needs a moment.
class tidy : public smarm::gen_server<tidy> {
public:
  tidy(recorder& seen, std::string id) : seen_(seen), id_(std::move(id)) {}
  void terminate(const smarm::exit_reason&) {
    try {
      smarm::this_actor::sleep_for(50ms);
    } catch (const smarm::stop_unwind&) {
      seen_.note(id_ + " is stopped");
      throw;
    }
    seen_.note(id_ + " has tidied up");
  }

private:
  recorder& seen_;
  std::string id_;
};

// Cannot be copied any more from some time on.
struct brittle {
  explicit brittle(std::atomic<bool>& b) : broken(&b) {}
  brittle(const brittle& other) : broken(other.broken) {
    if (*broken) {
      throw std::runtime_error("cannot be copied");
    }
  }
  void operator()() const { smarm::this_actor::sleep_for(1h); }
  std::atomic<bool>* broken;
};

class reluctant : public smarm::gen_server<reluctant> {
public:
  explicit reluctant(std::atomic<bool>& willing) : willing_(willing) {}
  smarm::init_result init() {
    return willing_ ? smarm::init_result::ok() : smarm::init_result::ignore();
  }

private:
  std::atomic<bool>& willing_;
};

} // namespace

// ---- limits

BOOST_AUTO_TEST_CASE(a_backoff_without_a_maximum_grows) {
  const smarm::restart_backoff b{.initial = 1ms, .maximum = smarm::infinity};
  BOOST_TEST(!b.recovered(0ns));
  BOOST_TEST(!b.recovered(24h));
}

BOOST_AUTO_TEST_CASE(the_longest_backoff_is_not_a_negative_one) {
  const smarm::restart_backoff b{
      .initial = smarm::infinity, .maximum = smarm::infinity, .factor = 1, .jitter = 0.5};
  BOOST_TEST((b.delay(0, 0.999) > 0ns));
}

BOOST_AUTO_TEST_CASE(an_intensity_that_never_gives_up_leaves_children_their_time_to_end) {
  recorder seen;
  run([&] {
    auto sup = smarm::start_supervisor(
                   {.strategy = smarm::one_for_all,
                    .intensity = std::numeric_limits<unsigned>::max()},
                   {{.id = "a", .start = smarm::server<tidy>(std::ref(seen), std::string("a"))}})
                   .value();
    (void)sup.terminate_child("a");
  });
  CHECK_LIST(seen.all(), {"a has tidied up"});
}

// ---- ends

BOOST_AUTO_TEST_CASE(a_subtree_that_is_told_to_hurry_has_the_grace_of_its_children) {
  recorder seen;
  recorder reports;
  std::atomic<bool> release{false};
  smarm::runtime(with_reports(reports)).run([&] {
    const smarm::child_spec leaf{
        .id = "leaf",
        .start = smarm::server<deaf>(std::ref(seen), std::string("leaf"), std::ref(release)),
        .grace = 1h};
    auto sup = smarm::start_supervisor(
                   {.label = "top"},
                   {{.id = "subtree", .start = smarm::supervision_tree({}, {leaf})}})
                   .value();
    auto m = smarm::monitor(sup.id());
    (void)sup.shutdown(1ms);
    auto helper = smarm::spawn([&] { // longer than any grace that was not asked for
      smarm::this_actor::sleep_for(1500ms);
      release = true;
    });
    (void)m.recv();
    seen.note("top has ended");
    release = true;
    (void)helper.join();
  });
  CHECK_LIST(seen.all(), {"leaf is gone", "top has ended"});
  BOOST_TEST(reports.count("abandoned subtree") == 0u);
}

BOOST_AUTO_TEST_CASE(a_subtree_that_abandons_is_not_abandoned) {
  recorder seen;
  recorder reports;
  std::atomic<bool> release{false};
  smarm::runtime(with_reports(reports)).run([&] {
    const smarm::child_spec leaf{
        .id = "leaf",
        .start = smarm::server<deaf>(std::ref(seen), std::string("leaf"), std::ref(release))};
    auto sup = smarm::start_supervisor(
                   {.label = "top"},
                   {{.id = "subtree", .start = smarm::supervision_tree({}, {leaf})}})
                   .value();
    auto m = smarm::monitor(sup.id());
    (void)sup.shutdown(1ms);
    (void)m.recv();
    release = true;
  });
  BOOST_TEST(reports.count("abandoned leaf") == 1u);
  BOOST_TEST(reports.count("abandoned subtree") == 0u);
}

BOOST_AUTO_TEST_CASE(a_report_of_one_that_was_abandoned_in_a_hurry_is_true) {
  recorder seen;
  std::atomic<bool> release{false};
  std::string text;
  smarm::runtime({.schedulers = 1,
                  .reports =
                      [&](const smarm::report& r) {
                        if (r.kind == smarm::report_kind::child_abandoned) {
                          text = r.text;
                        }
                      }})
      .run([&] {
        auto sup = smarm::start_supervisor(
                       {}, {{.id = "a",
                             .start = smarm::server<deaf>(std::ref(seen), std::string("a"),
                                                          std::ref(release)),
                             .shutdown = std::chrono::nanoseconds(1h),
                             .grace = 1ms}})
                       .value();
        auto m = smarm::monitor(sup.id());
        (void)sup.shutdown(1ms);
        (void)m.recv();
        release = true;
      });
  BOOST_TEST(text.find("abandoned") == 0u);
  BOOST_TEST_CONTEXT(text) { // it has not had the hour
    BOOST_TEST(text.find("3600 s") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(siblings_that_end_while_a_group_is_ended_count_once) {
  nursery n;
  smarm::child_count count;
  run([&] {
    struct last : smarm::gen_server<last> {
      explicit last(nursery& all) : n(all) {}
      void terminate(const smarm::exit_reason&) { // takes its sibling along
        n.seen.note("last ends");
        if (auto sup = smarm::find_supervisor("top")) {
          (void)sup;
        }
        smarm::this_actor::sleep_for(2ms);
      }
      nursery& n;
    };
    auto sup =
        smarm::start_supervisor({.strategy = smarm::one_for_all, .name = "top"},
                                {child(n, "a"), child(n, "b"),
                                 {.id = "last", .start = smarm::server<last>(std::ref(n))}})
            .value();
    auto a = sup.find_child<ward>("a").value();
    auto b = sup.find_child<ward>("b").value();
    (void)b.cast(ward::end{failure()});
    while (n.seen.count("last ends") == 0) {
      smarm::this_actor::sleep_for(100us);
    }
    (void)a.cast(ward::end{failure()});
    count = sup.count_children().value();
    (void)sup.shutdown(10s);
  });
  BOOST_TEST(count.restarts == 1u);
  BOOST_TEST(count.active == 3u);
  BOOST_TEST(n.seen.count("a is there twice") == 0u);
}

// ---- reasons

BOOST_AUTO_TEST_CASE(why_a_child_cannot_be_made_is_told_to_somebody) {
  std::atomic<bool> broken{false};
  std::atomic<int> told{0};
  errc first{};
  errc again{};
  smarm::runtime({.schedulers = 1,
                  .reports =
                      [&](const smarm::report& r) {
                        told += r.text.find("cannot be copied") != std::string::npos;
                      }})
      .run([&] {
        auto sup = smarm::start_supervisor({}, {{.id = "a", .start = brittle(broken)}}).value();
        (void)sup.terminate_child("a");
        smarm::child_spec b{.id = "b", .start = brittle(broken)};
        broken = true;
        first = code(sup.start_child(b));
        again = code(sup.restart_child("a"));
      });
  BOOST_TEST(first == errc::start_failed);
  BOOST_TEST(again == errc::start_failed);
  BOOST_TEST(told == 2);
}

BOOST_AUTO_TEST_CASE(a_child_that_chooses_not_to_run_does_so_in_start_and_restart_alike) {
  std::atomic<bool> willing{false};
  errc started{};
  errc restarted{};
  run([&] {
    auto sup = smarm::start_supervisor({}).value();
    started = code(sup.start_child(
        {.id = "a", .start = smarm::server<reluctant>(std::ref(willing))}));
    restarted = code(sup.restart_child("a"));
  });
  BOOST_TEST(started == restarted);
}

// ---- requests during a restart

BOOST_AUTO_TEST_CASE(a_child_that_never_starts_can_be_terminated_meanwhile) {
  nursery n;
  errc ended{};
  bool alive = false;
  run([&] {
    auto sup =
        smarm::start_supervisor({.intensity = 5000, .period = 1h}, {child(n, "a")}).value();
    n.fail_next("a", 1'000'000);
    auto a = sup.find_child<ward>("a").value();
    auto m = smarm::monitor(a.id());
    (void)a.cast(ward::end{failure()});
    (void)m.recv();
    ended = code(sup.terminate_child("a"));
    alive = sup.count_children().has_value();
  });
  BOOST_TEST(ended == errc());
  BOOST_TEST(alive);
}

BOOST_AUTO_TEST_CASE(a_dynamic_child_that_never_starts_leaves_time_for_others) {
  nursery n;
  bool alive = false;
  run([&] {
    auto sup = smarm::start_dynamic_supervisor({.intensity = 5000, .period = 1h}).value();
    auto a = sup.start_child<ward>({}, std::ref(n), "a").value();
    n.fail_next("a", 1'000'000);
    auto m = smarm::monitor(a.id());
    (void)a.cast(ward::end{failure()});
    (void)m.recv();
    alive = sup.count_children().has_value();
  });
  BOOST_TEST(alive);
}

BOOST_AUTO_TEST_CASE(a_dynamic_child_that_waits_for_its_restart_can_be_terminated) {
  nursery n;
  errc ended{};
  run([&] {
    auto sup = smarm::start_dynamic_supervisor({.intensity = smarm::unlimited,
                                                .backoff = {.initial = 1h, .maximum = 1h}}).value();
    auto a = sup.start_child<ward>({}, std::ref(n), "a").value();
    auto m = smarm::monitor(a.id());
    (void)a.cast(ward::end{failure()});
    (void)m.recv();
    ended = code(sup.terminate_child(a.id()));
  });
  BOOST_TEST(ended == errc());
}

namespace {
// Does that while `a` waits for its restart. A round in which it came too late is no round: then again.
template <class Prepare, class Do>
void while_a_waits(smarm::strategy how, Prepare others, Do what) {
  for (bool in_time = false; !in_time;) {
    nursery n;
    run([&] {
      auto a = child(n, "a");
      a.backoff = {.initial = 20ms, .maximum = 20ms};
      std::vector<smarm::child_spec> specs = others(n);
      specs.insert(specs.begin(), a);
      auto sup = smarm::start_supervisor({.strategy = how}, std::move(specs)).value();
      end_child(sup, "a", failure());
      in_time = what(sup, n, [&] {
        return sup.which_children()->front().state == child_state::restarting;
      });
    });
  }
}
} // namespace

BOOST_AUTO_TEST_CASE(who_was_started_while_one_before_it_waits_is_started_anew_after_it) {
  for (const auto how : {smarm::rest_for_one, smarm::one_for_all}) {
    std::uint64_t restarts = 0;
    while_a_waits(
        how, [](nursery&) { return std::vector<smarm::child_spec>(); },
        [&](const smarm::supervisor_ref& sup, nursery& n, auto waits) {
          (void)sup.start_child(child(n, "b"));
          const bool in_time = waits();
          while (sup.count_children()->active != 2) {
            smarm::this_actor::sleep_for(1ms);
          }
          restarts = sup.which_children()->back().restarts;
          return in_time;
        });
    BOOST_TEST_CONTEXT(smarm::to_string(how)) { BOOST_TEST(restarts == 1u); }
  }
}

// ---- what users give

BOOST_AUTO_TEST_CASE(a_clock_that_throws_ends_the_tree_and_leaves_nobody) {
  nursery n;
  smarm::exit_kind how{};
  int left = -1;
  run([&] {
    auto sup = smarm::start_supervisor(
                   {.clock = []() -> std::chrono::steady_clock::time_point {
                     throw std::runtime_error("no time");
                   }},
                   {child(n, "a"), child(n, "b")})
                   .value();
    auto m = smarm::monitor(sup.id());
    (void)sup.find_child<ward>("a")->cast(ward::end{failure()});
    how = m.recv()->reason.kind();
    left = n.living();
  });
  BOOST_TEST((how == exit_kind::failed));
  BOOST_TEST(left == 0);
}

BOOST_AUTO_TEST_CASE(a_sink_that_throws_disturbs_no_restart) {
  nursery n;
  std::size_t active = 0;
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) { throw 1; }}).run([&] {
    auto sup = smarm::start_supervisor({}, {child(n, "a")}).value();
    end_child(sup, "a", failure());
    active = sup.count_children()->active;
  });
  BOOST_TEST(active == 1u);
}

BOOST_AUTO_TEST_CASE(a_function_that_returns_something_is_a_body_too) {
  bool started = false;
  run([&] {
    started = smarm::start_supervisor(
                  {}, {{.id = "a", .start = [] { return 1; }, .restart = restart::temporary}})
                  .has_value();
  });
  BOOST_TEST(started);
}

// One spec, two supervisors in two runtimes, a plain thread that asks both.
BOOST_AUTO_TEST_CASE(two_supervisors_share_a_spec) {
  nursery n1;
  const auto spec = child(n1, "a", restart::temporary);
  std::atomic<int> good{0};
  auto one = [&] {
    smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
    rt.run([&] {
      auto sup = smarm::start_dynamic_supervisor().value();
      std::thread plain([&] {
        for (int i = 0; i < 200; ++i) {
          auto c = sup.start_child(spec);
          good += c.has_value() && sup.terminate_child(*c).has_value();
        }
        (void)sup.shutdown(10s);
      });
      auto m = smarm::monitor(sup.id());
      (void)m.recv();
      while (sup.count_children().has_value()) {
        smarm::this_actor::yield();
      }
      plain.join();
    });
  };
  std::thread other(one);
  one();
  other.join();
  BOOST_TEST(good == 400);
  BOOST_TEST(n1.living() == 0);
}

// ---- the window

// Siblings that take long to end keep nobody from giving up.
BOOST_AUTO_TEST_CASE(a_group_that_fails_for_ever_is_given_up_although_it_ends_slowly) {
  static std::atomic<std::int64_t> now{1};
  struct leisurely : smarm::gen_server<leisurely> {
    void terminate(const smarm::exit_reason&) { now += 2'500'000'000; } // half of its five seconds
  };
  nursery n;
  unsigned restarts = 0;
  run([&] {
    auto sup = smarm::start_supervisor(
                   {.strategy = smarm::one_for_all,
                    .clock =
                        [] {
                          return std::chrono::steady_clock::time_point(
                              std::chrono::nanoseconds(now.load()));
                        }},
                   {child(n, "a"),
                    {.id = "b", .start = smarm::server<leisurely>()},
                    {.id = "c", .start = smarm::server<leisurely>()},
                    {.id = "d", .start = smarm::server<leisurely>()}})
                   .value();
    for (restarts = 0; restarts < 100; ++restarts) {
      auto a = sup.find_child<ward>("a");
      if (!a) {
        break;
      }
      auto m = smarm::monitor(a->id());
      (void)a->cast(ward::end{failure()});
      (void)m.recv();
      (void)sup.count_children();
    }
  });
  BOOST_TEST(restarts < 100u);
}

// ---- what a mutation of the supervisors showed to be looked at by no test

BOOST_AUTO_TEST_CASE(waits_grow_from_restart_to_restart_until_a_child_has_recovered) {
  struct row {
    std::chrono::nanoseconds recovered_after;
    strings waits;
  };
  for (const row& r : {row{1h, {"1 ms", "2 ms", "4 ms", "4 ms"}},
                        row{1ns, {"1 ms", "1 ms", "1 ms", "1 ms"}}}) {
    for (const bool dynamic : {false, true}) {
      nursery n;
      recorder waits;
      const smarm::restart_backoff backoff{
          .initial = 1ms, .maximum = 4ms, .jitter = 0, .recovered_after = r.recovered_after};
      smarm::runtime({.schedulers = 1,
                      .reports =
                          [&](const smarm::report& one) {
                            if (one.kind == smarm::report_kind::child_restarted) {
                              const auto from = one.text.find("after ") + 6;
                              waits.note(one.text.substr(from, one.text.find(',', from) - from));
                            }
                          }})
          .run([&] {
            smarm::supervisor_ref sup;
            smarm::dynamic_supervisor_ref crowd;
            if (dynamic) {
              crowd = smarm::start_dynamic_supervisor({.intensity = 10, .backoff = backoff}).value();
              (void)crowd.start_child(child(n, "a"));
            } else {
              sup = smarm::start_supervisor({.intensity = 10, .backoff = backoff}, {child(n, "a")})
                        .value();
            }
            const auto running = [&]() -> smarm::pid {
              for (;;) {
                const auto all = dynamic ? crowd.which_children() : sup.which_children();
                if (all->front().actor != smarm::pid::none()) {
                  return all->front().actor;
                }
                smarm::this_actor::sleep_for(100us);
              }
            };
            for (std::uint64_t i = 0; i < 4; ++i) {
              const smarm::pid a = running();
              auto server = dynamic ? crowd.find_child<ward>(a) : sup.find_child<ward>("a");
              auto m = smarm::monitor(a);
              (void)server->cast(ward::end{failure()});
              (void)m.recv();
            }
            (void)running();
            if (dynamic && crowd.which_children()->front().restarts != 4) {
              waits.note("its restarts are not counted");
            }
          });
      BOOST_TEST_CONTEXT((dynamic ? "dynamic" : "static")) { BOOST_TEST(waits.all() == r.waits, boost::test_tools::per_element()); }
    }
  }
}

// Who was terminated stays so; who was started runs without the one that waits, and starts anew with it.
BOOST_AUTO_TEST_CASE(while_its_group_waits_a_child_can_be_terminated_and_started) {
  child_state terminated{};
  child_state restarted{};
  std::size_t starts = 0;
  std::size_t twice = 0;
  while_a_waits(
      smarm::one_for_all,
      [](nursery& n) { return std::vector<smarm::child_spec>{child(n, "b"), child(n, "c")}; },
      [&](const smarm::supervisor_ref& sup, nursery& n, auto waits) {
        (void)sup.terminate_child("b");
        (void)sup.terminate_child("c");
        (void)sup.restart_child("c");
        const bool in_time = waits();
        while (sup.which_children()->front().state != child_state::running) {
          smarm::this_actor::sleep_for(1ms);
        }
        terminated = sup.which_children()->at(1).state;
        restarted = sup.which_children()->at(2).state;
        starts = n.seen.count("c starts");
        twice = n.seen.count("c is there twice");
        return in_time;
      });
  BOOST_TEST((terminated == child_state::ended));
  BOOST_TEST((restarted == child_state::running));
  BOOST_TEST(starts == 3u);
  BOOST_TEST(twice == 0u);
}

// What was to wake it up later finds nobody.
BOOST_AUTO_TEST_CASE(a_dynamic_child_that_is_terminated_while_it_waits_is_not_started_then) {
  nursery n;
  run([&] {
    auto sup = smarm::start_dynamic_supervisor({.intensity = 1000,
                                                .backoff = {.initial = 1ms, .maximum = 1ms}})
                   .value();
    std::size_t run_on = 0;
    for (int i = 0; i < 20; ++i) {
      const std::string id = std::to_string(i);
      auto a = sup.start_child<ward>({}, std::ref(n), id).value();
      auto m = smarm::monitor(a.id());
      (void)a.cast(ward::end{failure()});
      (void)m.recv();
      if (sup.terminate_child(a.id())) {
        n.seen.note("waited");
      } else { // it is in its next life already
        ++run_on;
      }
    }
    smarm::this_actor::sleep_for(10ms); // longer than any of them was to wait
    n.seen.note(sup.count_children()->specs == run_on &&
                        static_cast<std::size_t>(n.living()) == run_on
                    ? "nobody else is there"
                    : "late starts");
  });
  BOOST_TEST(n.seen.count("waited") > 0u);
  BOOST_TEST(n.seen.count("nobody else is there") == 1u);
}

BOOST_AUTO_TEST_CASE(a_significant_child_that_waits_for_its_restart_has_not_ended) {
  nursery n;
  bool alive = false;
  run([&] {
    auto a = child(n, "a", restart::transient);
    auto b = child(n, "b", restart::transient);
    a.significant = b.significant = true;
    a.backoff = {.initial = 1h, .maximum = 1h};
    auto sup = smarm::start_supervisor({.intensity = smarm::unlimited,
                                        .auto_shutdown = smarm::auto_shutdown::all_significant},
                                       {a, b})
                   .value();
    end_child(sup, "a", failure());
    end_child(sup, "b", exit_kind::normal);
    alive = sup.count_children().has_value();
  });
  BOOST_TEST(alive);
}

BOOST_AUTO_TEST_CASE(a_temporary_child_that_chooses_not_to_run_is_forgotten) {
  std::atomic<bool> willing{false};
  std::size_t specs = 1;
  run([&] {
    auto sup = smarm::start_supervisor({}).value();
    (void)sup.start_child({.id = "a",
                           .start = smarm::server<reluctant>(std::ref(willing)),
                           .restart = restart::temporary});
    specs = sup.count_children()->specs;
  });
  BOOST_TEST(specs == 0u);
}

BOOST_AUTO_TEST_CASE(who_was_terminated_or_chose_not_to_run_again_makes_room) {
  nursery n;
  std::atomic<bool> willing{true};
  errc after_terminate{};
  errc after_ignore{};
  run([&] {
    auto sup = smarm::start_dynamic_supervisor({.max_children = 1}).value();
    auto first = sup.start_child<ward>({}, std::ref(n), "a").value();
    (void)sup.terminate_child(first.id());
    const auto second = sup.start_child<reluctant>({}, std::ref(willing));
    after_terminate = code(second);
    if (second) {
      willing = false;
      auto m = smarm::monitor(second->id());
      (void)smarm::request_stop(second->id());
      (void)m.recv();
      after_ignore = code(sup.start_child<ward>({}, std::ref(n), "b"));
    }
  });
  BOOST_TEST(after_terminate == errc());
  BOOST_TEST(after_ignore == errc());
}

// The spec of an abandoned incarnation's name, and of a failed one's, on two schedulers.
BOOST_AUTO_TEST_CASE(what_failed_to_start_is_gone_before_it_is_tried_again) {
  struct lingering : smarm::gen_server<lingering> {
    lingering(std::atomic<int>& a, std::atomic<int>& m, std::atomic<bool>& f)
        : alive(a), most(m), fails(f) {
      const int now = ++alive;
      most = std::max(most.load(), now);
    }
    ~lingering() {
      const smarm::disable_stop masked;
      smarm::this_actor::sleep_for(1ms); // its end takes a moment
      --alive;
    }
    struct end {};
    void init() {
      if (fails) {
        throw std::runtime_error("cannot start");
      }
    }
    void handle_cast(end) { throw std::runtime_error("ends"); }
    std::atomic<int>& alive;
    std::atomic<int>& most;
    std::atomic<bool>& fails;
  };
  std::atomic<int> alive{0};
  std::atomic<int> most{0};
  std::atomic<bool> fails{false};
  smarm::runtime({.schedulers = 2, .reports = [](const smarm::report&) {}}).run([&] {
    auto sup = smarm::start_supervisor(
                   {.intensity = 20, .period = 1h},
                   {{.id = "a",
                     .start = smarm::server<lingering>(std::ref(alive), std::ref(most),
                                                       std::ref(fails))}})
                   .value();
    auto m = smarm::monitor(sup.id());
    auto a = sup.find_child<lingering>("a").value();
    fails = true;
    (void)a.cast(lingering::end{});
    (void)m.recv();
  });
  BOOST_TEST(most == 1);
  BOOST_TEST(alive == 0);
}

// The sink of the report runs before the name is free, and takes its time.
BOOST_AUTO_TEST_CASE(a_name_is_free_before_the_next_start_however_slow_the_sink) {
  struct named : smarm::gen_server<named> {
    explicit named(std::atomic<int>& s) { ++s; }
    void init() { throw std::runtime_error("cannot start"); }
  };
  static constexpr smarm::server_name<named> the_name("a name that is wanted again");
  std::atomic<int> starts{0};
  std::vector<errc> errors;
  smarm::runtime({.schedulers = 1,
                  .reports = [](const smarm::report&) { smarm::this_actor::sleep_for(1ms); }})
      .run([&] {
        auto sup = smarm::start_supervisor({}).value();
        for (int i = 0; i < 5; ++i) {
          errors.push_back(
              code(sup.start_child({.id = "a", .start = smarm::server(the_name, std::ref(starts))})));
        }
      });
  BOOST_TEST(starts == 5);
  for (const errc e : errors) {
    BOOST_TEST(e == errc::start_failed);
  }
}

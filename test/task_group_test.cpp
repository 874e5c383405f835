// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Groups of tasks: so many at once, all over when the group is, failures told, stops handed on.

#define BOOST_TEST_MODULE task_group
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/error.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/stop.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
using smarm::task_group;

namespace {

const auto for_ever = [] { smarm::this_actor::sleep_for(24h); };

template <class Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing";
}

} // namespace

BOOST_AUTO_TEST_SUITE(task_group_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(wait_returns_when_all_tasks_have_ended) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    task_group group;
    for (int i = 0; i < 100; ++i) {
      group.spawn([&, end = noted_end(seen, "destroyed")] { smarm::this_actor::yield(); });
    }
    group.wait();
    seen.note("waited");
    seen.note(std::to_string(group.size()));
    group.wait(); // nothing to wait for
  });
  BOOST_TEST(seen.count("destroyed") == 100u);
  BOOST_TEST(seen.all().at(100) == "waited");
  BOOST_TEST(seen.all().at(101) == "0");
}

BOOST_AUTO_TEST_CASE(no_more_than_its_limit_are_at_work) {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> done{0};
  struct counted {
    std::atomic<int>* inside;
    explicit counted(std::atomic<int>& n) : inside(&n) {}
    counted(counted&& other) noexcept : inside(std::exchange(other.inside, nullptr)) {}
    ~counted() {
      if (inside != nullptr) {
        --*inside; // the destructors of the body belong to the task
      }
    }
  };
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    task_group group(3);
    for (int i = 0; i < 1000; ++i) {
      group.spawn([&, end = counted(inside)] {
        const int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        smarm::this_actor::yield();
        ++done;
      });
    }
    group.wait();
  });
  BOOST_TEST(done == 1000);
  BOOST_TEST(most == 3);
  BOOST_TEST(inside == 0);
}

BOOST_AUTO_TEST_CASE(a_full_group_refuses_what_is_tried_and_leaves_it_alone) {
  std::vector<int> said;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::binary_semaphore go(0);
    task_group group(1);
    said.push_back(group.try_spawn([&] { go.acquire(); }).has_value());
    auto body = [value = std::make_unique<int>(7), &said] { said.push_back(*value); };
    const auto refused = group.try_spawn(std::move(body));
    said.push_back(refused.has_error() && refused.error() == errc::queue_full);
    go.release();
    group.wait();
    said.push_back(group.try_spawn(std::move(body)).has_value());
    group.wait();
  });
  CHECK_LIST(said, {1, 1, 1, 7});
}

BOOST_AUTO_TEST_CASE(wait_throws_what_the_first_that_failed_threw) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    task_group group;
    smarm::binary_semaphore second(0);
    group.spawn([&] {
      second.acquire();
      throw std::runtime_error("later");
    });
    group.spawn([&] {
      second.release();
      throw std::runtime_error("first");
    });
    group.spawn([&] {
      smarm::this_actor::yield();
      seen.note("not disturbed");
    });
    seen.note(thrown([&] { group.wait(); }));
    seen.note(thrown([&] { group.wait(); }));
  });
  CHECK_LIST(seen.all(), {"not disturbed", "first", "nothing"});
}

BOOST_AUTO_TEST_CASE(a_failure_is_kept_while_a_limited_group_goes_on) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    task_group group(1);
    for (int i = 0; i < 5; ++i) {
      group.spawn([i] {
        if (i % 2 == 1) {
          throw std::runtime_error(std::to_string(i));
        }
      });
    }
    seen.note(thrown([&] { group.wait(); }));
  });
  CHECK_LIST(seen.all(), {"1"});
}

BOOST_AUTO_TEST_CASE(leaving_the_scope_shuts_the_tasks_down_and_waits_for_them) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    try {
      task_group group;
      for (int i = 0; i < 3; ++i) {
        group.spawn([&, end = noted_end(seen, "ended")] { for_ever(); });
      }
      group.spawn([&] { // one that takes its time
        try {
          for_ever();
        } catch (...) {
          smarm::this_actor::run_on_thread_stack([&] { seen.note("unwinding"); });
          throw;
        }
      });
      smarm::this_actor::yield();
      throw 1;
    } catch (int) {
      seen.note("left");
    }
  });
  BOOST_TEST(seen.count("ended") == 3u);
  BOOST_TEST(seen.all().back() == "left");
}

BOOST_AUTO_TEST_CASE(tasks_that_have_not_begun_end_with_the_scope_too) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    {
      task_group group;
      for (int i = 0; i < 3; ++i) {
        group.spawn([&, end = noted_end(seen, "destroyed")] { for_ever(); });
      }
    }
    seen.note("left");
  });
  CHECK_LIST(seen.all(), {"destroyed", "destroyed", "destroyed", "left"});
}

BOOST_AUTO_TEST_CASE(what_a_task_spawns_while_the_group_is_left_ends_as_well) {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    task_group group;
    group.spawn([&] {
      try {
        for_ever();
      } catch (...) {
        const smarm::disable_stop masked; // a spawn is a stop point
        for (int i = 0; i < 3; ++i) {
          ++begun;
          group.spawn([&] {
            try {
              for_ever();
            } catch (...) {
              ++ended;
              throw;
            }
          });
        }
        throw;
      }
    });
    smarm::this_actor::yield();
  });
  BOOST_TEST(begun == 3);
  BOOST_TEST(ended == begun);
}

BOOST_AUTO_TEST_CASE(a_task_may_spawn_into_its_group) {
  std::atomic<int> leaves{0};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    task_group group;
    struct tree {
      task_group& group;
      std::atomic<int>& leaves;
      int depth;
      void operator()() const {
        if (depth == 0) {
          ++leaves;
          return;
        }
        group.spawn(tree{group, leaves, depth - 1});
        group.spawn(tree{group, leaves, depth - 1});
      }
    };
    group.spawn(tree{group, leaves, 8});
    group.wait();
  });
  BOOST_TEST(leaves == 256);
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_waits_and_reaches_the_tasks) {
  for (const bool spawning : {false, true}) {
    recorder seen;
    exit_kind how{};
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      auto owner = waiting([&] {
        task_group group(1);
        group.spawn([&, end = noted_end(seen, "task")] { for_ever(); });
        if (spawning) {
          group.spawn([&] { seen.note("never"); });
        } else {
          group.wait();
        }
        seen.note("went on");
      });
      smarm::request_stop(owner.id());
      how = owner.join().kind();
      seen.note("owner");
    });
    CHECK_LIST(seen.all(), {"task", "owner"});
    BOOST_TEST((how == exit_kind::stopped));
  }
}

BOOST_AUTO_TEST_CASE(a_destructor_is_no_stop_point) {
  recorder seen;
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    how = smarm::spawn([&] {
            {
              task_group group;
              group.spawn(for_ever);
              smarm::request_stop(smarm::this_actor::self());
            }
            seen.note("after the group");
            smarm::this_actor::yield();
            seen.note("went on");
          })
              .join()
              .kind();
  });
  CHECK_LIST(seen.all(), {"after the group"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(asked_to_shut_down_tasks_end_and_have_not_failed) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    task_group group;
    for (int i = 0; i < 50; ++i) {
      group.spawn([&, end = noted_end(seen, "ended")] { for_ever(); });
    }
    group.request_shutdown();
    seen.note(thrown([&] { group.wait(); }));
    group.spawn([&] { seen.note("of later"); });
    group.wait();
  });
  BOOST_TEST(seen.count("ended") == 50u);
  BOOST_TEST(seen.all().at(50) == "nothing");
  BOOST_TEST(seen.all().at(51) == "of later");
}

BOOST_AUTO_TEST_CASE(a_body_that_cannot_be_moved_in_leaves_the_group_as_it_was) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    struct refuses {
      refuses() = default;
      refuses(const refuses&) { throw std::runtime_error("copied"); }
      void operator()() const {}
    };
    const refuses body;
    task_group group(1);
    seen.note(thrown([&] { group.spawn(body); }));
    group.spawn([&] { seen.note("there is a place"); });
    group.wait();
  });
  CHECK_LIST(seen.all(), {"copied", "there is a place"});
}

BOOST_AUTO_TEST_CASE(a_spawn_that_is_refused_gives_its_place_back) {
  std::vector<boost::system::error_code> said;
  smarm::config small = quiet(1);
  small.max_actors = 2;
  smarm::runtime rt(small);
  rt.run([&] {
    task_group group(2);
    group.spawn(for_ever);
    said.push_back(refusal([&] { group.spawn([] {}); }));
    said.push_back(group.try_spawn([] {}).error());
    group.request_shutdown();
    group.wait();
    group.spawn([] {});
    group.wait();
    said.push_back({});
  });
  BOOST_TEST(said.size() == 3u);
  BOOST_TEST((said.at(0) == errc::too_many_actors));
  BOOST_TEST((said.at(1) == errc::too_many_actors));
}

BOOST_AUTO_TEST_CASE(outside_an_actor_and_with_no_limit_at_all_it_is_refused) {
  BOOST_TEST((refusal([] { task_group(0); }) == errc::invalid_config));
  task_group group;
  BOOST_TEST((refusal([&] { group.spawn([] {}); }) == errc::not_in_actor));
  BOOST_TEST((refusal([&] { group.request_shutdown(); }) == errc::not_in_actor));
  group.wait();
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_only_a_wait_is_refused) {
  std::vector<boost::system::error_code> said;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    std::optional<task_group> group(std::in_place, 1u);
    group->spawn(for_ever);
    smarm::this_actor::run_on_thread_stack([&] {
      said.push_back(refusal([&] { group->wait(); }));
      said.push_back(refusal([&] { group->spawn([] {}); }));
      group->request_shutdown();
    });
    until([&] { return group->size() == 0; });
    smarm::this_actor::run_on_thread_stack([&] {
      group->wait();
      group.reset();
    });
  });
  BOOST_TEST(said.size() == 2u);
  for (const auto& code : said) {
    BOOST_TEST((code == errc::would_block_scheduler));
  }
}

BOOST_AUTO_TEST_CASE(a_thread_may_wait_for_the_tasks_that_actors_started) {
  std::atomic<int> done{0};
  std::optional<task_group> group(std::in_place);
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int i = 0; i < 20; ++i) {
      group->spawn([&] { ++done; });
    }
    until([&] { return done == 20; });
  });
  group->wait();
  group.reset();
  BOOST_TEST(done == 20);
}

BOOST_AUTO_TEST_CASE(a_task_that_would_wait_for_its_own_place_is_refused) {
  std::vector<boost::system::error_code> said;
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    task_group group(1);
    group.spawn([&] {
      said.push_back(refusal([&] { group.spawn([&] { seen.note("never"); }); }));
      said.push_back(group.try_spawn([] {}).error());
    });
    group.wait();
    group.spawn([&] { seen.note("later"); });
    group.wait();
  });
  BOOST_TEST(said.size() == 2u);
  BOOST_TEST((said.at(0) == errc::would_deadlock));
  BOOST_TEST((said.at(1) == errc::queue_full));
  CHECK_LIST(seen.all(), {"later"});
}

// A tree that is wider than the group: whoever is refused does the work itself, and all is done.
BOOST_AUTO_TEST_CASE(tasks_that_fill_their_group_get_on_since_the_last_to_wait_is_refused) {
  for (const unsigned schedulers : {1u, 2u}) {
    std::atomic<int> leaves{0};
    std::atomic<int> refused{0};
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      task_group group(4);
      struct tree {
        task_group& group;
        std::atomic<int>& leaves;
        std::atomic<int>& refused;
        int depth;
        void operator()() const {
          if (depth == 0) {
            ++leaves;
            return;
          }
          for (int i = 0; i < 2; ++i) {
            const tree child{group, leaves, refused, depth - 1};
            smarm::this_actor::yield(); // the others fill it meanwhile
            if (refusal([&] { group.spawn(child); }) == errc::would_deadlock) {
              ++refused;
              child();
            }
          }
        }
      };
      group.spawn(tree{group, leaves, refused, 8});
      group.wait();
    });
    BOOST_TEST(leaves == 256);
    BOOST_TEST(refused > 0);
  }
}

// Others than its tasks wait for as long as it takes.
BOOST_AUTO_TEST_CASE(only_tasks_of_the_same_group_are_refused) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    task_group outer(1);
    task_group inner(1);
    smarm::binary_semaphore go(0);
    outer.spawn([&] {
      inner.spawn([&] { go.acquire(); });
      inner.spawn([&] { seen.note("second"); }); // waits for the first
      inner.wait();
    });
    auto beside = waiting([&] { outer.spawn([&] { seen.note("beside"); }); });
    go.release();
    outer.wait();
    (void)beside.join();
    outer.wait();
  });
  CHECK_LIST(seen.all(), {"second", "beside"});
}

BOOST_AUTO_TEST_CASE(a_stopped_wait_for_a_place_does_not_count_any_longer) {
  std::vector<boost::system::error_code> said;
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    task_group group(2);
    smarm::pid first;
    smarm::binary_semaphore go(0);
    group.spawn([&] {
      first = smarm::this_actor::self();
      group.spawn([] {});
    });
    group.spawn([&] {
      go.acquire();
      said.push_back(refusal([&] { group.spawn([] {}); }));
    });
    until([&] { return first != smarm::pid() && parked(first); });
    smarm::request_stop(first);
    until([&] { return group.size() == 1; });
    go.release();
    group.wait();
    how = exit_kind::normal;
  });
  BOOST_TEST(said.size() == 1u);
  BOOST_TEST((said.at(0) == boost::system::error_code()));
  BOOST_TEST((how == exit_kind::normal));
}

BOOST_AUTO_TEST_CASE(a_task_cannot_wait_for_its_group) {
  std::vector<boost::system::error_code> said;
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    task_group group;
    group.spawn([&] {
      said.push_back(refusal([&] { group.wait(); }));
      task_group own; // this is what to do instead
      own.spawn([&] { seen.note("inner"); });
      own.wait();
      seen.note("outer");
    });
    group.wait();
  });
  BOOST_TEST(said.size() == 1u);
  BOOST_TEST((said.at(0) == errc::would_deadlock));
  CHECK_LIST(seen.all(), {"inner", "outer"});
}

// The slot of a task is used again by who is none.
BOOST_AUTO_TEST_CASE(who_comes_after_a_task_is_no_task) {
  std::vector<boost::system::error_code> said;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    task_group group;
    for (int i = 0; i < 3; ++i) {
      group.spawn([] {});
      group.wait();
      smarm::binary_semaphore go(0);
      group.spawn([&] { go.acquire(); });
      auto other = waiting([&] { said.push_back(refusal([&] { group.wait(); })); });
      go.release();
      (void)other.join();
    }
  });
  BOOST_TEST(said.size() == 3u);
  for (const auto& code : said) {
    BOOST_TEST((code == boost::system::error_code()));
  }
}

// Its end cannot be waited for, and a group that is gone cannot be left to it.
BOOST_AUTO_TEST_CASE(a_task_that_destroys_its_group_ends_the_process_with_the_reason) {
  const child_end end = in_child([] {
    smarm::run([] {
      auto group = std::make_shared<task_group>();
      group->spawn([share = group] { smarm::this_actor::yield(); });
      group.reset();
      for_ever();
    });
    return 0;
  });
  BOOST_TEST(end.signal == SIGABRT);
  BOOST_TEST(end.error.find("destroyed by one of its own tasks") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

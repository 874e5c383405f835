// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A handler that waits is an actor's code like any other: what is on its stack, what it has thrown and
// caught, its actor-local values and its deadlines are as it left them, on whichever thread it goes on.

#define BOOST_TEST_MODULE server_handlers_wait
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/actor_local.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

smarm::actor_local<int> calls_so_far([] { return 0; });
recorder* ends = nullptr; // where the value below says that it goes
smarm::actor_local<noted_end> with_an_end([] { return noted_end(*ends, "local"); });

class waiter : public smarm::gen_server<waiter> {
public:
  struct catch_and_wait {
    int what;
  };
  struct unwind_and_wait {};
  struct recurse {
    int depth;
  };
  struct count {};
  struct give_up {
    smarm::receiver<int> from;
  };
  struct hold {
    recorder* to;
  };

  // Waits with an exception in hand, while others do the same.
  bool handle_call(catch_and_wait c) {
    try {
      throw std::runtime_error(std::to_string(c.what));
    } catch (const std::runtime_error& e) {
      rest(c.what);
      try {
        throw c.what;
      } catch (int inner) {
        rest(inner);
        if (inner != c.what) {
          return false;
        }
      }
      try {
        throw;
      } catch (const std::runtime_error& again) {
        return std::to_string(c.what) == again.what() && &again == &e &&
               std::uncaught_exceptions() == 0;
      }
    }
  }
  // Waits in a destructor while the stack is unwound.
  bool handle_call(unwind_and_wait) {
    bool right = false;
    struct waits_at_its_end {
      bool& right;
      ~waits_at_its_end() {
        rest(2);
        right = std::uncaught_exceptions() == 1;
      }
    };
    try {
      const waits_at_its_end last{right};
      throw 1;
    } catch (int) {
    }
    return right && std::uncaught_exceptions() == 0;
  }
  long handle_call(recurse r) { return sum_of(r.depth); }
  int handle_call(count) {
    rest(1);
    return ++*calls_so_far;
  }
  errc handle_call(give_up g) { return error_of(g.from.recv_for(1us)); }
  void handle_call(hold h) {
    (void)*with_an_end;
    const noted_end outer(*h.to, "outer");
    const noted_end inner(*h.to, "inner");
    h.to->note("waits");
    smarm::this_actor::sleep_for(24h);
  }
  void terminate(const smarm::exit_reason&) {
    if (ends != nullptr) {
      ends->note("terminate");
    }
  }

private:
  static void rest(int n) {
    for (int i = 0; i < 1 + n % 3; ++i) {
      smarm::this_actor::yield();
    }
    if (n % 4 == 0) {
      smarm::this_actor::sleep_for(1us);
    }
  }
  static long sum_of(int depth) {
    std::array<long, 64> frame;
    std::iota(frame.begin(), frame.end(), depth);
    if (depth % 8 == 0) {
      smarm::this_actor::yield();
    }
    const long below = depth == 0 ? 0 : sum_of(depth - 1);
    return below + std::accumulate(frame.begin(), frame.end(), 0L);
  }
};

long expected_sum(int depth) {
  long sum = 0;
  for (int d = 0; d <= depth; ++d) {
    sum += 64L * d + 63 * 64 / 2;
  }
  return sum;
}

// Many servers at once, each asked several times by an actor of its own.
template <class Ask>
int right_answers(unsigned schedulers, Ask ask) {
  constexpr int servers = 20;
  std::atomic<int> right{0};
  smarm::runtime rt(quiet(schedulers));
  rt.run([&] {
    std::vector<smarm::join_handle> callers;
    for (int i = 0; i < servers; ++i) {
      callers.push_back(smarm::spawn([&, i] {
        auto s = smarm::start_server<waiter>().value();
        for (int n = 0; n < 25; ++n) {
          right += ask(s, i, n);
        }
      }));
    }
    for (auto& each : callers) {
      (void)each.join();
    }
  });
  return right;
}
constexpr int all_of_them = 20 * 25;

using ref = smarm::server_ref<waiter>;

} // namespace

BOOST_AUTO_TEST_SUITE(server_handlers_wait, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(each_keeps_the_exceptions_that_it_handles) {
  for (const unsigned schedulers : {1U, 2U}) {
    BOOST_TEST(right_answers(schedulers, [](const ref& s, int i, int n) {
                 return s.call(waiter::catch_and_wait{i * 100 + n}).value();
               }) == all_of_them);
  }
}

BOOST_AUTO_TEST_CASE(each_may_wait_while_it_unwinds) {
  for (const unsigned schedulers : {1U, 2U}) {
    BOOST_TEST(right_answers(schedulers, [](const ref& s, int, int) {
                 return s.call(waiter::unwind_and_wait{}).value();
               }) == all_of_them);
  }
}

BOOST_AUTO_TEST_CASE(each_has_a_stack_of_its_own_however_deep) {
  for (const unsigned schedulers : {1U, 2U}) {
    BOOST_TEST(right_answers(schedulers, [](const ref& s, int i, int n) {
                 const int depth = (i * 7 + n) % 60;
                 return s.call(waiter::recurse{depth}).value() == expected_sum(depth);
               }) == all_of_them);
  }
}

// Each callback may run on another stack than the last one; the values go with the server.
BOOST_AUTO_TEST_CASE(actor_local_values_are_the_servers_from_call_to_call) {
  for (const unsigned schedulers : {1U, 2U}) {
    BOOST_TEST(right_answers(schedulers, [](const ref& s, int, int n) {
                 return s.call(waiter::count{}).value() == n + 1;
               }) == all_of_them);
  }
}

BOOST_AUTO_TEST_CASE(its_deadlines_pass_and_it_goes_on) {
  BOOST_TEST(right_answers(2, [](const ref& s, int, int) {
               auto [to, from] = smarm::channel<int>();
               return s.call(waiter::give_up{std::move(from)}).value() == errc::timed_out;
             }) == all_of_them);
}

BOOST_AUTO_TEST_CASE(a_stop_unwinds_what_is_on_its_stack_then_come_terminate_and_the_locals) {
  recorder seen;
  ends = &seen;
  errc got{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto s = smarm::start_server<waiter>().value();
    auto ended = smarm::monitor(s.id());
    auto p = s.send_request(waiter::hold{&seen}).value();
    until([&] { return parked(s.id()) && seen.size() == 1; });
    (void)smarm::request_stop(s.id());
    got = error_of(p.recv());
    seen.note(smarm::to_string(ended.recv().value().reason.kind()));
  });
  ends = nullptr;
  CHECK_LIST(seen.all(), {"waits", "inner", "outer", "terminate", "local", "stopped"});
  BOOST_TEST((got == errc::server_down));
}

BOOST_AUTO_TEST_SUITE_END()

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the events of a state machine cost: plain ones, with a call to itself, postponed ones, those that
// set a timeout; and ten thousand machines that set their state timeouts anew with each event.

#include "in_runtime.hpp"

#include <smarm/gen_statem.hpp>
#include <smarm/this_actor.hpp>

#include <boost/describe/enum.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using smarm_bench::measure;
using smarm_bench::scaled;

BOOST_DEFINE_ENUM_CLASS(gate_state, shut, open)

class gate : public smarm::gen_statem<gate, gate_state> {
  using enum gate_state;

public:
  struct flip {};  // a change of state
  struct knock {}; // is postponed while it is shut
  struct tell {};  // tells itself of a nod
  struct nod {};
  struct guard {};    // sets the state timeout anew
  struct remind {};   // sets a timeout with a name anew
  struct too_long {}; // never, here
  struct count {
    using reply = std::uint64_t;
  };
  using events = smarm::events<flip, knock, tell, nod, guard, remind, too_long, count>;

  smarm::to<open> on(smarm::in<shut>, flip) {
    ++count_;
    return {};
  }
  smarm::to<shut> on(smarm::in<open>, flip) {
    ++count_;
    return {};
  }
  smarm::postponed on(smarm::in<shut>, knock);
  smarm::stay on(smarm::in<open>, knock) {
    ++count_;
    return {};
  }
  smarm::stay on(smarm::any_state, tell) {
    next_event(nod{});
    return {};
  }
  smarm::stay on(smarm::any_state, nod) {
    ++count_;
    return {};
  }
  smarm::stay on(smarm::any_state, guard) {
    state_timeout(1h, too_long{});
    ++count_;
    return {};
  }
  smarm::stay on(smarm::any_state, remind) {
    timeout("reminder", 1h, too_long{});
    ++count_;
    return {};
  }
  smarm::stopped on(smarm::any_state, too_long) { return {}; }
  smarm::stay on(smarm::any_state, count, smarm::reply_to<std::uint64_t> r) {
    r.reply(count_);
    return {};
  }

private:
  std::uint64_t count_ = 0;
};

constexpr std::uint64_t batch = 1000;

// So many rounds, each of which casts `events` that are counted, with a call after each batch.
template <class Round>
void events(const char* workload, std::uint64_t n, std::uint64_t counted_per_round, Round round) {
  n = scaled(n);
  const double ops = static_cast<double>(n * counted_per_round);
  measure(workload, "n=" + std::to_string(n * counted_per_round) + ";batch=1000", ops, [&] {
    auto g = smarm::start_server<gate>().value();
    for (std::uint64_t i = 0; i < n; ++i) {
      round(g);
      if (i % (batch / counted_per_round) == 0) {
        (void)g.call(gate::count{});
      }
    }
    smarm_bench::require(g.call(gate::count{}).value() == n * counted_per_round, workload);
  });
}

// All machines get one event after the other: each sets its state timeout anew. The longest round says
// whether that ever stalls.
void many_timeouts() {
  const std::uint64_t machines = scaled(10'000), rounds = 20;
  if (!smarm_bench::selected("statem_rearm_many")) {
    return;
  }
  smarm::runtime rt(smarm_bench::runtime_settings());
  rt.run([&] {
    std::vector<smarm::server_ref<gate>> all;
    for (std::uint64_t i = 0; i < machines; ++i) {
      all.push_back(smarm::start_server<gate>().value());
    }
    using clock = std::chrono::steady_clock;
    std::vector<double> times;
    const int repetitions = smarm_bench::quick() ? 2 : 11;
    double longest = 0;
    for (int r = 0; r < repetitions; ++r) {
      const auto begin = clock::now();
      for (std::uint64_t i = 0; i < rounds; ++i) {
        const auto round_begin = clock::now();
        for (const auto& each : all) {
          (void)each.cast(gate::guard{});
        }
        (void)all.back().call(gate::count{});
        longest = std::max(
            longest, std::chrono::duration<double, std::micro>(clock::now() - round_begin).count());
      }
      times.push_back(std::chrono::duration<double, std::micro>(clock::now() - begin).count());
    }
    std::uint64_t sum = 0;
    for (const auto& each : all) {
      sum += each.call(gate::count{}).value();
    }
    smarm_bench::require(sum == machines * rounds * static_cast<std::uint64_t>(repetitions),
                         "statem_rearm_many");
    std::sort(times.begin(), times.end());
    char extra[64];
    std::snprintf(extra, sizeof extra, "longest_round_us=%.0f", longest);
    smarm_bench::line("statem_rearm_many", smarm_bench::threads,
                      "machines=" + std::to_string(machines) + ";rounds=20",
                      times[times.size() / 2], times.front(),
                      static_cast<double>(machines * rounds), extra);
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  events("statem_event", 1'000'000, 1, [](const auto& g) { (void)g.cast(gate::flip{}); });
  events("statem_internal", 500'000, 1, [](const auto& g) { (void)g.cast(gate::tell{}); });
  // Two of four events are postponed, and retried by the third.
  events("statem_postpone", 250'000, 4, [](const auto& g) {
    (void)g.cast(gate::knock{});
    (void)g.cast(gate::knock{});
    (void)g.cast(gate::flip{});
    (void)g.cast(gate::flip{});
  });
  events("statem_state_timeout", 500'000, 1, [](const auto& g) { (void)g.cast(gate::guard{}); });
  events("statem_named_timeout", 500'000, 1, [](const auto& g) { (void)g.cast(gate::remind{}); });
  many_timeouts();
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "watch.hpp"

#include <smarm/detail/runtime_state.hpp>
#include <smarm/runtime.hpp>
#include <smarm/wait_kind.hpp>

#include <algorithm>

namespace smarm::detail {

void watch::look_for_wakes(slot& s, actor_seen& seen, std::uint32_t epoch, bool late) {
  constexpr std::uint32_t epoch_mask = 0xff'ffff;
  const std::uint64_t received = s.messages_received.load(std::memory_order_relaxed);
  const std::uint32_t wakes = (epoch - seen.epoch) & epoch_mask;
  const std::uint64_t messages = received - seen.received;
  seen.received = received;
  waits_now_ += wakes;
  if (late || how_.wakes_per_second == 0 || seconds_ <= 0) {
    return;
  }
  const double rate = wakes / seconds_;
  const bool by_itself = seen.kind == wait_kind::sleep || seen.kind == wait_kind::message;
  if (rate < static_cast<double>(how_.wakes_per_second) || messages > wakes / 10 || !by_itself) {
    seen.told_storm = false;
  } else if (!seen.told_storm) {
    seen.told_storm = true;
    tell(report_kind::wake_storm, s, seen.generation,
         "wakes " + std::to_string(static_cast<std::uint64_t>(rate)) +
             " times in a second from short waits for " + to_string(seen.kind) +
             " and takes no message: let it wait for what it looks for, or longer");
  }
}

// Nobody counts the yields of an actor. But where most switches neither end a wait nor begin a life,
// they are yields, or the waits of those who live shortly. Who is seen to run again and again, but does not
// wait, and does not compute either, makes such yields.
void watch::look_for_yields(runtime_state& runtime, bool late) {
  const runtime_stats counts = runtime.stats();
  const std::uint64_t switches = counts.switches - switches_;
  const std::uint64_t others = waits_now_ + counts.spawned - spawned_;
  switches_ = counts.switches;
  spawned_ = counts.spawned;
  if (how_.wakes_per_second == 0 || seconds_ <= 0) {
    return;
  }
  if (static_cast<double>(switches) < static_cast<double>(how_.wakes_per_second) * seconds_ ||
      others > switches / 10) {
    told_yields_ = false;
    runners_.clear();
    return;
  }
  if (late) {
    return;
  }
  for (const auto& s : runtime.schedulers) {
    slot* const current = s->current;
    if (current == nullptr || !s->is_actor(current)) {
      continue;
    }
    const slot_snapshot word = current->word.snapshot();
    const runner_seen now{word.epoch, current->overruns.load(std::memory_order_relaxed),
                          current->messages_received.load(std::memory_order_relaxed), 1};
    const auto [known, first] = runners_.try_emplace({current, word.generation}, now);
    runner_seen& before = known->second;
    if (first) {
      continue;
    }
    if (before.epoch != now.epoch || before.overruns != now.overruns ||
        before.received != now.received) {
      before = now;
    } else {
      ++before.looks;
    }
  }
  const auto most =
      std::max_element(runners_.begin(), runners_.end(), [](const auto& a, const auto& b) {
        return a.second.looks < b.second.looks;
      });
  if (told_yields_ || most == runners_.end() || most->second.looks < 3) {
    return;
  }
  told_yields_ = true;
  tell(report_kind::wake_storm, *most->first.first, most->first.second,
       "was seen to run while actors yielded " +
           std::to_string(static_cast<std::uint64_t>(static_cast<double>(switches) / seconds_)) +
           " times in a second without waiting for anything: let who looks for something wait for it, "
           "by a channel, a condition variable or select");
}

} // namespace smarm::detail

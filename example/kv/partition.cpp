// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "partition.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace kv {

using namespace std::chrono_literals;

smarm::init_result partition::init() {
  try {
    load();
  } catch (const std::exception&) {
    return smarm::init_result::stop(smarm::exit_reason::failed(std::current_exception()));
  }
  if (const auto started = start_disk(); !started) {
    return smarm::init_result::stop(smarm::exit_reason::failed(started.error().message()));
  }
  watch_deadlines();
  return smarm::init_result::ok();
}

void partition::handle_call(execute m, smarm::reply_to<work> answer) {
  const std::int64_t now = wall_clock();
  m.what->each([&](const command& what, const arguments& words) {
    if (what.what == verb::debug) {
      throw std::runtime_error("DEBUG CRASH");
    }
    if (!answered_by_disk(what, m.what->replies)) {
      keys_.execute(what, words, now, m.what->replies, changes_);
    }
  });
  watch_deadlines();
  if (may_answer()) {
    return answer.reply(std::move(m.what));
  }
  held_.push_back({std::move(m.what), std::move(answer)});
  write_soon();
}

void partition::watch_deadlines() {
  const std::int64_t next = keys_.next_deadline();
  if (next >= watched_deadline_) {
    return;
  }
  (void)cancel(deadline_timer_);
  watched_deadline_ = next;
  constexpr std::int64_t longest =
      std::int64_t{3600} * 1000; // the wall's clock may be set meanwhile
  const auto wait = std::clamp<std::int64_t>(next - wall_clock(), 1, longest);
  deadline_timer_ = arm_after(std::chrono::milliseconds(wait), keys_due());
}

void partition::handle_timer(keys_due) {
  constexpr std::size_t at_once = 1000; // others wait meanwhile
  watched_deadline_ = never;
  deadline_timer_ = smarm::server_timer::none;
  (void)keys_.expire(wall_clock(), at_once, changes_);
  watch_deadlines();
  if (!may_answer()) {
    write_soon();
  }
}

} // namespace kv

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
  if (m.is_reserved ? m.by != reserved_by_ : reserved_by_ != smarm::pid::none()) {
    if (!m.is_reserved) {
      waiting_.push_back({std::move(m), std::move(answer)});
    } // else it was reserved before it was restarted: nothing is done
    return;
  }
  const bool ends_reservation = m.is_reserved;
  carry_out(std::move(m), std::move(answer));
  if (ends_reservation) {
    end_reservation();
  }
}

void partition::handle_call(reserve m, smarm::reply_to<bool> answer) {
  if (reserved_by_ != smarm::pid::none()) {
    waiting_.push_back({execute{nullptr, m.by, true}, std::move(answer)});
  } else {
    grant(m.by, std::move(answer));
  }
}

void partition::grant(smarm::pid to, smarm::reply_to<bool> answer) {
  reserved_by_ = to;
  watch(to);
  answer.reply(true);
}

void partition::end_reservation() {
  (void)unwatch(reserved_by_);
  reserved_by_ = smarm::pid::none();
  while (!waiting_.empty() && reserved_by_ == smarm::pid::none()) {
    waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    if (auto* const for_work = std::get_if<smarm::reply_to<work>>(&next.answer)) {
      carry_out(std::move(next.m), std::move(*for_work));
    } else {
      grant(next.m.by, std::move(std::get<smarm::reply_to<bool>>(next.answer)));
    }
  }
}

void partition::handle_cast(release m) {
  if (m.by == reserved_by_) {
    end_reservation();
  }
}

void partition::handle_down(smarm::down d) {
  if (d.actor == reserved_by_) {
    end_reservation();
  }
}

void partition::carry_out(execute m, smarm::reply_to<work> answer) {
  const std::int64_t now = wall_clock();
  m.what->each([&](const command& what, const arguments& words) {
    if (what.what == verb::debug) {
      throw std::runtime_error("DEBUG CRASH");
    }
    if (!answered_by_disk(what, m.what->replies)) {
      const std::size_t before = changes_.size();
      keys_.execute(what, words, now, m.what->replies, changes_);
      unwritten_ += changes_.size() != before ? 1 : 0;
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

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "partition.hpp"

#include "resp_writer.hpp"

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

namespace kv {

using namespace std::chrono_literals;

void partition::say(const std::string& text) const {
  if (how_.log) {
    how_.log(std::string("partition ").append(std::to_string(index_)).append(": ").append(text));
  }
}

smarm::init_result partition::init() {
  try {
    load();
  } catch (const std::exception&) {
    return smarm::init_result::stop(smarm::exit_reason::failed(std::current_exception()));
  }
  if (log_ && how_.fsync == fsync_policy::everysec) {
    auto started = smarm::start_server<file_syncer>(log_->file());
    if (!started) {
      return smarm::init_result::stop(smarm::exit_reason::failed(started.error().message()));
    }
    syncer_ = *std::move(started);
    (void)tick_every(1s, sync_due());
  }
  watch_deadlines();
  return smarm::init_result::ok();
}

// The keys as the log has them, from its beginning.
void partition::load() {
  keys_ = keyspace();
  if (how_.directory.empty()) {
    return;
  }
  const std::string path =
      (std::filesystem::path(how_.directory) / ("partition-" + std::to_string(index_) + ".log"))
          .string();
  const recovery found = smarm::blocking([&] {
    log_.emplace(path);
    return log_->recover(keys_);
  });
  say("recovered " + std::to_string(found.commands) + " changes, " + std::to_string(keys_.size()) +
      " keys");
  if (found.torn_bytes != 0) {
    say("cut off " + std::to_string(found.torn_bytes) + " bytes of a torn record at byte " +
        std::to_string(found.bytes) + " of " + path);
  }
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
    keys_.execute(what, words, now, m.what->replies, changes_);
  });
  watch_deadlines();
  if (!log_) {
    changes_.clear();
  }
  if (changes_.empty()) {
    return answer.reply(std::move(m.what));
  }
  held_.push_back({std::move(m.what), std::move(answer)});
  write_soon();
}

void partition::write_soon() {
  if (!asked_to_write_) {
    asked_to_write_ = self().cast(write_log()).has_value();
    if (!asked_to_write_) {
      write_now();
    }
  }
}

void partition::handle_cast(write_log) {
  asked_to_write_ = false;
  write_now();
}

void partition::write_now() {
  if (!log_ || changes_.empty()) {
    return;
  }
  const bool sync = how_.fsync == fsync_policy::always;
  const auto failed = smarm::blocking([&] { return log_->write(changes_, sync); });
  changes_.clear();
  std::vector<held> told = std::exchange(held_, {});
  if (failed) {
    // Nobody has seen what could not be written, and nobody shall: the log has what holds.
    say("cannot write " + log_->path() + ": " + failed.message());
    load();
    std::string error;
    write_error(error, "MISCONF Errors writing to the append only file: " + failed.message());
    for (const held& h : told) {
      h.what->answer_all(error);
    }
  }
  unsynced_ = !failed && !sync;
  for (held& h : told) {
    h.answer.reply(std::move(h.what));
  }
  told.clear();
  held_ = std::move(told); // for its memory
}

void partition::handle_timer(sync_due) {
  if (!unsynced_ || syncing_) {
    return;
  }
  if (auto asked = syncer_.send_request(file_syncer::sync())) {
    unsynced_ = false;
    syncing_ = true;
    expect(*std::move(asked), sync_due());
  }
}

void partition::handle_reply(sync_due, boost::system::result<boost::system::error_code> done) {
  syncing_ = false;
  if (const auto error = done ? *done : done.error()) {
    // What the system has dropped it does not tell twice: only the file says what is in it.
    throw boost::system::system_error(error, "cannot make " + log_->path() + " durable");
  }
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
  if (!log_) {
    changes_.clear();
  }
  if (!changes_.empty()) {
    write_soon();
  }
}

void partition::terminate(const smarm::exit_reason& why) {
  if (why.is_clean() && log_) {
    write_now();
    const auto failed = smarm::blocking([&] { return log_->file()->sync(); });
    if (failed) {
      say("cannot make " + log_->path() + " durable: " + failed.message());
    }
  }
}

} // namespace kv

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// What a partition does about its log.

#include "partition.hpp"
#include "resp_writer.hpp"

#include <smarm/blocking.hpp>
#include <smarm/start_server.hpp>

#include <algorithm>
#include <chrono>

namespace kv {

using namespace std::chrono_literals;
using boost::system::error_code;

namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10; // of a snapshot, between two batches

bool only_reads(verb what) noexcept {
  switch (what) {
  case verb::get:
  case verb::strlen:
  case verb::ttl:
  case verb::pttl:
  case verb::exists:
  case verb::mget:
  case verb::keys:
  case verb::scan:
  case verb::dbsize: return true;
  default: return false;
  }
}

error_code outcome_of(const disk_outcome& done) { return done ? *done : done.error(); }

} // namespace

void partition::say(const std::string& text) const {
  if (how_.log) {
    how_.log(std::string("partition ").append(std::to_string(index_)).append(": ").append(text));
  }
}

boost::system::result<void> partition::start_disk() {
  if (!log_) {
    return {};
  }
  auto syncer = smarm::start_server<log_syncer>(smarm::spawn_options{.label = "log syncer"});
  if (!syncer) {
    return syncer.error();
  }
  auto writer =
      smarm::start_server<snapshot_writer>(smarm::spawn_options{.label = "snapshot writer"});
  if (!writer) {
    return writer.error();
  }
  syncer_ = *std::move(syncer);
  writer_ = *std::move(writer);
  if (how_.fsync == fsync_policy::everysec) {
    (void)tick_every(1s, sync_due());
  }
  return {};
}

// The keys as snapshot and logs have them.
void partition::load() {
  keys_ = keyspace();
  if (how_.directory.empty()) {
    return;
  }
  log_.emplace(how_.directory, index_, how_.in_place_of);
  const recovery found = smarm::blocking([&] { return log_->recover(keys_); });
  say("recovered " + std::to_string(found.commands) + " changes, " + std::to_string(keys_.size()) +
      " keys");
  if (found.torn_bytes != 0) {
    say("cut off " + std::to_string(found.torn_bytes) + " bytes of a torn record at byte " +
        std::to_string(found.torn_at) + " of " + log_->path());
  }
}

disk_status partition::handle_call(ask_disk_status) const {
  disk_status now{.writes = refusal_.empty(),
                  .last_snapshot = !snapshot_failed_,
                  .makes_snapshot = snapshot_phase_ != phase::none,
                  .changes = changed_ + changed_before_};
  if (log_) {
    now.log_bytes = log_->log_bytes();
    now.snapshot_bytes = log_->snapshot_bytes();
  }
  return now;
}

bool partition::answered_by_disk(const command& what, std::string& reply) {
  if (what.what == verb::bgrewriteaof || what.what == verb::bgsave) {
    if (!log_) {
      write_error(reply, "ERR nothing is kept: the store was started without --dir");
    } else {
      request_snapshot();
      write_simple(reply, what.what == verb::bgsave
                              ? "Background saving started"
                              : "Background append only file rewriting started");
    }
    return true;
  }
  if (!refusal_.empty() && !only_reads(what.what)) {
    write_error(reply, refusal_);
    return true;
  }
  return false;
}

bool partition::may_answer() {
  if (!log_) {
    changes_.clear();
    changed_ += std::exchange(unwritten_, 0);
  }
  // Of what is refused nothing was done; that a key's time has come is in the log with the key.
  return changes_.empty() || !refusal_.empty();
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
  if (!log_ || changes_.empty() || !refusal_.empty()) {
    return;
  }
  const bool sync = how_.fsync == fsync_policy::always;
  const auto write = [&] { return log_->write(changes_, sync); };
  // The system takes some KiB into its cache in less time than it takes to wake a thread of the pool and to
  // be woken by it; that is what clients would wait for most. While the file is made durable a write may
  // have to wait for the disk, and so may one that is large.
  constexpr std::size_t little = std::size_t{64} << 10;
  const bool disk_is_busy = syncing_ || snapshot_phase_ == phase::log_is_synced;
  const bool is_short = !sync && !disk_is_busy && changes_.size() <= little;
  const auto failed = is_short ? write() : smarm::blocking(write);
  const std::size_t size = changes_.size();
  changes_.clear();
  changed_ += failed ? 0 : unwritten_;
  unwritten_ = 0;
  std::vector<held> told = std::exchange(held_, {});
  if (failed) {
    // Nobody has seen what could not be written, and nobody shall: the log has what holds.
    end_snapshot({});
    load();
    refuse(failed.message(), size);
    std::string error;
    write_error(error, refusal_);
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
  const std::uint64_t wanted = std::max({how_.rewrite_least_bytes, no_snapshot_below_,
                                         log_->snapshot_bytes() / 100 * how_.rewrite_percentage});
  if (how_.rewrite_percentage != 0 && log_->log_bytes() >= wanted) {
    request_snapshot();
  }
}

// ---- when the disk fails

void partition::refuse(const std::string& why, std::size_t room) {
  say("changes are refused: cannot write " + log_->path() + ": " + why);
  const bool is_new = refusal_.empty();
  refusal_ = "MISCONF Errors writing to the append only file: " + why;
  constexpr std::size_t least = std::size_t{64} << 10, most = std::size_t{4} << 20;
  needed_room_ = std::clamp(room, least, most);
  if (is_new) {
    (void)arm_after(1s, disk_due());
  }
}

void partition::accept_again() {
  refusal_.clear();
  unsafe_ = false;
  say("changes are accepted again");
  write_now();
}

void partition::handle_timer(disk_due) {
  if (refusal_.empty()) {
    return;
  }
  if (unsafe_) {
    request_snapshot();
  } else if (!smarm::blocking([&] { return log_->try_room(needed_room_); })) {
    return accept_again();
  }
  (void)arm_after(1s, disk_due());
}

void partition::handle_timer(sync_due) {
  if (!unsynced_ || syncing_) {
    return;
  }
  if (auto asked = syncer_.send_request(log_syncer::sync{log_->file()})) {
    unsynced_ = false;
    syncing_ = true;
    expect(*std::move(asked), sync_due());
  }
}

void partition::handle_reply(sync_due, disk_outcome done) {
  syncing_ = false;
  if (const error_code failed = outcome_of(done)) {
    // What the system has dropped it does not tell twice, and only memory has it: so a snapshot is made.
    unsafe_ = true;
    refuse(failed.message(), 0);
    request_snapshot();
  }
}

// ---- snapshots

void partition::request_snapshot() {
  if (snapshot_phase_ != phase::none) {
    return;
  }
  // Most of the log is made durable beforehand, so that the switch to the next one is short.
  if (auto asked = syncer_.send_request(log_syncer::sync{log_->file()})) {
    snapshot_phase_ = phase::log_is_synced;
    expect(*std::move(asked), log_synced());
  }
}

void partition::handle_reply(log_synced, disk_outcome done) {
  if (snapshot_phase_ != phase::log_is_synced) {
    return;
  }
  if (const error_code failed = outcome_of(done); failed && !unsafe_) {
    return end_snapshot(failed);
  }
  begin_snapshot();
}

void partition::begin_snapshot() {
  write_now(); // what the snapshot has the new log must not have
  if (snapshot_phase_ != phase::log_is_synced) {
    return; // that has failed
  }
  const auto failed = smarm::blocking([&] { return log_->begin_snapshot(unsafe_, snapshot_); });
  if (failed) {
    return end_snapshot(failed);
  }
  snapshot_phase_ = phase::is_written;
  ++snapshot_number_;
  changed_before_ += std::exchange(changed_, 0);
  unsynced_ = false;
  keys_.begin_snapshot();
  next_piece();
}

void partition::next_piece() {
  std::string piece;
  const bool last = !keys_.snapshot_piece(piece_bytes, piece);
  auto asked = writer_.send_request(snapshot_writer::write{snapshot_, std::move(piece), last});
  if (!asked) {
    return end_snapshot(asked.error());
  }
  expect(*std::move(asked), piece_written{snapshot_number_, last});
}

void partition::handle_reply(piece_written what, disk_outcome done) {
  if (snapshot_phase_ != phase::is_written || what.snapshot != snapshot_number_) {
    return; // of one that was given up
  }
  if (const error_code failed = outcome_of(done)) {
    return end_snapshot(failed);
  }
  if (!what.last) {
    return next_piece();
  }
  const std::uint64_t before = log_->log_bytes();
  std::vector<std::string> replaced;
  const auto failed = smarm::blocking([&] { return log_->publish(*snapshot_, replaced); });
  if (failed) {
    return end_snapshot(failed);
  }
  say("compacted its log: " + std::to_string(before) + " bytes to " +
      std::to_string(log_->snapshot_bytes()));
  (void)writer_.cast(snapshot_writer::remove{std::move(replaced), how_.in_place_of});
  no_snapshot_below_ = 0;
  changed_before_ = 0;
  snapshot_failed_ = false;
  end_snapshot({});
  if (unsafe_) {
    accept_again();
  }
}

void partition::end_snapshot(const error_code& failed) {
  snapshot_phase_ = phase::none;
  snapshot_.reset();
  keys_.end_snapshot();
  if (failed) {
    snapshot_failed_ = true;
    say("cannot compact its log: " + failed.message());
    no_snapshot_below_ = log_->log_bytes() + how_.rewrite_least_bytes;
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

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A part of the keys, and the server that owns it. It carries out one batch of commands after the other,
// so that each of them is atomic.
//
// What a batch changes is written to the log before its replies are given, and so before anybody can see
// it. All batches that have come meanwhile are written together: the server sends a message to itself, and
// writes when that comes, behind what was there before. A server that has crashed finds everything that
// was acknowledged in its log.
//
// A log that has grown is replaced by a snapshot, which is written a piece at a time by another server;
// between two pieces this one goes on. When the disk fails, commands that would change something are
// refused until it is well again, and all others are answered.

#ifndef KV_PARTITION_HPP
#define KV_PARTITION_HPP

#include "batch.hpp"
#include "disk_status.hpp"
#include "disk_workers.hpp"
#include "keyspace.hpp"
#include "partition_log.hpp"
#include "settings.hpp"

#include <smarm/gen_server.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kv {

class partition : public smarm::gen_server<partition> {
public:
  using work = std::unique_ptr<batch>;
  struct execute {
    work what;
    smarm::pid by = {};       // who sends it
    bool is_reserved = false; // only if it has reserved the partition, and that ends with this
  };
  // From the answer on nobody else's commands are carried out, until its own have come, it releases it,
  // or has ended. Who reserves several does so in their order, or two might wait for each other.
  struct reserve {
    smarm::pid by;
  };
  struct release {
    smarm::pid by;
  };
  struct ask_disk_status {};
  struct write_log {};
  struct sync_due {};
  struct disk_due {};
  struct keys_due {};
  struct log_synced {}; // before a snapshot
  struct piece_written {
    std::uint64_t snapshot;
    bool last;
  };

  partition(settings how, std::size_t index) : how_(std::move(how)), index_(index) {}

  smarm::init_result init();
  void handle_call(execute m, smarm::reply_to<work> answer);
  void handle_call(reserve m, smarm::reply_to<bool> answer);
  void handle_cast(release m);
  [[nodiscard]] disk_status handle_call(ask_disk_status) const;
  void handle_down(smarm::down d);
  void handle_cast(write_log);
  void handle_timer(sync_due);
  void handle_timer(disk_due);
  void handle_timer(keys_due);
  void handle_reply(sync_due, disk_outcome done);
  void handle_reply(log_synced, disk_outcome done);
  void handle_reply(piece_written what, disk_outcome done);
  void terminate(const smarm::exit_reason& why);

private:
  struct held {
    work what;
    smarm::reply_to<work> answer;
  };
  // What came while the partition was reserved.
  struct waiting {
    execute m;
    std::variant<smarm::reply_to<work>, smarm::reply_to<bool>> answer;
  };

  void carry_out(execute m, smarm::reply_to<work> answer);
  void grant(smarm::pid to, smarm::reply_to<bool> answer);
  void end_reservation();
  void watch_deadlines();

  // partition_disk.cpp
  [[nodiscard]] boost::system::result<void> start_disk();
  void load();
  // Commands about the disk, and those that are refused because of it.
  [[nodiscard]] bool answered_by_disk(const command& what, std::string& reply);
  // Nothing that anybody could see has still to be written.
  [[nodiscard]] bool may_answer();
  void write_soon();
  void write_now();
  void refuse(const std::string& why, std::size_t room);
  void accept_again();
  void request_snapshot();
  void begin_snapshot();
  void next_piece();
  void end_snapshot(const boost::system::error_code& failed);
  void say(const std::string& text) const;

  settings how_;
  std::size_t index_;
  keyspace keys_;
  std::optional<partition_log> log_;
  smarm::server_ref<log_syncer> syncer_;
  smarm::server_ref<snapshot_writer> writer_;
  std::string changes_;    // which are not written yet
  std::vector<held> held_; // answered when they are
  smarm::pid reserved_by_;
  std::deque<waiting> waiting_;
  bool asked_to_write_ = false, unsynced_ = false, syncing_ = false;

  std::string refusal_;         // what who wants to change something is told; empty: it is done
  std::size_t needed_room_ = 0; // before it is empty again
  bool unsafe_ = false;         // the log may have lost something: only a snapshot helps
  // Commands that have changed something: those of changes_, those since the last snapshot began, and those
  // between that and the one before it, while it has not been made.
  std::uint64_t unwritten_ = 0, changed_ = 0, changed_before_ = 0;
  bool snapshot_failed_ = false;

  enum class phase : unsigned char { none, log_is_synced, is_written };
  phase snapshot_phase_ = phase::none;
  std::shared_ptr<snapshot_file> snapshot_;
  std::uint64_t snapshot_number_ = 0;
  std::uint64_t no_snapshot_below_ =
      0; // bytes of the log: so that one that failed is not tried at once

  std::int64_t watched_deadline_ = never;
  smarm::server_timer deadline_timer_ = smarm::server_timer::none;
};

} // namespace kv

#endif

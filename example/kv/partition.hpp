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

#ifndef KV_PARTITION_HPP
#define KV_PARTITION_HPP

#include "append_log.hpp"
#include "batch.hpp"
#include "keyspace.hpp"
#include "settings.hpp"

#include <smarm/blocking.hpp>
#include <smarm/gen_server.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kv {

// Makes a file durable while the partition goes on.
class file_syncer : public smarm::gen_server<file_syncer> {
public:
  struct sync {};
  explicit file_syncer(std::shared_ptr<log_file> file) : file_(std::move(file)) {}
  boost::system::error_code handle_call(sync) {
    return smarm::blocking([&] { return file_->sync(); });
  }

private:
  std::shared_ptr<log_file> file_;
};

class partition : public smarm::gen_server<partition> {
public:
  using work = std::unique_ptr<batch>;
  struct execute {
    work what;
    smarm::pid by = {};      // who sends it
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
  struct write_log {};
  struct sync_due {};
  struct keys_due {};

  partition(settings how, std::size_t index) : how_(std::move(how)), index_(index) {}

  smarm::init_result init();
  void handle_call(execute m, smarm::reply_to<work> answer);
  void handle_call(reserve m, smarm::reply_to<bool> answer);
  void handle_cast(release m);
  void handle_down(smarm::down d);
  void handle_cast(write_log);
  void handle_timer(sync_due);
  void handle_timer(keys_due);
  void handle_reply(sync_due, boost::system::result<boost::system::error_code> done);
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
  void load();
  void watch_deadlines();
  void write_soon();
  void write_now();
  void say(const std::string& text) const;

  settings how_;
  std::size_t index_;
  keyspace keys_;
  std::optional<append_log> log_;
  smarm::server_ref<file_syncer> syncer_;
  std::string changes_;    // which are not written yet
  std::vector<held> held_; // answered when they are
  smarm::pid reserved_by_;
  std::deque<waiting> waiting_;
  bool asked_to_write_ = false, unsynced_ = false, syncing_ = false;
  std::int64_t watched_deadline_ = never;
  smarm::server_timer deadline_timer_ = smarm::server_timer::none;
};

} // namespace kv

#endif

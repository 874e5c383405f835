// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "keyspace.hpp"

#include "keyspace_call.hpp"
#include "number.hpp"
#include "resp_writer.hpp"
#include "set_options.hpp"

#include <boost/container_hash/hash.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace kv {

std::int64_t wall_clock() noexcept {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::size_t keyspace::hash::operator()(std::string_view key) const noexcept {
  return boost::hash<std::string_view>()(key);
}

// By other bits than those by which the partition was chosen, and than those that the tables use.
keyspace::table& keyspace::table_of(std::string_view key) noexcept {
  return tables_[(hash()(key) * 0xff51afd7ed558ccd >> 40) % tables];
}

keyspace::entry* keyspace::find(std::string_view key, call& c) {
  table& in = table_of(key);
  const auto found = in.find(key);
  if (found == in.end()) {
    return nullptr;
  }
  if (found->second.deadline <= c.now) {
    in.erase(found);
    --size_;
    write_command(c.changes, {"DEL", key});
    return nullptr;
  }
  return &found->second;
}

keyspace::entry& keyspace::put(std::string_view key) {
  ++size_;
  entry& fresh = table_of(key).try_emplace(text(key)).first->second;
  fresh.snapshot = snapshot_;
  return fresh;
}

bool keyspace::erase(std::string_view key) {
  table& in = table_of(key);
  const auto found = in.find(key);
  if (found == in.end()) {
    return false;
  }
  in.erase(found);
  --size_;
  return true;
}

void keyspace::set_deadline(std::string_view key, entry& of, std::int64_t at) {
  const bool is_new = of.deadline != at && at != never;
  of.deadline = at;
  if (is_new) {
    deadlines_.emplace(at, key);
    // Those that were replaced must not outnumber what there is.
    if (deadlines_.size() > 2 * size_ + 64) {
      forget_old_deadlines();
    }
  }
}

void keyspace::forget_old_deadlines() {
  std::vector<due> all;
  for (const table& in : tables_) {
    for (const auto& [key, e] : in) {
      if (e.deadline != never) {
        all.emplace_back(e.deadline, key);
      }
    }
  }
  deadlines_ = std::priority_queue<due, std::vector<due>, std::greater<>>({}, std::move(all));
}

void keyspace::execute(const command& what, std::span<const std::string_view> words,
                       std::int64_t now, std::string& reply, std::string& changes) {
  call c{what, words, now, reply, changes};
  if (in_snapshot_ && words.size() > 1) {
    preserve(words[1]); // the only key that it is about; if it is none, nothing is lost
  }
  switch (what.what) {
  case verb::mget:
  case verb::get:
    if (const entry* e = find(c.key(), c)) {
      write_bulk(reply, e->value);
    } else {
      write_null(reply);
    }
    break;
  case verb::mset:
  case verb::set: set(c); break;
  case verb::incr: add(c, 1); break;
  case verb::decr: add(c, -1); break;
  case verb::incrby:
  case verb::decrby: {
    const auto by = canonical(words[2]);
    const bool down = what.what == verb::decrby;
    if (!by) {
      write_error(reply, not_an_integer);
    } else if (down && *by == std::numeric_limits<std::int64_t>::min()) {
      write_error(reply, "ERR decrement would overflow");
    } else {
      add(c, down ? -*by : *by);
    }
    break;
  }
  case verb::append: append(c); break;
  case verb::strlen: {
    const entry* e = find(c.key(), c);
    write_integer(reply, e != nullptr ? static_cast<std::int64_t>(e->value.size()) : 0);
    break;
  }
  case verb::expire:
  case verb::pexpire:
  case verb::pexpireat: expire_at(c); break;
  case verb::ttl: time_left(c, 1000); break;
  case verb::pttl: time_left(c, 1); break;
  case verb::persist: {
    entry* e = find(c.key(), c);
    const bool had = e != nullptr && e->deadline != never;
    if (had) {
      set_deadline(c.key(), *e, never);
      write_command(changes, {"PERSIST", c.key()});
    }
    write_integer(reply, had ? 1 : 0);
    break;
  }
  case verb::del: {
    const bool had = find(c.key(), c) != nullptr;
    if (had) {
      (void)erase(c.key());
      write_command(changes, {"DEL", c.key()});
    }
    write_integer(reply, had ? 1 : 0);
    break;
  }
  case verb::exists: write_integer(reply, find(c.key(), c) != nullptr ? 1 : 0); break;
  case verb::keys: list(c); break;
  case verb::scan: scan(c); break;
  case verb::dbsize: write_integer(reply, static_cast<std::int64_t>(size_)); break;
  case verb::flushall:
    if (words.size() > 2 ||
        (words.size() == 2 && !is_word(words[1], "ASYNC") && !is_word(words[1], "SYNC"))) {
      write_error(reply, syntax_error);
      break;
    }
    if (size_ != 0) {
      write_command(changes, {"FLUSHALL"});
    }
    flush();
    write_ok(reply);
    break;
  default: write_error(reply, "ERR command is not for a partition");
  }
}

void keyspace::replay(const command& what, std::span<const std::string_view> words) {
  std::string reply, changes;
  execute(what, words, std::numeric_limits<std::int64_t>::min(), reply, changes);
}

void keyspace::set(call& c) {
  set_options options;
  if (const char* wrong = options.parse(c.words.subspan(3), c.now)) {
    return write_error(c.reply, wrong);
  }
  entry* e = find(c.key(), c);
  const bool refused = e != nullptr ? options.if_absent : options.if_present;
  if (options.get) {
    e != nullptr ? write_bulk(c.reply, e->value) : write_null(c.reply);
  }
  if (refused) {
    if (!options.get) {
      write_null(c.reply);
    }
    return;
  }
  entry& to = e != nullptr ? *e : put(c.key());
  to.value.assign(c.words[2]);
  if (!options.keep_deadline) {
    set_deadline(c.key(), to, options.has_deadline ? options.deadline : never);
  }
  if (to.deadline == never) {
    write_command(c.changes, {"SET", c.key(), to.value});
  } else {
    std::string at;
    append_number(at, to.deadline);
    write_command(c.changes, {"SET", c.key(), to.value, "PXAT", at});
  }
  if (!options.get) {
    write_ok(c.reply);
  }
}

void keyspace::add(call& c, std::int64_t by) {
  entry* e = find(c.key(), c);
  const auto old = e != nullptr ? canonical(e->value) : 0;
  if (!old) {
    return write_error(c.reply, not_an_integer);
  }
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*old, by, &sum)) {
    return write_error(c.reply, "ERR increment or decrement would overflow");
  }
  entry& to = e != nullptr ? *e : put(c.key());
  std::string digits;
  append_number(digits, sum);
  to.value.assign(std::string_view(digits));
  if (to.deadline == never) {
    write_command(c.changes, {"SET", c.key(), digits});
  } else {
    write_command(c.changes, {"SET", c.key(), digits, "KEEPTTL"});
  }
  write_integer(c.reply, sum);
}

void keyspace::append(call& c) {
  constexpr std::size_t longest = std::size_t{512} << 20;
  entry* e = find(c.key(), c);
  if (e != nullptr && e->value.size() + c.words[2].size() > longest) {
    return write_error(c.reply, "ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  }
  entry& to = e != nullptr ? *e : put(c.key());
  to.value.append(c.words[2]);
  write_command(c.changes, {"APPEND", c.key(), c.words[2]});
  write_integer(c.reply, static_cast<std::int64_t>(to.value.size()));
}

void keyspace::expire_at(call& c) {
  expire_options options;
  if (const std::string wrong = options.parse(c.words.subspan(3)); !wrong.empty()) {
    return write_error(c.reply, wrong);
  }
  const auto count = number<std::int64_t>(c.words[2]);
  if (!count) {
    return write_error(c.reply, not_an_integer);
  }
  const bool absolute = c.what.what == verb::pexpireat;
  std::int64_t at = 0;
  if (!deadline_in(*count, c.what.what == verb::expire ? 1000 : 1, absolute ? 0 : c.now, at)) {
    const bool seconds = c.what.what == verb::expire;
    return write_error(c.reply, seconds    ? "ERR invalid expire time in 'expire' command"
                                : absolute ? "ERR invalid expire time in 'pexpireat' command"
                                           : "ERR invalid expire time in 'pexpire' command");
  }
  entry* e = find(c.key(), c);
  if (e == nullptr || !options.allow(e->deadline, at, never)) {
    return write_integer(c.reply, 0);
  }
  if (at <= c.now) {
    (void)erase(c.key());
    write_command(c.changes, {"DEL", c.key()});
  } else {
    set_deadline(c.key(), *e, at);
    std::string digits;
    append_number(digits, at);
    write_command(c.changes, {"PEXPIREAT", c.key(), digits});
  }
  write_integer(c.reply, 1);
}

void keyspace::time_left(call& c, std::int64_t unit) {
  const entry* e = find(c.key(), c);
  if (e == nullptr || e->deadline == never) {
    return write_integer(c.reply, e == nullptr ? -2 : -1);
  }
  write_integer(c.reply, (e->deadline - c.now + unit / 2) / unit);
}

void keyspace::flush() {
  if (in_snapshot_ && flushed_.empty()) {
    flushed_ = std::exchange(tables_, std::vector<table>(tables));
  } else {
    for (table& in : tables_) {
      table().swap(in);
    }
  }
  size_ = 0;
  deadlines_ = {};
}

bool keyspace::expire(std::int64_t now, std::size_t most, std::string& changes) {
  for (; most != 0 && next_deadline() <= now; --most) {
    const std::string& key = deadlines_.top().second;
    if (in_snapshot_) {
      preserve(key);
    }
    table& in = table_of(key);
    const auto found = in.find(key);
    if (found != in.end() && found->second.deadline <= now) {
      write_command(changes, {"DEL", key});
      in.erase(found);
      --size_;
    }
    deadlines_.pop();
  }
  return next_deadline() <= now;
}

} // namespace kv

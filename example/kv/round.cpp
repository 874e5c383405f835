// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "round.hpp"

#include "kept_memory.hpp"
#include "number.hpp"
#include "resp_writer.hpp"

#include <smarm/this_actor.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

namespace kv {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t left_for_later = ~std::size_t{0};

constexpr auto longest_restart = 5s;

constexpr std::string_view crashed =
    "-UNAVAILABLE the partition was restarted: the command may have been carried out or not\r\n";

// The number of ":12\r\n", "*12\r\n" or "$12\r\n", and what is behind it.
std::int64_t header(std::string_view reply, std::string_view& behind) {
  const std::size_t end = reply.find('\r');
  behind = reply.substr(end + 2);
  return number<std::int64_t>(reply.substr(1, end - 1)).value_or(0);
}

} // namespace

void round::ask(std::size_t index, const command& what, std::span<const std::string_view> words) {
  place& to = places_[index];
  if (to.work == nullptr) {
    to.work = std::make_unique<batch>();
  }
  to.work->add(what, words);
  asked_.push_back(index);
}

void round::add(const command& what, std::span<const std::string_view> words) {
  const std::size_t first = asked_.size();
  switch (what.keys) {
  case spread::none: // DEBUG CRASH key, the only one that comes here
    ask(stores_.index_of(words.back()), what, words);
    break;
  case spread::one_key: ask(stores_.index_of(words[1]), what, words); break;
  case spread::sum:
  case spread::each:
    for (const std::string_view key : words.subspan(1)) {
      const std::array<std::string_view, 2> one{words[0], key};
      ask(stores_.index_of(key), what, one);
    }
    break;
  case spread::pairs:
    for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
      const std::array<std::string_view, 3> one{words[0], words[i], words[i + 1]};
      ask(stores_.index_of(words[i]), what, one);
    }
    break;
  case spread::all_sum:
  case spread::all_ok:
  case spread::all_same:
  case spread::all_join:
    for (std::size_t i = 0; i < places_.size(); ++i) {
      ask(i, what, words);
    }
    break;
  case spread::cursor: {
    // The cursor is that of the partition's keyspace, and above it the partition's number.
    arguments there(words.begin(), words.end());
    std::string table;
    std::size_t index = 0;
    if (const auto cursor = number<std::uint64_t>(words[1])) {
      index = static_cast<std::size_t>(
          std::min<std::uint64_t>(*cursor / keyspace::tables, places_.size() - 1));
      append_number(table, static_cast<std::int64_t>(*cursor % keyspace::tables));
      there[1] = table;
    }
    ask(index, what, there);
    break;
  }
  }
  steps_.push_back(
      {what.keys == spread::none ? spread::one_key : what.keys, first, asked_.size() - first});
}

void round::add_later() { steps_.push_back({spread::none, left_for_later, later_++}); }

void round::add_reply(std::string_view reply) {
  steps_.push_back({spread::none, known_.size(), reply.size()});
  known_.append(reply);
}

void round::send(std::size_t index) {
  place& to = places_[index];
  const smarm::pid self = smarm::this_actor::self();
  partition::execute request{std::move(to.work), self, static_cast<bool>(to.reserved)};
  if (to.reserved) {
    auto sent = std::exchange(to.reserved, {}).send_request(std::move(request));
    to.sent = sent.has_value();
    to.failed = !to.sent;
    if (to.sent) {
      to.answer = *std::move(sent);
    } else {
      to.work = std::move(request.what);
    }
    return;
  }
  // It stays here if it could not be sent, and nothing of it was done.
  auto sent = stores_[index].send_request(std::move(request));
  const auto until = std::chrono::steady_clock::now() + longest_restart;
  while (!sent && sent.error() == smarm::errc::server_down) {
    const auto next = stores_.wait_for_index(index, until - std::chrono::steady_clock::now());
    if (!next) {
      break;
    }
    sent = next->send_request(std::move(request));
  }
  to.sent = sent.has_value();
  to.failed = !to.sent;
  if (to.sent) {
    to.answer = *std::move(sent);
  } else {
    to.work = std::move(request.what);
  }
}

bool round::reserve(std::size_t index) {
  const auto until = std::chrono::steady_clock::now() + longest_restart;
  for (;;) {
    const auto to = stores_.wait_for_index(index, until - std::chrono::steady_clock::now());
    if (!to) {
      return false;
    }
    const auto granted = to->call(partition::reserve{smarm::this_actor::self()});
    if (granted) {
      places_[index].reserved = *to;
      return true;
    }
    if (granted.error() != smarm::errc::server_down) {
      return false;
    }
  }
}

void round::release_all() {
  for (place& p : places_) {
    if (p.reserved) {
      (void)std::exchange(p.reserved, {}).cast(partition::release{smarm::this_actor::self()});
    }
  }
}

void round::receive(std::size_t index) {
  place& from = places_[index];
  auto answer = from.answer.recv();
  from.sent = false;
  if (answer) {
    from.work = *std::move(answer);
  } else {
    from.failed = true;
  }
}

std::string_view round::next_reply(std::size_t index) {
  place& from = places_[index];
  return from.failed ? crashed : from.work->reply(from.taken++);
}

// The partitions know but one null.
void round::append_reply(std::string_view reply, std::string& replies) const {
  if (form_ == protocol::resp3 && reply == "$-1\r\n") {
    write_null(replies, form_);
  } else {
    replies.append(reply);
  }
}

void round::append_joined(const step& of, std::string& replies) {
  std::size_t elements = 0;
  std::string joined;
  std::string_view error;
  for (std::size_t i = of.first; i < of.first + of.count; ++i) {
    const std::string_view one = next_reply(asked_[i]);
    if (one.front() == '-') {
      error = one;
      continue;
    }
    if (of.how == spread::each) {
      ++elements;
      append_reply(one, joined);
    } else {
      std::string_view behind;
      elements += static_cast<std::size_t>(header(one, behind));
      joined.append(behind);
    }
  }
  if (!error.empty()) {
    replies.append(error);
    return;
  }
  write_array(replies, elements);
  replies.append(joined);
}

void round::append(const step& of, std::string& replies) {
  switch (of.how) {
  case spread::none: replies.append(known_, of.first, of.count); break;
  case spread::one_key: append_reply(next_reply(asked_[of.first]), replies); break;
  case spread::each:
  case spread::all_join: append_joined(of, replies); break;
  case spread::sum:
  case spread::all_sum:
  case spread::pairs:
  case spread::all_ok:
  case spread::all_same: {
    std::int64_t sum = 0;
    std::string_view one, behind, error;
    for (std::size_t i = of.first; i < of.first + of.count; ++i) {
      one = next_reply(asked_[i]);
      if (one.front() == ':') {
        sum += header(one, behind);
      } else if (one.front() == '-') {
        error = one;
      }
    }
    if (!error.empty()) {
      replies.append(error);
    } else if (of.how == spread::sum || of.how == spread::all_sum) {
      write_integer(replies, sum);
    } else if (of.how == spread::all_same) {
      replies.append(one);
    } else {
      write_ok(replies);
    }
    break;
  }
  case spread::cursor: {
    const std::size_t index = asked_[of.first];
    const std::string_view one = next_reply(index);
    if (one.front() != '*') {
      replies.append(one);
      break;
    }
    std::string_view behind, keys;
    (void)header(one, behind);                                          // *2
    const auto length = static_cast<std::size_t>(header(behind, keys)); // $n
    const auto table = number<std::size_t>(keys.substr(0, length)).value_or(0);
    keys.remove_prefix(length + 2);
    const std::size_t on = table != 0                   ? index * keyspace::tables + table
                           : index + 1 < places_.size() ? (index + 1) * keyspace::tables
                                                        : 0;
    std::string cursor;
    append_number(cursor, static_cast<std::int64_t>(on));
    write_array(replies, 2);
    write_bulk(replies, cursor);
    replies.append(keys);
    break;
  }
  }
}

void round::send_all() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].work != nullptr && !places_[i].work->empty()) {
      send(i);
    }
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].sent) {
      receive(i);
    }
  }
}

void round::append_all(std::string& replies, const later_reply& later) {
  for (const step& s : steps_) {
    if (s.how == spread::none && s.first == left_for_later) {
      later(s.count, replies);
    } else {
      append(s, replies);
    }
  }
}

void round::begin_anew() {
  for (place& p : places_) {
    p.taken = 0;
    p.failed = false;
    if (p.work != nullptr) {
      p.work->clear();
    }
  }
  constexpr std::size_t kept = std::size_t{16} << 10;
  clear_and_keep(steps_, kept);
  clear_and_keep(asked_, kept);
  clear_and_keep(known_, kept);
  later_ = 0;
}

void round::finish(std::string& replies, protocol form) {
  form_ = form;
  send_all();
  append_all(replies, {});
  begin_anew();
}

bool round::finish_together(std::string& replies, protocol form, const later_reply& later) {
  form_ = form;
  const auto has_work = [](const place& p) { return p.work != nullptr && !p.work->empty(); };
  if (std::count_if(places_.begin(), places_.end(), has_work) > 1) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (has_work(places_[i]) && !reserve(i)) {
        release_all();
        begin_anew();
        return false;
      }
    }
  }
  send_all();
  append_all(replies, later);
  begin_anew();
  return true;
}

} // namespace kv

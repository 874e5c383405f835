// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "connection.hpp"

#include "number.hpp"
#include "resp_writer.hpp"

#include <smarm/await.hpp>
#include <smarm/this_actor.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace kv {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t room = std::size_t{16} << 10; // for what is read at once
constexpr std::size_t kept = std::size_t{1} << 20;  // of a buffer's memory
constexpr std::size_t commands_at_once = 1024;      // so that their replies have a bound, too

std::string unknown_command(const arguments& words) {
  std::string text = "ERR unknown command '";
  text.append(words[0].substr(0, 128)).append("', with args beginning with: ");
  for (std::size_t i = 1; i < words.size() && text.size() < 128; ++i) {
    text.append("'").append(words[i].substr(0, 128)).append("' ");
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  return text;
}

std::string wrong_arity(std::string_view name) {
  std::string text = "ERR wrong number of arguments for '";
  for (const char c : name) {
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text.append("' command");
}

std::string info(const server_status& status) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::steady_clock::now() - status.started);
  std::string text = "# Server\r\nserver_name:kv\r\nuptime_in_seconds:";
  append_number(text, seconds.count());
  text.append("\r\n\r\n# Clients\r\nconnected_clients:");
  append_number(text, status.clients.load());
  text.append("\r\n\r\n# Stats\r\ntotal_connections_received:");
  append_number(text, static_cast<std::int64_t>(status.connections.load()));
  text.append("\r\ntotal_commands_processed:");
  append_number(text, static_cast<std::int64_t>(status.commands.load()));
  return text.append("\r\n");
}

} // namespace

connection::connection(asio::ip::tcp::socket socket, const partitions& stores,
                       server_status& status)
    : socket_(std::move(socket)), status_(status), round_(stores) {
  status_.connections.fetch_add(1, std::memory_order_relaxed);
  status_.clients.fetch_add(1, std::memory_order_relaxed);
}

connection::~connection() { status_.clients.fetch_sub(1, std::memory_order_relaxed); }

void connection::serve() {
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  while (!ends_ && read()) {
    const smarm::disable_stop until_it_is_answered;
    do {
      answer_what_was_read();
    } while (!output_.empty() && write() && !ends_);
    if (smarm::this_actor::stop_requested()) {
      return;
    }
  }
}

bool connection::read() {
  if (first_ != 0) {
    std::memmove(input_.data(), input_.data() + first_, last_ - first_);
    last_ -= first_;
    first_ = 0;
  }
  if (last_ == 0 && input_.size() > kept) {
    std::string().swap(input_);
  }
  // Grows with what comes, not with what a client says that it will send.
  if (input_.size() < last_ + room) {
    input_.resize(std::max(last_ + room, std::min(needed_, 2 * last_)));
  }
  do {
    const auto got = socket_.async_read_some(
        asio::buffer(input_.data() + last_, input_.size() - last_), smarm::try_await);
    if (!got) {
      return false;
    }
    last_ += *got;
  } while (last_ < std::min(needed_, input_.size()));
  return true;
}

void connection::answer_what_was_read() {
  while (first_ != last_ && !ends_ && round_.size() < commands_at_once) {
    const std::string_view rest(input_.data() + first_, last_ - first_);
    const auto what = parser_.parse(rest);
    if (what == resp_parser::outcome::incomplete) {
      needed_ = parser_.needed();
      break;
    }
    needed_ = 0;
    if (what == resp_parser::outcome::failed) {
      reply_.clear();
      write_error(reply_, std::string("ERR ").append(parser_.error()));
      round_.add_reply(reply_);
      ends_ = true;
      break;
    }
    if (what == resp_parser::outcome::command) {
      take(parser_.parsed());
    }
    first_ += parser_.consumed();
  }
  status_.commands.fetch_add(round_.size(), std::memory_order_relaxed);
  round_.finish(output_);
}

bool connection::write() {
  const bool written =
      asio::async_write(socket_, asio::buffer(output_), smarm::try_await).has_value();
  output_.clear();
  if (output_.capacity() > kept) {
    output_.shrink_to_fit();
  }
  return written;
}

void connection::take(const arguments& words) {
  const command* what = find_command(words[0]);
  reply_.clear();
  if (what == nullptr) {
    write_error(reply_, unknown_command(words));
  } else if (!takes(*what, words.size()) ||
             (what->keys == spread::pairs && words.size() % 2 == 0)) {
    write_error(reply_, wrong_arity(what->name));
  } else if (what->keys != spread::none ||
             (what->what == verb::debug && words.size() == 3 && is_word(words[1], "CRASH"))) {
    return round_.add(*what, words);
  } else {
    answer(*what, words);
  }
  round_.add_reply(reply_);
}

void connection::answer(const command& what, const arguments& words) {
  switch (what.what) {
  case verb::ping:
    if (words.size() > 2) {
      write_error(reply_, wrong_arity(what.name));
    } else if (words.size() == 2) {
      write_bulk(reply_, words[1]);
    } else {
      write_simple(reply_, "PONG");
    }
    break;
  case verb::echo: write_bulk(reply_, words[1]); break;
  case verb::hello:
    if (words.size() > 1 && words[1] != "2") {
      write_error(reply_, "NOPROTO unsupported protocol version");
      break;
    }
    write_array(reply_, 6);
    write_bulk(reply_, "server");
    write_bulk(reply_, "kv");
    write_bulk(reply_, "proto");
    write_integer(reply_, 2);
    write_bulk(reply_, "mode");
    write_bulk(reply_, "standalone");
    break;
  case verb::select:
    if (words[1] == "0") {
      write_ok(reply_);
    } else {
      write_error(reply_,
                  number<int>(words[1]) ? "ERR DB index is out of range" : "ERR invalid DB index");
    }
    break;
  case verb::quit:
    write_ok(reply_);
    ends_ = true;
    break;
  case verb::command:
    if (words.size() == 2 && is_word(words[1], "COUNT")) {
      write_integer(reply_, static_cast<std::int64_t>(command_count()));
    } else {
      write_array(reply_, 0);
    }
    break;
  case verb::client:
    if (is_word(words[1], "ID")) {
      write_integer(reply_, static_cast<std::int64_t>(status_.connections.load()));
    } else if (is_word(words[1], "GETNAME")) {
      write_bulk(reply_, "");
    } else {
      write_ok(reply_);
    }
    break;
  case verb::info: write_bulk(reply_, info(status_)); break;
  case verb::config:
    if (is_word(words[1], "GET")) {
      write_array(reply_, 0);
    } else {
      write_error(reply_, "ERR only CONFIG GET is supported");
    }
    break;
  default: write_error(reply_, "ERR only DEBUG CRASH key is supported");
  }
}

} // namespace kv

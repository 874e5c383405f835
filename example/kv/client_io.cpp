// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "client_io.hpp"

#include "kept_memory.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kv {

namespace asio = boost::asio;

namespace {
constexpr std::size_t idle_room = std::size_t{1} << 10; // most of what clients send fits into it
constexpr std::size_t room = std::size_t{16} << 10;     // for what is read at once
constexpr std::size_t kept = std::size_t{16} << 10; // of the output's memory while there is none
} // namespace

client_io::client_io(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
}

// That there is room for so many bytes, with those that are unread.
void client_io::reserve(std::size_t bytes) {
  const std::size_t have = last_ - first_;
  if (capacity_ < bytes) {
    auto larger = std::make_unique_for_overwrite<char[]>(bytes);
    if (have != 0) {
      std::memcpy(larger.get(), input_.get() + first_, have);
    }
    input_ = std::move(larger);
    capacity_ = bytes;
  } else if (first_ != 0 && have != 0) {
    std::memmove(input_.get(), input_.get() + first_, have);
  }
  first_ = 0;
  last_ = have;
}

void client_io::make_room() {
  const std::size_t have = last_ - first_;
  if (have == 0) {
    if (capacity_ > idle_room) {
      input_.reset();
      capacity_ = 0;
    }
    return reserve(idle_room);
  }
  if (capacity_ - last_ >= room) {
    return;
  }
  // Twice what has come: so it grows with that, not with what a client says that it will send, and what
  // comes in many pieces is not copied for each.
  const std::size_t more = have + std::max(have, room);
  reserve(needed_ > have + room ? std::min(more, needed_) : more);
}

void client_io::arrived(std::size_t bytes) {
  last_ += bytes;
  if (last_ == capacity_ && capacity_ == idle_room) {
    reserve(room);
    boost::system::error_code later; // what is wrong with it the next read says, too
    last_ += socket_.read_some(asio::buffer(input_.get() + last_, capacity_ - last_), later);
  }
}

client_io::state client_io::flush() {
  while (written_ != output_.size()) {
    boost::system::error_code error;
    const std::size_t sent = socket_.write_some(
        asio::buffer(output_.data() + written_, output_.size() - written_), error);
    written_ += sent;
    total_ += sent;
    if (error == asio::error::would_block) {
      // Who reads slowly and is sent more all the time does not make it longer than what is pending.
      if (written_ > output_.size() / 2) {
        output_.erase(0, written_);
        written_ = 0;
      }
      return state::nothing;
    }
    if (error && error != asio::error::interrupted) {
      return state::ended;
    }
  }
  clear_and_keep(output_, kept);
  written_ = 0;
  return state::ok;
}

void client_io::close() noexcept {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

} // namespace kv

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
constexpr std::size_t room = std::size_t{16} << 10; // for what is read at once
constexpr std::size_t kept = std::size_t{16} << 10; // of the output's memory while there is none
} // namespace

client_io::client_io(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
}

client_io::state client_io::read() {
  // Grows with what comes, not with what a client says that it will send.
  const std::size_t have = last_ - first_;
  const std::size_t wanted = std::max(have + room, std::min(needed_, 2 * have));
  if (capacity_ < wanted) {
    auto larger = std::make_unique_for_overwrite<char[]>(wanted);
    if (have != 0) {
      std::memcpy(larger.get(), input_.get() + first_, have);
    }
    input_ = std::move(larger);
    capacity_ = wanted;
    first_ = 0;
    last_ = have;
  } else if (first_ != 0 && capacity_ - last_ < room) {
    std::memmove(input_.get(), input_.get() + first_, have);
    first_ = 0;
    last_ = have;
  }
  boost::system::error_code error;
  const std::size_t got =
      socket_.read_some(asio::buffer(input_.get() + last_, capacity_ - last_), error);
  last_ += got;
  if (!error) {
    return state::ok;
  }
  return error == asio::error::would_block || error == asio::error::interrupted ? state::nothing
                                                                                : state::ended;
}

void client_io::rest() noexcept {
  if (first_ == last_) {
    input_.reset();
    capacity_ = first_ = last_ = 0;
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

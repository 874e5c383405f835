// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A client's socket with what was read and is not understood yet, and what is to be written and was not
// taken yet. Nothing here waits. While a client is idle it has a small buffer: there may be many of them.

#ifndef KV_CLIENT_IO_HPP
#define KV_CLIENT_IO_HPP

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace kv {

class client_io {
public:
  enum class state : unsigned char { ok, nothing, ended };

  explicit client_io(boost::asio::ip::tcp::socket socket);

  // Begins to read, into what is behind unread(): handler(error, bytes) is called when something has come, and
  // must keep this alive until then. There is no other read before arrived() was called.
  template <class Handler>
  void async_read(Handler handler) {
    make_room();
    socket_.async_read_some(boost::asio::buffer(input_.get() + last_, capacity_ - last_),
                            std::move(handler));
  }
  // So many bytes have come. If they have filled the buffer, what is behind them is read into a larger one.
  void arrived(std::size_t bytes);
  [[nodiscard]] std::string_view unread() const noexcept {
    return {input_.get() + first_, last_ - first_};
  }
  void consume(std::size_t bytes) noexcept { first_ += bytes; }
  // Of unread() there must be so many bytes, at least, before there is anything to understand.
  void need(std::size_t bytes) noexcept { needed_ = bytes; }

  // What is to be written is appended to it.
  [[nodiscard]] std::string& output() noexcept { return output_; }
  // Writes what the system takes. `nothing`: there is more.
  [[nodiscard]] state flush();
  // Bytes that wait to be written.
  [[nodiscard]] std::size_t pending() const noexcept { return output_.size() - written_; }
  // Bytes that were written so far.
  [[nodiscard]] std::size_t total_written() const noexcept { return total_; }

  [[nodiscard]] boost::asio::ip::tcp::socket& socket() noexcept { return socket_; }
  void close() noexcept;

private:
  void make_room();
  void reserve(std::size_t bytes);

  boost::asio::ip::tcp::socket socket_;
  std::unique_ptr<char[]> input_; // [first_, last_) is unread
  std::size_t capacity_ = 0, first_ = 0, last_ = 0, needed_ = 0;
  std::string output_; // from written_ on it is pending
  std::size_t written_ = 0, total_ = 0;
};

} // namespace kv

#endif

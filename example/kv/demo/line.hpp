// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// A client's end of a connection: requests are sent many at a time, and their replies are read one by one.

#ifndef KV_DEMO_LINE_HPP
#define KV_DEMO_LINE_HPP

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kv_demo {

// "+OK" as kind '+' and text "OK"; a value as '$' and its characters; the absence of one as '$' and null.
struct reply {
  char kind = 0;
  bool null = false;
  std::string_view text; // until the next call
};

class line {
public:
  // Throws boost::system::system_error.
  explicit line(std::uint16_t port);

  // Sends it all. Who does not get rid of it, or gets no reply, for so long has the error timed_out.
  [[nodiscard]] boost::system::result<void> send(std::string_view requests);
  [[nodiscard]] boost::system::result<reply> receive();

  static constexpr std::chrono::seconds patience{10};

private:
  // More than there was from at_ on.
  [[nodiscard]] boost::system::result<void> read_more();

  boost::asio::ip::tcp::socket socket_;
  std::string input_; // [at_, end_) is not used yet
  std::size_t at_ = 0, end_ = 0;
};

} // namespace kv_demo

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One client: reads what it asks, and answers in order. While a reply cannot be written nothing more is
// read from this client, so that one who does not read holds up nobody but itself.

#ifndef KV_CONNECTION_HPP
#define KV_CONNECTION_HPP

#include "resp_parser.hpp"
#include "round.hpp"
#include "status.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <string>

namespace kv {

class connection {
public:
  connection(boost::asio::ip::tcp::socket socket, const partitions& stores, server_status& status);
  connection(const connection&) = delete;
  ~connection();

  // Until the client is gone, or the actor is asked to end: then it is answered what it had asked.
  void serve();

private:
  [[nodiscard]] bool read();
  void answer_what_was_read();
  void take(const arguments& words);
  void answer(const command& what, const arguments& words);
  [[nodiscard]] bool write();

  boost::asio::ip::tcp::socket socket_;
  server_status& status_;
  resp_parser parser_;
  round round_;
  std::string input_; // [first_, last_) was read and is not understood yet
  std::size_t first_ = 0, last_ = 0;
  std::size_t needed_ = 0; // of these bytes, at least, before there is anything to understand
  std::string output_, reply_;
  bool ends_ = false;
};

} // namespace kv

#endif

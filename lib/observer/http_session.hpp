// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One connection: requests one after the other, each within its time.

#ifndef SMARM_LIB_OBSERVER_HTTP_SESSION_HPP
#define SMARM_LIB_OBSERVER_HTTP_SESSION_HPP

#include "answers.hpp"
#include "runtime_view.hpp"

#include <smarm/observer_http.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace smarm::observer_http_detail {

class http_session : public std::enable_shared_from_this<http_session> {
public:
  http_session(boost::asio::ip::tcp::socket socket, runtime_view& view,
               const observer_http_options& options, std::shared_ptr<std::size_t> count)
      : stream_(std::move(socket)), view_(view), options_(options), count_(std::move(count)) {
    ++*count_;
  }
  http_session(const http_session&) = delete;
  http_session& operator=(const http_session&) = delete;
  ~http_session() { --*count_; }

  void read_request(std::chrono::milliseconds limit);

private:
  using request = boost::beast::http::request<boost::beast::http::empty_body>;

  void received(boost::system::error_code error);
  [[nodiscard]] answer handle(const request& r);
  void send(answer what, bool with_body, bool keep_alive, unsigned version);
  void close();

  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer room_{16 * 1024};
  std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser_;
  boost::beast::http::response<boost::beast::http::string_body> response_;
  runtime_view& view_;
  const observer_http_options& options_;
  const std::shared_ptr<std::size_t> count_; // of those that are open
};

// Whether a page of this machine's own asked: by a name of another host a browser may have been led here
// by somebody else's page.
[[nodiscard]] bool is_own_host(std::string_view host, std::string_view address);

} // namespace smarm::observer_http_detail

#endif

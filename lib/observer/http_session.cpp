// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "http_session.hpp"

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <exception>
#include <utility>

namespace smarm::observer_http_detail {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr std::uint32_t most_header = 8 * 1024;

} // namespace

bool is_own_host(std::string_view host, std::string_view address) {
  if (!host.empty() && host.front() == '[') {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) {
      return false;
    }
    host = host.substr(1, end - 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  return host == "localhost" || host == "127.0.0.1" || host == "::1" || host == address;
}

void http_session::read_request(std::chrono::milliseconds limit) {
  parser_.emplace();
  parser_->header_limit(most_header);
  parser_->body_limit(0);
  stream_.expires_after(limit);
  http::async_read(stream_, room_, *parser_,
                   [self = shared_from_this()](error_code error, std::size_t) {
                     self->received(error);
                   });
}

void http_session::received(error_code error) {
  if (!error) {
    const request& r = parser_->get();
    send(handle(r), r.method() != http::verb::head, r.keep_alive(), r.version());
  } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    send(refusal(431, "the head of the request is too long"), true, false, 11);
  } else if (error == http::error::body_limit || error == http::error::unexpected_body) {
    send(refusal(413, "requests have no body here"), true, false, 11);
  } else if (error.category() == make_error_code(http::error::end_of_stream).category() &&
             error != http::error::end_of_stream && error != http::error::partial_message) {
    send(refusal(400, "this is no HTTP request"), true, false, 11);
  } else { // it went away, or took too long
    close();
  }
}

answer http_session::handle(const request& r) {
  if (r.method() != http::verb::get && r.method() != http::verb::head) {
    return refusal(405, "only GET and HEAD: this is for looking");
  }
  const auto host = r[http::field::host];
  if (!options_.allow_remote &&
      !is_own_host(std::string_view(host.data(), host.size()), options_.address)) {
    return refusal(403, "the Host of the request is not this machine");
  }
  try {
    return answer_to(view_, std::string_view(r.target().data(), r.target().size()));
  } catch (const std::exception& e) { // no memory, most likely
    return refusal(500, e.what());
  }
}

void http_session::send(answer what, bool with_body, bool keep_alive, unsigned version) {
  response_ = {};
  response_.version(version);
  response_.result(what.status);
  response_.set(http::field::content_type, beast::string_view(what.content_type.data(), what.content_type.size()));
  response_.set(http::field::cache_control, "no-store");
  response_.set("X-Content-Type-Options", "nosniff");
  response_.set("X-Frame-Options", "DENY");
  response_.set("Referrer-Policy", "no-referrer");
  response_.set("Content-Security-Policy",
                "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'");
  if (what.status == 405) {
    response_.set(http::field::allow, "GET, HEAD");
  }
  response_.keep_alive(keep_alive);
  response_.body() = std::move(what.body);
  response_.prepare_payload();
  if (!with_body) {
    response_.body().clear(); // the length stays
  }
  stream_.expires_after(options_.request_limit);
  http::async_write(stream_, response_,
                    [self = shared_from_this(), keep_alive](error_code error, std::size_t) {
                      if (error || !keep_alive) {
                        self->close();
                      } else {
                        self->read_request(self->options_.idle_limit);
                      }
                    });
}

void http_session::close() {
  error_code ignored;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
}

} // namespace smarm::observer_http_detail

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "line.hpp"

#include "../number.hpp"

#include <smarm/await.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cstring>

namespace kv_demo {

namespace asio = boost::asio;
using asio::ip::tcp;

line::line(std::uint16_t port)
    : socket_(smarm::this_actor::get_executor()), input_(64 << 10, '\0') {
  socket_.async_connect({asio::ip::address_v4::loopback(), port}, smarm::await.within(patience));
  socket_.set_option(tcp::no_delay(true));
}

boost::system::result<void> line::send(std::string_view requests) {
  const auto sent =
      asio::async_write(socket_, asio::buffer(requests), smarm::try_await.within(patience));
  return sent ? boost::system::result<void>() : sent.error();
}

boost::system::result<void> line::read_more() {
  std::memmove(input_.data(), input_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  if (end_ == input_.size()) {
    input_.resize(2 * end_);
  }
  const auto got = socket_.async_read_some(asio::buffer(input_.data() + end_, input_.size() - end_),
                                           smarm::try_await.within(patience));
  if (!got) {
    return got.error();
  }
  end_ += *got;
  return {};
}

boost::system::result<reply> line::receive() {
  for (;;) {
    const std::string_view there(input_.data() + at_, end_ - at_);
    const std::size_t end = there.find("\r\n");
    if (end != there.npos) {
      reply r{there[0], false, there.substr(1, end - 1)};
      std::size_t size = end + 2;
      if (r.kind == '$') {
        const auto length = kv::number<std::int64_t>(r.text);
        r.null = length == -1;
        if (!length || *length < -1) {
          return make_error_code(boost::system::errc::bad_message);
        }
        if (!r.null) {
          size += static_cast<std::size_t>(*length) + 2;
          r.text = there.substr(end + 2, static_cast<std::size_t>(*length));
        }
      }
      if (there.size() >= size) {
        at_ += size;
        return r;
      }
    }
    if (const auto more = read_more(); !more) {
      return more.error();
    }
  }
}

} // namespace kv_demo

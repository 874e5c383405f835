// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "listener.hpp"

#include "connection.hpp"

#include <smarm/accept.hpp>
#include <smarm/executor.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <utility>

namespace kv {

using boost::asio::ip::tcp;
using namespace std::chrono_literals;

listener::listener(settings how, partitions stores, std::shared_ptr<server_status> status)
    : how_(std::move(how)), stores_(std::move(stores)), status_(std::move(status)) {}

smarm::init_result listener::init() {
  try {
    acceptor_.emplace(smarm::this_actor::get_executor(),
                      tcp::endpoint(boost::asio::ip::address_v4::loopback(), how_.port));
  } catch (const std::exception&) {
    return smarm::init_result::stop(smarm::exit_reason::failed(std::current_exception()));
  }
  const auto port = acceptor_->local_endpoint().port();
  if (how_.log) {
    how_.log(std::string("listens on 127.0.0.1:").append(std::to_string(port)));
  }
  if (how_.on_listening) {
    how_.on_listening(port);
  }
  continue_with(serve());
  return smarm::init_result::ok();
}

void listener::handle_continue(serve) {
  smarm::accept_each(
      *acceptor_,
      [&](tcp::socket socket) { connection(std::move(socket), stores_, *status_).serve(); },
      {.limit = how_.most_connections, .drain = 0s, .connection = {.label = "client"}});
}

} // namespace kv

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

namespace {
constexpr int most_waiting = 511; // for being accepted; the system may have a limit of its own
constexpr std::size_t handed_over_at_once = 64;
} // namespace

listener::listener(settings how, partitions stores, std::shared_ptr<server_status> status)
    : server_(
          std::make_shared<server_context>(std::move(how), std::move(stores), std::move(status))) {}

smarm::init_result listener::init() {
  const settings& how = server_->how;
  auto clients = smarm::find_dynamic_supervisor(clients_name);
  if (!clients) {
    return smarm::init_result::stop(smarm::exit_reason::failed(clients.error().message()));
  }
  clients_ = *std::move(clients);
  try {
    acceptor_.emplace(smarm::this_actor::get_executor(),
                      tcp::endpoint(boost::asio::ip::address_v4::loopback(), how.port));
    acceptor_->listen(most_waiting);
  } catch (const std::exception&) {
    return smarm::init_result::stop(smarm::exit_reason::failed(std::current_exception()));
  }
  server_->port = acceptor_->local_endpoint().port();
  if (how.log) {
    how.log(std::string("listens on 127.0.0.1:").append(std::to_string(server_->port)));
  }
  if (how.on_listening) {
    how.on_listening(server_->port);
  }
  continue_with(serve());
  return smarm::init_result::ok();
}

// The actors of this loop only hand over what was accepted.
void listener::handle_continue(serve) {
  smarm::accept_each(
      *acceptor_, [this](tcp::socket socket) { admit(std::move(socket)); },
      {.limit = handed_over_at_once, .drain = 1s, .connection = {.label = "admission"}});
}

void listener::admit(tcp::socket socket) const {
  auto io = std::make_shared<client_io>(std::move(socket));
  const auto started = clients_.start_child<connection>(
      {.id = "client", .restart = smarm::restart::temporary, .shutdown = 5s}, server_, io);
  if (!started) {
    io->output() = started.error() == smarm::errc::too_many_children
                       ? "-ERR max number of clients reached\r\n"
                       : "-ERR the server cannot serve more clients now\r\n";
    (void)io->flush();
    io->close();
  }
}

} // namespace kv

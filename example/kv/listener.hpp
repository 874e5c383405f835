// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The server that has the port: it starts only if it could get it, and accepts clients until it is ended.
// Each becomes a connection, which is a child of the supervisor `clients`.

#ifndef KV_LISTENER_HPP
#define KV_LISTENER_HPP

#include "server_context.hpp"

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/gen_server.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <memory>
#include <optional>

namespace kv {

// Of the dynamic supervisor that has the connections. It is to be started before a listener.
inline constexpr const char* clients_name = "clients";

class listener : public smarm::gen_server<listener> {
public:
  struct serve {};

  listener(settings how, partitions stores, std::shared_ptr<server_status> status);

  smarm::init_result init();
  void handle_continue(serve);

private:
  void admit(boost::asio::ip::tcp::socket socket) const;

  std::shared_ptr<server_context> server_;
  smarm::dynamic_supervisor_ref clients_;
  std::optional<boost::asio::ip::tcp::acceptor> acceptor_;
};

} // namespace kv

#endif

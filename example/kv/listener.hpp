// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The server that has the port: it starts only if it could get it, and accepts clients until it is ended.

#ifndef KV_LISTENER_HPP
#define KV_LISTENER_HPP

#include "round.hpp"
#include "settings.hpp"
#include "status.hpp"

#include <smarm/gen_server.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <memory>
#include <optional>

namespace kv {

class listener : public smarm::gen_server<listener> {
public:
  struct serve {};

  listener(settings how, partitions stores, std::shared_ptr<server_status> status);

  smarm::init_result init();
  void handle_continue(serve);

private:
  settings how_;
  partitions stores_;
  std::shared_ptr<server_status> status_;
  std::optional<boost::asio::ip::tcp::acceptor> acceptor_;
};

} // namespace kv

#endif

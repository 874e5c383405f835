// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Pairs of sockets: one end sends what it gets back, the other one compares. Some are stopped or close in the
// middle. What arrives is what was sent, and no descriptor is left open.

#include "workload.hpp"

#include <smarm/await.hpp>
#include <smarm/executor.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>

namespace soak {
namespace {

namespace asio = boost::asio;
using stream = asio::local::stream_protocol;
using namespace std::chrono_literals;

class echoes final : public workload {
public:
  explicit echoes(std::uint64_t seed) : workload("echoes", seed) {}

  void run() override {
    smarm::task_group all;
    for (std::uint64_t who = 0; who < 8; ++who) {
      all.spawn({.label = "echo client"}, [this, who] {
        std::mt19937_64 own = chance(who);
        while (!ends()) {
          talk(own);
          count_round();
        }
      });
    }
    all.wait();
  }

  std::string broken() const override {
    return wrong_ == 0 ? std::string() : std::to_string(wrong_) + " answers were others";
  }

private:
  static void echo(stream::socket socket) {
    std::array<char, 4096> room;
    for (;;) {
      const auto got = socket.async_read_some(asio::buffer(room), smarm::try_await);
      if (!got || !asio::async_write(socket, asio::buffer(room, *got), smarm::try_await)) {
        return;
      }
    }
  }

  void talk(std::mt19937_64& chance) {
    const auto executor = smarm::this_actor::get_executor();
    stream::socket here(executor), there(executor);
    asio::local::connect_pair(here, there);
    auto server = smarm::spawn({.label = "echo server"},
                               [socket = std::move(there)]() mutable { echo(std::move(socket)); });
    const std::size_t end = chance() % 20;
    for (std::size_t i = 0; i < end; ++i) {
      std::string sent(1 + chance() % 10'000, static_cast<char>('a' + chance() % 26));
      std::string back(sent.size(), ' ');
      if (chance() % 32 == 0) {
        smarm::request_stop(server.id());
      }
      const bool whole =
          asio::async_write(here, asio::buffer(sent), smarm::try_await.within(1min)) &&
          asio::async_read(here, asio::buffer(back), smarm::try_await.within(1min));
      if (!whole) {
        break; // it was stopped
      }
      wrong_.fetch_add(back != sent, std::memory_order_relaxed);
    }
    here.close();
    (void)server.join();
  }

  std::atomic<std::uint64_t> wrong_{0};
};

} // namespace

std::unique_ptr<workload> make_echoes(std::uint64_t seed) { return std::make_unique<echoes>(seed); }

} // namespace soak

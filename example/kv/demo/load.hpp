// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// Clients that ask the store as much as it can answer, each an actor with a connection and keys of its
// own; and one that kills partitions meanwhile.

#ifndef KV_DEMO_LOAD_HPP
#define KV_DEMO_LOAD_HPP

#include "latencies.hpp"
#include "ledger.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kv_demo {

class load_client {
public:
  load_client(std::size_t number, std::size_t pipeline)
      : keys_(number, 100), pipeline_(pipeline), random_(number + 1) {}

  // In an actor: half of the requests read, until `enough` is set. The connection stays open.
  void run(std::uint16_t port, const std::atomic<bool>& enough);
  // In an actor, after that: reads every key and holds it against what is known.
  void check();

  void close() { line_.reset(); }

  [[nodiscard]] const ledger& keys() const noexcept { return keys_; }
  [[nodiscard]] const latencies& times() const noexcept { return times_; }
  // Read by the progress line while the client writes it; nothing depends on its order.
  [[nodiscard]] std::uint64_t answered() const noexcept {
    return answered_.load(std::memory_order_relaxed);
  }
  // Requests that got no answer, and why; both are final when the actor has ended.
  [[nodiscard]] std::uint64_t unanswered() const noexcept { return unanswered_; }
  [[nodiscard]] const std::string& trouble() const noexcept { return trouble_; }

private:
  [[nodiscard]] std::size_t any(std::size_t below) noexcept;
  // All in one go. False: the connection is of no use any more.
  [[nodiscard]] bool ask();

  struct request {
    operation what;
    std::size_t key;
  };
  ledger keys_;
  std::optional<line> line_;
  latencies times_;
  std::size_t pipeline_;
  std::uint64_t random_;
  std::atomic<std::uint64_t> answered_{0};
  std::uint64_t unanswered_ = 0;
  std::string trouble_;
  std::vector<request> requests_;
  std::string text_;
};

// In an actor: kills the owners of keys, and waits until each of them answers again. Returns the time from
// the kill to the answer.
class killer {
public:
  explicit killer(std::uint16_t port) : line_(port) {}
  [[nodiscard]] boost::system::result<std::chrono::nanoseconds>
  kill_owner_of(const std::string& key);

private:
  line line_;
};

} // namespace kv_demo

#endif

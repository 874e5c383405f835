// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A worker of a pool that is busy: it is the pool's again when this is destroyed.

#ifndef SMARM_DETAIL_LENT_WORKER_HPP
#define SMARM_DETAIL_LENT_WORKER_HPP

#include <smarm/any_server.hpp>

#include <cstdint>
#include <utility>

namespace smarm::detail {

// Whoever has it may be on any thread, and may have it longer than the pool lives.
class lent_worker {
public:
  lent_worker() noexcept = default;
  // `number` tells this lending from others of the same worker.
  lent_worker(any_server manager, any_server worker, std::uint64_t number) noexcept
      : manager_(std::move(manager)), worker_(std::move(worker)), number_(number) {}
  lent_worker(lent_worker&&) noexcept = default;
  lent_worker& operator=(lent_worker&& other) noexcept {
    lent_worker before(std::move(*this));
    manager_ = std::move(other.manager_);
    worker_ = std::move(other.worker_);
    number_ = other.number_;
    return *this;
  }
  ~lent_worker() {
    if (manager_) {
      give_back();
    }
  }

  [[nodiscard]] const any_server& worker() const noexcept { return worker_; }

  // The worker is about to end, which the manager hears of.
  void forget() noexcept { manager_ = any_server(); }
  // Ends it.
  void discard() noexcept;

private:
  void give_back() noexcept;

  any_server manager_; // empty: nothing is to be given back
  any_server worker_;
  std::uint64_t number_ = 0;
};

} // namespace smarm::detail

#endif

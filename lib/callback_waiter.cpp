// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/callback_waiter.hpp>

#include <smarm/detail/raw_lock.hpp>

#include <mutex>
#include <utility>

namespace smarm::detail {

// Like the slot segments, they go round and are never freed.
struct callback_pool {
  raw_lock lock;
  callback_waiter* free = nullptr;
  callback_waiter* newest = nullptr;

  static callback_pool& here() {
    static auto* const the_pool = new callback_pool; // outlives the last thread
    return *the_pool;
  }
  callback_waiter& take() {
    {
      const std::lock_guard guard(lock);
      if (free != nullptr) {
        return *std::exchange(free, free->next_);
      }
    }
    auto* const fresh = new callback_waiter;
    const std::lock_guard guard(lock);
    fresh->made_before_ = std::exchange(newest, fresh);
    return *fresh;
  }
  void give_back(callback_waiter& w) noexcept {
    const std::lock_guard guard(lock);
    w.next_ = std::exchange(free, &w);
  }
};

callback_waiter::callback_waiter() {
  self_.outsider = this;
  self_.word.publish_queued();
  (void)self_.word.claim();
}

callback_waiter& callback_waiter::take() { return callback_pool::here().take(); }
void callback_waiter::give_back(callback_waiter& w) noexcept {
  callback_pool::here().give_back(w);
}

} // namespace smarm::detail

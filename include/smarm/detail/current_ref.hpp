// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where everybody finds the present incarnation of a server that is started anew now and then.

#ifndef SMARM_DETAIL_CURRENT_REF_HPP
#define SMARM_DETAIL_CURRENT_REF_HPP

#include <smarm/detail/raw_lock.hpp>

#include <mutex>
#include <utility>

namespace smarm::detail {

// Of a server_ref or an any_server. A cache line of its own: those who look for different servers do
// not meet.
template <class Ref>
class alignas(64) current_ref {
public:
  // Refers to none before the first one was set. From any thread.
  [[nodiscard]] Ref get() const noexcept {
    const std::lock_guard guard(lock_);
    return ref_;
  }
  // The one before goes with the argument, when the lock is free again.
  void set(Ref fresh) noexcept {
    const std::lock_guard guard(lock_);
    std::swap(ref_, fresh);
  }

private:
  mutable raw_lock lock_;
  Ref ref_;
};

} // namespace smarm::detail

#endif

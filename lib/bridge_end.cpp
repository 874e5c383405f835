// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/bridge_end.hpp>

#include <smarm/bounded.hpp>

#include <utility>

namespace smarm {
namespace detail {

bridge_exit::made bridge_exit::make() {
  // Does not wait, and takes no memory when it is used.
  constexpr bounded one{1, overflow::fail};
  auto [to_server, serving] = channel<exit_reason>(one);
  auto [to_last, ending] = channel<exit_reason>(one);
  return {bridge_end(std::make_shared<bridge_exit>(std::move(to_server), std::move(to_last))),
          std::move(serving), std::move(ending)};
}

void bridge_exit::say(const exit_reason& how) noexcept {
  if (!said_.exchange(true, std::memory_order_relaxed)) {
    for (const sender<exit_reason>& to : to_) {
      (void)to.send(how); // closed: the bridge is gone
    }
  }
}

bridge_exit::~bridge_exit() {
  exit_reason how = exit_kind::failed;
  try {
    how = exit_reason::failed("what was outside has gone and not said how it ended");
  } catch (...) { // no memory for the text
  }
  say(how);
}

} // namespace detail

void bridge_end::ended() const noexcept {
  if (to_ != nullptr) {
    to_->say(exit_kind::normal);
  }
}

void bridge_end::failed(std::exception_ptr why) const noexcept {
  if (to_ != nullptr) {
    to_->say(exit_reason::failed(std::move(why)));
  }
}

} // namespace smarm

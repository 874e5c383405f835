// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A ref to a server whose class does not matter: for lists of servers, and for looking at one of which
// only the pid or the name is known, see sys.hpp.

#ifndef SMARM_ANY_SERVER_HPP
#define SMARM_ANY_SERVER_HPP

#include <smarm/bounded.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/pid.hpp>
#include <smarm/server_ref.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace smarm {

namespace detail {
struct any_server_access;
}

// Keeps the server alive as a server_ref does. One that was moved from behaves as if the server had
// ended. None of its members suspends.
class any_server {
public:
  any_server() noexcept = default;
  template <class S>
  any_server(const server_ref<S>& ref) noexcept // NOLINT: it is one
      : core_(detail::server_ref_access::core(ref)) {
    add_ref();
  }
  any_server(const any_server& other) noexcept : core_(other.core_) { add_ref(); }
  any_server(any_server&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  any_server& operator=(any_server other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  ~any_server() {
    if (core_ != nullptr) {
      core_->drop_ref();
    }
  }

  // The server's actor.
  [[nodiscard]] pid id() const noexcept { return core_ != nullptr ? core_->id() : pid::none(); }
  [[nodiscard]] explicit operator bool() const noexcept { return core_ != nullptr; }

  // As those of server_ref.
  [[nodiscard]] std::uint64_t expired_requests() const noexcept {
    return core_ != nullptr ? core_->expired.load(std::memory_order_relaxed) : 0;
  }
  [[nodiscard]] overflow_counts overflows() const noexcept {
    return core_ != nullptr ? core_->overflows() : overflow_counts();
  }

  // The same server.
  friend bool operator==(const any_server&, const any_server&) noexcept = default;

private:
  friend struct detail::any_server_access;
  explicit any_server(detail::server_core* core) noexcept : core_(core) {}
  void add_ref() const noexcept {
    if (core_ != nullptr) {
      core_->add_ref();
    }
  }

  detail::server_core* core_ = nullptr; // one of its refs, or null
};

namespace detail {
struct any_server_access {
  // Takes over a ref.
  [[nodiscard]] static any_server make(server_core& core) noexcept { return any_server(&core); }
  [[nodiscard]] static server_core* core(const any_server& s) noexcept { return s.core_; }
  [[nodiscard]] static server_core* release(any_server&& s) noexcept {
    return std::exchange(s.core_, nullptr);
  }
};

// Of a server that is known to be of that class.
template <class S>
[[nodiscard]] server_ref<S> typed(any_server server) noexcept {
  server_core* const core = any_server_access::release(std::move(server));
  return core != nullptr ? server_ref_access::make(static_cast<typed_server_core<S>&>(*core))
                         : server_ref<S>();
}
} // namespace detail
} // namespace smarm

#endif

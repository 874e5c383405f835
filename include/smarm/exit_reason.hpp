// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How an actor ended: what join returns, what a monitor's message carries, and what a supervisor
// decides by. Small and cheap to copy; a failure shares its exception.

#ifndef SMARM_EXIT_REASON_HPP
#define SMARM_EXIT_REASON_HPP

#include <smarm/detail/config.hpp>

#include <exception>
#include <iosfwd>
#include <string>
#include <utility>

namespace smarm {

enum class exit_kind : unsigned char {
  normal,     // it returned
  failed,     // an exception left it
  stopped,    // it was told to stop
  shutdown,   // it was told to shut down, by its supervisor or at the runtime's end
  no_process, // it had ended, or never been, when it was asked after
};

class exit_reason {
public:
  exit_reason() noexcept = default;

  // Not explicit: a kind alone is a whole reason wherever there is no exception to keep.
  exit_reason(exit_kind kind) noexcept : kind_(kind) {}

  [[nodiscard]] static exit_reason failed(std::exception_ptr exception) noexcept {
    exit_reason reason(exit_kind::failed);
    reason.exception_ = std::move(exception);
    return reason;
  }

  // For failures that were no exception; it is given one with this text.
  [[nodiscard]] static exit_reason failed(const std::string& text);

  [[nodiscard]] exit_kind kind() const noexcept { return kind_; }

  // What the actor threw; null if it did not.
  [[nodiscard]] const std::exception_ptr& exception() const noexcept { return exception_; }

  // True if nothing went wrong: a supervisor restarts no transient child after it, and no linked
  // actor is taken along.
  [[nodiscard]] bool is_clean() const noexcept {
    return kind_ == exit_kind::normal || kind_ == exit_kind::shutdown;
  }

  // One line for people: the kind and, after a failure, what the exception says.
  [[nodiscard]] std::string text() const;

  // The same kind and the same exception object.
  friend bool operator==(const exit_reason&, const exit_reason&) noexcept = default;
  friend bool operator==(const exit_reason& reason, exit_kind kind) noexcept {
    return reason.kind_ == kind;
  }

  friend std::ostream& operator<<(std::ostream& out, const exit_reason& reason);

private:
  std::exception_ptr exception_;
  exit_kind kind_ = exit_kind::normal;
};

[[nodiscard]] const char* to_string(exit_kind kind) noexcept;
std::ostream& operator<<(std::ostream& out, exit_kind kind);

} // namespace smarm

#endif

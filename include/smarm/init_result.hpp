// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a server's init may say besides "go on": a server whose init returns nothing always starts.
//
//     smarm::init_result init() {
//       if (!file_.open()) { return smarm::init_result::stop(smarm::exit_reason::failed("no file")); }
//       return smarm::init_result::ok();
//     }

#ifndef SMARM_INIT_RESULT_HPP
#define SMARM_INIT_RESULT_HPP

#include <smarm/exit_reason.hpp>

#include <utility>

namespace smarm {

class [[nodiscard]] init_result {
public:
  enum class verdict : unsigned char { ok, ignore, stop };

  // The server starts.
  [[nodiscard]] static init_result ok() noexcept { return init_result(verdict::ok, {}); }
  // There is nothing for it to do: it ends normally, and whoever starts it gets errc::start_ignored.
  [[nodiscard]] static init_result ignore() noexcept { return init_result(verdict::ignore, {}); }
  // It cannot start: it ends for this reason, and whoever starts it gets errc::start_failed.
  [[nodiscard]] static init_result stop(exit_reason why) noexcept {
    return init_result(verdict::stop, std::move(why));
  }

  [[nodiscard]] verdict what() const noexcept { return what_; }
  [[nodiscard]] const exit_reason& reason() const noexcept { return reason_; }

private:
  init_result(verdict what, exit_reason why) noexcept : reason_(std::move(why)), what_(what) {}

  exit_reason reason_;
  verdict what_;
};

} // namespace smarm

#endif

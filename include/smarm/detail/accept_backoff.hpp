// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How long a loop that cannot accept waits before it tries again, and whether that is news.

#ifndef SMARM_DETAIL_ACCEPT_BACKOFF_HPP
#define SMARM_DETAIL_ACCEPT_BACKOFF_HPP

#include <algorithm>
#include <chrono>
#include <optional>

namespace smarm::detail {

class accept_backoff {
public:
  static constexpr std::chrono::milliseconds shortest{1};
  static constexpr std::chrono::milliseconds longest{100};
  // A trouble is the same as before unless there was none for so long: where descriptors come and go,
  // failures and successes alternate by the thousand.
  static constexpr std::chrono::seconds calm{10};

  struct answer {
    std::chrono::milliseconds wait;
    bool report;
  };

  [[nodiscard]] answer failed(std::chrono::nanoseconds now) noexcept {
    const bool news = !last_ || now - *last_ >= calm;
    last_ = now;
    const auto wait = next_;
    next_ = std::min(next_ * 2, longest);
    return {wait, news};
  }
  void succeeded() noexcept { next_ = shortest; }

private:
  std::chrono::milliseconds next_ = shortest;
  std::optional<std::chrono::nanoseconds> last_;
};

} // namespace smarm::detail

#endif

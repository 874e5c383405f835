// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The newest reports of each kind: so many endings as were asked for do not push out the one crash.

#ifndef SMARM_DETAIL_REPORT_LOG_HPP
#define SMARM_DETAIL_REPORT_LOG_HPP

#include <smarm/detail/raw_lock.hpp>
#include <smarm/past_report.hpp>

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace smarm::detail {

class report_log {
public:
  explicit report_log(std::size_t most_of_a_kind) noexcept : most_(most_of_a_kind) {}

  // Both from any thread. What there is no memory for is left out.
  void note(const report& r, const std::string& parent_label) noexcept;
  // By time. Throws std::bad_alloc.
  [[nodiscard]] std::vector<past_report> read() const;
  [[nodiscard]] bool keeps_any() const noexcept { return most_ != 0; }

private:
  static constexpr std::size_t kinds = static_cast<std::size_t>(report_kind::wake_storm) + 1;

  using entry = std::shared_ptr<const past_report>;

  const std::size_t most_;
  mutable raw_lock lock_; // of these, under which nothing is allocated or let go
  std::array<std::list<entry>, kinds> kept_; // the oldest first
  std::size_t size_ = 0;                     // of all lists
};

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// How long requests took: counted in buckets whose width grows with the time, 5 % each, and drawn as
// lines of characters.

#ifndef KV_DEMO_LATENCIES_HPP
#define KV_DEMO_LATENCIES_HPP

#include "screen.hpp"

#include <boost/histogram/axis/regular.hpp>
#include <boost/histogram/histogram.hpp>
#include <boost/histogram/make_histogram.hpp>
#include <boost/histogram/storage_adaptor.hpp>

#include <chrono>
#include <cstdint>
#include <tuple>
#include <vector>

namespace kv_demo {

class latencies {
public:
  latencies();

  void add(std::chrono::nanoseconds time, std::uint64_t times = 1);
  latencies& operator+=(const latencies& others);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  // Such a part of them, 0 to 1, took so long at most.
  [[nodiscard]] std::chrono::nanoseconds quantile(double part) const;
  [[nodiscard]] std::chrono::nanoseconds longest() const noexcept { return longest_; }

  void draw(screen& to) const;

private:
  using axis = boost::histogram::axis::regular<double, boost::histogram::axis::transform::log>;
  boost::histogram::histogram<std::tuple<axis>, boost::histogram::dense_storage<std::uint64_t>>
      seen_;
  std::uint64_t count_ = 0;
  std::chrono::nanoseconds longest_{0};
};

} // namespace kv_demo

#endif

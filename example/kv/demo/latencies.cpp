// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "latencies.hpp"

#include <boost/histogram/algorithm/reduce.hpp>
#include <boost/histogram/indexed.hpp>

#include <algorithm>
#include <cmath>

namespace kv_demo {

namespace histogram = boost::histogram;

namespace {

// 2 to the power of 1/16 from one bucket to the next, from a microsecond on, to more than a minute.
constexpr int octaves = 26, buckets_per_octave = 16;

double microseconds(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) / 1e3;
}

std::chrono::nanoseconds of_microseconds(double time) {
  return std::chrono::nanoseconds(std::llround(time * 1e3));
}

} // namespace

latencies::latencies()
    : seen_(histogram::make_histogram_with(
          histogram::dense_storage<std::uint64_t>(),
          axis(octaves * buckets_per_octave, 1.0, std::exp2(octaves)))) {}

void latencies::add(std::chrono::nanoseconds time, std::uint64_t times) {
  seen_(std::max(1.0, microseconds(time)), histogram::weight(times));
  count_ += times;
  longest_ = std::max(longest_, time);
}

latencies& latencies::operator+=(const latencies& others) {
  seen_ += others.seen_;
  count_ += others.count_;
  longest_ = std::max(longest_, others.longest_);
  return *this;
}

std::chrono::nanoseconds latencies::quantile(double part) const {
  const double wanted = part * static_cast<double>(count_);
  double below = 0;
  for (const auto& bucket : histogram::indexed(seen_)) {
    below += static_cast<double>(*bucket);
    if (below >= wanted) {
      return std::min(of_microseconds(bucket.bin().upper()), longest_);
    }
  }
  return longest_;
}

void latencies::draw(screen& to) const {
  if (count_ == 0) {
    return;
  }
  // A line an octave, from the first one with more than a ten-thousandth to the last one with any.
  const auto lines =
      histogram::algorithm::reduce(seen_, histogram::algorithm::rebin(buckets_per_octave));
  int first = -1, last = -1;
  std::uint64_t most = 0;
  for (const auto& line : histogram::indexed(lines)) {
    if (first < 0 ? *line > count_ / 10'000 : *line > 0) {
      first = first < 0 ? line.index() : first;
      last = line.index();
    }
    most = std::max<std::uint64_t>(most, *line);
  }
  for (const auto& line : histogram::indexed(lines)) {
    if (line.index() >= first && line.index() <= last) {
      to.bar(text_of(of_microseconds(line.bin().upper())),
             static_cast<double>(*line) / static_cast<double>(most),
             static_cast<double>(*line) / static_cast<double>(count_));
    }
  }
}

} // namespace kv_demo

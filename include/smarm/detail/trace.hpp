// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the scheduler's paths tell about themselves: one record per event in a ring per scheduler,
// for finding out afterwards what happened in which order. Compiled to nothing unless the library
// is built with SMARM_TRACE=1 (b2 smarm-trace=on), and then the same for all that uses it.

#ifndef SMARM_DETAIL_TRACE_HPP
#define SMARM_DETAIL_TRACE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/cycles.hpp>
#include <smarm/trace_record.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#ifndef SMARM_TRACE
#define SMARM_TRACE 0
#endif

namespace smarm::detail {

inline constexpr bool tracing = SMARM_TRACE != 0;

#if SMARM_TRACE

// Written by one scheduler, read when it does not run. The newest records overwrite the oldest.
class trace_ring {
public:
  static constexpr std::size_t capacity = std::size_t{1} << 15;

  SMARM_ALWAYS_INLINE void add(trace_event what, std::uint32_t index, std::uint32_t generation,
                               std::uint32_t scheduler) noexcept {
    trace_record& r = records_[next_++ & (capacity - 1)];
    r = {cycles_now(), what, pid(index, generation), scheduler};
  }

  // Oldest first.
  void append_to(std::vector<trace_record>& out) const {
    const std::uint64_t first = next_ > capacity ? next_ - capacity : 0;
    for (std::uint64_t i = first; i < next_; ++i) {
      out.push_back(records_[i & (capacity - 1)]);
    }
  }

  void clear() noexcept { next_ = 0; }

private:
  std::unique_ptr<trace_record[]> records_ = std::make_unique<trace_record[]>(capacity);
  std::uint64_t next_ = 0;
};

#else

class trace_ring {
public:
  SMARM_ALWAYS_INLINE void add(trace_event, std::uint32_t, std::uint32_t, std::uint32_t) noexcept {}
  void append_to(std::vector<trace_record>&) const {}
  void clear() noexcept {}
};

#endif

} // namespace smarm::detail

#endif

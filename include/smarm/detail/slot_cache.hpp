// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The few vacant slots that a scheduler keeps at hand: the one given back last is the warmest and is
// taken first. Not thread safe. An empty cache asks the table for several at once, a full one hands half
// of what it has to it.

#ifndef SMARM_DETAIL_SLOT_CACHE_HPP
#define SMARM_DETAIL_SLOT_CACHE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/slot.hpp>
#include <smarm/error.hpp>

namespace smarm::detail {

class runtime_state;

class slot_cache {
public:
  explicit slot_cache(runtime_state& owner) noexcept;
  slot_cache(const slot_cache&) = delete;
  slot_cache& operator=(const slot_cache&) = delete;

  // Null: see error.
  [[nodiscard]] SMARM_ALWAYS_INLINE slot* take(errc& error) noexcept {
    slot* s = first_;
    if (SMARM_UNLIKELY(s == nullptr)) {
      return refill(error);
    }
    first_ = s->next;
    --count_;
    return s;
  }

  SMARM_ALWAYS_INLINE void give(slot& s) noexcept {
    if (SMARM_UNLIKELY(count_ >= limit_)) {
      spill(s);
      return;
    }
    s.next = first_;
    first_ = &s;
    ++count_;
  }

  // Everything to the table.
  void flush() noexcept;

private:
  slot* refill(errc& error) noexcept;
  void spill(slot& s) noexcept;

  slot* first_ = nullptr;
  unsigned count_ = 0;
  unsigned limit_ = 0;
  runtime_state& owner_;
};

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A guarded stack. The object is the header of its own memory: it stands at the top, and the frames
// grow down from it. Stacks come from a stack_pool, mostly through a scheduler's stack_cache.
//
//   | guard | low ... usable ... | header | colour |
//
// The tops of different stacks are shifted against each other (colour), since all frames at the
// same offset of a page would share the same few lines of the first-level cache.

#ifndef SMARM_DETAIL_STACK_HPP
#define SMARM_DETAIL_STACK_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/context.hpp>
#include <smarm/detail/stack_shape.hpp>

#include <cstddef>
#include <cstdint>

namespace smarm::detail {

class stack_slab;

class alignas(cache_line) stack {
public:
  // A tenant that reached this far below the point where it parks gives the pages back ...
  static constexpr std::size_t shrink_threshold = 128 * 1024;
  // ... after it parked this often, so that one that goes up and down does not pay each time.
  static constexpr std::uint32_t shrink_cooldown = 64;
  // What a released stack keeps resident below its top for the next tenant.
  static constexpr std::size_t recycle_retain = 64 * 1024;
  static constexpr std::uint16_t recycle_blindly = 1024;
  // Below a saved stack pointer a leaf function may still keep data.
  static constexpr std::size_t red_zone = 128;

  stack(stack_slab& slab, std::uint32_t index, std::byte* low, bool pooled) noexcept
      : low_(low), deepest_(top()), slab_(&slab), index_(index), pooled_(pooled) {}

  stack(const stack&) = delete;
  stack& operator=(const stack&) = delete;

  // The usable bytes: [low, top).
  [[nodiscard]] std::byte* low() const noexcept { return low_; }
  [[nodiscard]] std::byte* top() noexcept { return reinterpret_cast<std::byte*>(this); }
  [[nodiscard]] const std::byte* top() const noexcept {
    return reinterpret_cast<const std::byte*>(this);
  }
  // Of a stack that may be gone by now: it stands at its own top.
  [[nodiscard]] static const std::byte* top_of(const stack* perhaps_gone) noexcept {
    return reinterpret_cast<const std::byte*>(perhaps_gone);
  }
  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(top() - low_);
  }
  [[nodiscard]] bool contains(const void* address) const noexcept {
    auto const* const byte = static_cast<const std::byte*>(address);
    return low_ <= byte && byte < top();
  }
  [[nodiscard]] stack_shape shape() const noexcept;

  // Whether it has the default shape of its pool; others go back to the pool at once.
  [[nodiscard]] bool pooled() const noexcept { return pooled_; }
  [[nodiscard]] stack_slab& slab() const noexcept { return *slab_; }
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }

  // A new tenant: the accounts below start again.
  SMARM_ALWAYS_INLINE void begin_tenancy() noexcept {
    deepest_ = top();
    parks_since_shrink_ = 0;
    shrinks_ = 0;
  }

  // A context was saved on this stack; `saved` is its stack pointer. For switches that are not
  // parks.
  SMARM_ALWAYS_INLINE void note_switch(fcontext_t saved) noexcept {
    auto* const sp = static_cast<std::byte*>(saved);
    if (sp < deepest_) deepest_ = sp;
  }

  // The same for a park, where deep pages that are no longer in use may be given back. Called by
  // the successor before the context is published: until then nobody can resume it.
  SMARM_ALWAYS_INLINE void note_park(fcontext_t saved) noexcept {
    auto* const sp = static_cast<std::byte*>(saved);
    if (sp < deepest_) deepest_ = sp;
    ++parks_since_shrink_;
    if (SMARM_UNLIKELY(static_cast<std::size_t>(sp - deepest_) >= shrink_threshold) &&
        parks_since_shrink_ >= shrink_cooldown) {
      shrink(sp);
    }
  }

  // The deepest point seen at a switch, as bytes below the top; what went deeper and came back in
  // between is seen by resident() only.
  [[nodiscard]] std::size_t high_water() const noexcept {
    return static_cast<std::size_t>(top() - deepest_);
  }
  [[nodiscard]] std::uint32_t parks_since_shrink() const noexcept { return parks_since_shrink_; }
  [[nodiscard]] std::uint32_t shrinks() const noexcept { return shrinks_; }

  // Bytes of memory behind the stack, header included, and the depth of the lowest page that has
  // any: system calls, for introspection.
  [[nodiscard]] std::size_t resident() const noexcept;
  [[nodiscard]] std::size_t resident_depth() const noexcept;

  // Called when the tenant is gone: what lies deeper than recycle_retain goes back to the system if
  // the tenant was seen there, and every so often without that, for what went unseen.
  SMARM_ALWAYS_INLINE void recycle() noexcept {
    ++recycled_;
    if (SMARM_UNLIKELY(high_water() > recycle_retain || recycled_ % recycle_blindly == 0)) {
      discard_below(recycle_retain);
    }
  }
  void discard_below(std::size_t retain) noexcept;

  // Left by the last tenant in the loop of its entry function: to be jumped to instead of making a
  // new context. Null if there is none.
  fcontext_t context = nullptr;

  // For whoever owns the stack while no context is on it.
  stack* next = nullptr;

  // Of the context that runs on this stack.
  [[no_unique_address]] fiber_state fiber;

private:
  SMARM_NOINLINE void shrink(std::byte* sp) noexcept;

  std::byte* low_;
  std::byte* deepest_;
  stack_slab* slab_;
  std::uint32_t parks_since_shrink_ = 0;
  std::uint32_t shrinks_ = 0;
  std::uint32_t index_;
  std::uint16_t recycled_ = 0;
  bool pooled_;
};

// A context that will run `entry` on the whole of the stack.
[[nodiscard]] inline fcontext_t make_context(stack& on, context_entry entry) noexcept {
  return make_context(on.top(), on.size(), entry);
}

} // namespace smarm::detail

#endif

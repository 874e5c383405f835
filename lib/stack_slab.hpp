// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One mapping with room for a number of equal stacks, and which of them have no pages. The pool
// that owns it serialises taking and giving; make and drop work on one stack, without a lock.

#ifndef SMARM_LIB_STACK_SLAB_HPP
#define SMARM_LIB_STACK_SLAB_HPP

#include "guard_map.hpp"

#include <smarm/detail/stack.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace smarm::detail {

// How the stacks of one pool are guarded. Where the kernel answers EINVAL to a guard region, being
// too old or the memory locked, an automatic choice turns to mappings and stays there.
struct guard_choice {
  guard_method wanted = guard_method::automatic;
  // Written by whoever makes a stack, read by the others as a hint: nothing hangs on it.
  std::atomic<guard_method> used{wanted};
};

// A set of small numbers, given out in no particular order.
struct index_set {
  std::vector<std::uint64_t> bits;
  std::size_t count = 0;
  std::size_t first_word = 0; // all before it are empty

  explicit index_set(std::size_t size) : bits((size + 63) / 64) {}
  [[nodiscard]] bool contains(std::uint32_t index) const noexcept {
    return (bits[index / 64] >> index % 64 & 1) != 0;
  }
  void insert(std::uint32_t index) noexcept;
  [[nodiscard]] std::uint32_t take() noexcept; // not empty
};

class stack_slab {
public:
  // Inaccessible address space below the lowest stack of a shared slab, so that a frame which leaps
  // over that stack's guard faults as well.
  static constexpr std::size_t moat = 1024 * 1024;

  // `shape` is rounded. Of the pool's own shape (`pooled`) or somebody's wish.
  static boost::system::result<std::unique_ptr<stack_slab>> map(const stack_shape& shape,
                                                               std::size_t count, bool pooled);
  ~stack_slab();

  stack_slab(const stack_slab&) = delete;
  stack_slab& operator=(const stack_slab&) = delete;

  // A place without pages.
  struct place {
    std::uint32_t index;
    bool guarded; // a stack was made there before
  };
  [[nodiscard]] bool has_guarded_place() const noexcept { return cold_.count != 0; }
  [[nodiscard]] place take_guarded_place() noexcept;
  [[nodiscard]] bool has_new_place() const noexcept { return bare_.count != 0 || carved_ < count_; }
  [[nodiscard]] place take_new_place() noexcept;
  void give(place back) noexcept;

  // Guards the place if it is not, and puts the header up.
  boost::system::result<stack*> make(place where, guard_choice& guards) noexcept;

  // The stack's pages, header included, go back to the system.
  static place drop(stack* of_no_use) noexcept;

  // For a slab of one: false if the kernel could not take the mapping back, which happens when that
  // would split another one. Its pages are gone then, and it can be used again.
  [[nodiscard]] bool unmap() noexcept;

  [[nodiscard]] const stack_shape& shape() const noexcept { return shape_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  // For the list of a pool.
  std::unique_ptr<stack_slab> next;

private:
  stack_slab(const stack_shape& shape, std::size_t count, bool pooled);

  [[nodiscard]] std::byte* guard_of(std::uint32_t index) const noexcept {
    return first_ + std::size_t{index} * stride_;
  }
  [[nodiscard]] std::byte* low_of(std::uint32_t index) const noexcept {
    return guard_of(index) + (stride_ - shape_.reserve);
  }

  stack_shape shape_;
  std::size_t count_;
  std::size_t stride_;
  bool pooled_;
  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* first_ = nullptr; // the guard of stack 0
  std::uint32_t colour_ = 0;   // of stack 0
  guard_record* record_ = nullptr;
  std::uint32_t carved_ = 0; // places from here on were never taken
  index_set cold_;           // given back by a tenant
  index_set bare_;           // given back because no guard could be made
#if SMARM_VALGRIND
  std::vector<unsigned> valgrind_ids_;
#endif
};

} // namespace smarm::detail

#endif

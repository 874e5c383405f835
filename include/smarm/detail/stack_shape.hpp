// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How big a stack is, and how the guard below it is made.

#ifndef SMARM_DETAIL_STACK_SHAPE_HPP
#define SMARM_DETAIL_STACK_SHAPE_HPP

#include <cstddef>

namespace smarm::detail {

[[nodiscard]] std::size_t page_size() noexcept;

// Both are address space: a stack costs the pages it has touched.
struct stack_shape {
  std::size_t reserve = 256 * 1024;
  std::size_t guard = 64 * 1024;

  // Whole pages, at least four and one; what does not fit an address space is cut to something that
  // the kernel will refuse. Shapes are compared in this form.
  [[nodiscard]] stack_shape rounded() const noexcept;

  friend bool operator==(const stack_shape&, const stack_shape&) = default;
};

enum class guard_method {
  automatic,    // guard_region where the kernel has it, else mapping
  guard_region, // marks in the page tables (Linux 6.13): any number of stacks in one mapping
  mapping       // inaccessible pages: two mappings for each stack, so vm.max_map_count is the limit
};

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/spawn_limits.hpp>

#include <smarm/config.hpp>

#include <cstddef>
#include <cstdint>

namespace smarm::detail {
namespace {

enum class field : std::uint8_t { none, stack_size, guard_size, pinned_to };

// Zero stands for the configuration's own.
constexpr bool is_default_or(std::size_t value, std::size_t least, std::size_t most) noexcept {
  return value == 0 || (value >= least && value <= most);
}

field first_beyond(const spawn_options& o, unsigned schedulers) noexcept {
  if (!is_default_or(o.stack_size, least_stack_size, most_stack_size)) {
    return field::stack_size;
  }
  if (!is_default_or(o.guard_size, least_guard_size, most_guard_size)) {
    return field::guard_size;
  }
  if (o.pinned_to != spawn_options::anywhere && o.pinned_to >= schedulers) {
    return field::pinned_to;
  }
  return field::none;
}

std::string say(const char* name, std::size_t value, const std::string& allowed) {
  return std::string("spawn_options::") + name + " = " + std::to_string(value) + ": allowed is " +
         allowed;
}

} // namespace

bool within_limits(const spawn_options& options, unsigned schedulers) noexcept {
  return first_beyond(options, schedulers) == field::none;
}

std::string beyond_limits(const spawn_options& options, unsigned schedulers) {
  switch (first_beyond(options, schedulers)) {
  case field::stack_size:
    return say("stack_size", options.stack_size,
               "16384 (16 KiB) to 1 GiB, or 0 for that of the configuration");
  case field::guard_size:
    return say("guard_size", options.guard_size,
               "4096 (4 KiB) to 1 GiB, or 0 for that of the configuration");
  case field::pinned_to:
    return say("pinned_to", options.pinned_to,
               "0 to " + std::to_string(schedulers - 1) + ", or anywhere");
  case field::none: break;
  }
  return {};
}

} // namespace smarm::detail

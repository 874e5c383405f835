// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is done to the disk, a step at a time, so that tests can let a step fail or look at what is there
// before it.

#ifndef KV_DISK_STEP_HPP
#define KV_DISK_STEP_HPP

#include <boost/system/error_code.hpp>

#include <functional>
#include <optional>

namespace kv {

enum class disk_step : unsigned char {
  write,          // a record, at the end of a log
  sync,           // a log
  create,         // an empty log
  write_snapshot, // a part of one
  sync_snapshot,
  publish, // a snapshot gets its name
  sync_directory,
  remove, // a file that a snapshot has replaced
};

// Called before each step, on the thread that does it. What it returns is the step's outcome, in place of
// what would be done; nothing: let it be done. Empty: let all be done.
using disk_hook = std::function<std::optional<boost::system::error_code>(disk_step)>;

[[nodiscard]] inline std::optional<boost::system::error_code> instead(const disk_hook& hook,
                                                                      disk_step step) {
  return hook ? hook(step) : std::nullopt;
}

} // namespace kv

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/trace_record.hpp>

namespace smarm {

const char* to_string(trace_event what) noexcept {
  switch (what) {
  case trace_event::spawn: return "spawn";
  case trace_event::resume: return "resume";
  case trace_event::yield: return "yield";
  case trace_event::park: return "park";
  case trace_event::wake: return "wake";
  case trace_event::end: return "end";
  case trace_event::steal: return "steal";
  }
  return "unknown";
}

} // namespace smarm

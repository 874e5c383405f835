// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/report_log.hpp>

#include <algorithm>
#include <mutex>
#include <utility>

namespace smarm::detail {

void report_log::note(const report& r, const std::string& parent_label) noexcept {
  const auto kind = static_cast<std::size_t>(r.kind);
  if (most_ == 0 || kind >= kinds) {
    return;
  }
  std::list<entry> fresh;
  std::list<entry> gone; // let go of under no lock
  try {
    fresh.push_back(std::make_shared<const past_report>(
        past_report{.at = std::chrono::system_clock::now(),
                    .what = {.kind = r.kind,
                             .actor = r.actor,
                             .parent = r.parent,
                             .label = r.label,
                             .reason = r.reason.kind(),
                             .text = r.text,
                             .details = r.details},
                    .parent_label = parent_label}));
  } catch (...) {
    return;
  }
  const std::lock_guard guard(lock_);
  std::list<entry>& all = kept_[kind];
  all.splice(all.end(), fresh);
  ++size_;
  if (all.size() > most_) {
    gone.splice(gone.end(), all, all.begin());
    --size_;
  }
}

std::vector<past_report> report_log::read() const {
  std::vector<entry> found;
  for (bool all_read = false; !all_read;) {
    std::size_t needed = 0;
    {
      const std::lock_guard guard(lock_);
      needed = size_;
      if (needed <= found.capacity()) {
        for (const std::list<entry>& of_a_kind : kept_) {
          found.insert(found.end(), of_a_kind.begin(), of_a_kind.end());
        }
        all_read = true;
      }
    }
    found.reserve(needed);
  }
  std::sort(found.begin(), found.end(),
            [](const entry& a, const entry& b) { return a->at < b->at; });
  std::vector<past_report> out;
  out.reserve(found.size());
  for (const entry& one : found) {
    out.push_back(*one);
  }
  return out;
}

} // namespace smarm::detail

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "parts.hpp"

#include <smarm/detail/utf8_text.hpp>
#include <smarm/past_report.hpp>

#include <boost/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace smarm::observer_http_detail {

namespace json = boost::json;

namespace {

// What went wrong for good: nobody who runs is it any more.
bool is_crash(report_kind kind) noexcept {
  switch (kind) {
  case report_kind::actor_failed:
  case report_kind::gave_up:
  case report_kind::child_abandoned:
  case report_kind::zombie: return true;
  default: return false;
  }
}

json::object json_of(const past_report& r) {
  return {{"at_ms", milliseconds_of(r.at)},
          {"kind", to_string(r.what.kind)},
          {"pid", text_of(r.what.actor)},
          {"label", detail::utf8_text(r.what.label)},
          {"parent", text_of(r.what.parent)},
          {"parent_label", detail::utf8_text(r.parent_label)},
          {"text", detail::utf8_text(r.what.text)},
          {"details", detail::utf8_text(r.what.details)}};
}

} // namespace

answer reports(runtime_view& view, query& q) {
  const bool crashes = q.flag("crashes");
  const std::size_t limit = q.number("limit", usual_rows, most_rows);
  const std::size_t offset = q.number("offset", 0, SIZE_MAX / 2);
  q.done();
  std::vector<past_report> all = view.recent_reports();
  if (crashes) {
    std::erase_if(all, [](const past_report& r) { return !is_crash(r.what.kind); });
  }
  std::reverse(all.begin(), all.end()); // the newest first
  const std::size_t first = std::min(offset, all.size());
  const std::size_t last = std::min(all.size(), first + limit);
  json::array rows;
  for (std::size_t i = first; i < last; ++i) {
    rows.push_back(json_of(all[i]));
  }
  json::object o = heading(view);
  o["matching"] = all.size();
  o["offset"] = first;
  o["rows"] = std::move(rows);
  return of_json(o);
}

} // namespace smarm::observer_http_detail

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "answers.hpp"

#include "parts.hpp"

#include <smarm/detail/utf8_text.hpp>
#include <smarm/prometheus.hpp>

#include <boost/json.hpp>

namespace smarm::observer_http_detail {

namespace json = boost::json;

namespace {

answer metrics(runtime_view& view) {
  const auto stats = view.stats();
  return stats ? answer{200, prometheus_content_type,
                        prometheus_text(*stats, view.schedulers(), view.snapshot())}
               : refusal(503, "the runtime is gone");
}

} // namespace

answer refusal(unsigned status, std::string_view why) {
  json::object o;
  o["error"] = detail::utf8_text(why); // which may quote a request
  return {status, "application/json", json::serialize(o)};
}

answer answer_to(runtime_view& view, std::string_view target) {
  try {
    query q(target);
    if (q.path() == "/") {
      return {200, "text/html; charset=utf-8", page()};
    }
    if (q.path() != "/metrics" && !q.path().starts_with("/api/")) {
      return refusal(404, "nothing there");
    }
    if (!view.refresh()) {
      return refusal(503, "the runtime is gone");
    }
    if (q.path() == "/api/actors") {
      return actors(view, q);
    }
    if (q.path() == "/api/tree") {
      return level(view, q);
    }
    if (q.path() == "/api/actor") {
      return single(view, q);
    }
    if (q.path() == "/api/overview") {
      return overview(view, q);
    }
    if (q.path() == "/api/reports") {
      return reports(view, q);
    }
    if (q.path() == "/metrics") {
      return metrics(view); // which may be asked with fields that some agents add
    }
    return refusal(404, "nothing there");
  } catch (const bad_request& e) {
    return refusal(400, e.what());
  }
}

} // namespace smarm::observer_http_detail

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "supervisor_checks.hpp"

#include "supervised_child.hpp"

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace smarm {

const char* to_string(strategy s) noexcept {
  switch (s) {
  case strategy::one_for_one: return "one_for_one";
  case strategy::one_for_all: return "one_for_all";
  case strategy::rest_for_one: return "rest_for_one";
  }
  return "unknown";
}

const char* to_string(auto_shutdown a) noexcept {
  switch (a) {
  case auto_shutdown::never: return "never";
  case auto_shutdown::any_significant: return "any_significant";
  case auto_shutdown::all_significant: return "all_significant";
  }
  return "unknown";
}

namespace detail {
namespace {

using std::chrono::nanoseconds;

bool is_group(const supervisor_options& options) noexcept {
  return options.strategy != strategy::one_for_one;
}

std::string backoff_trouble(const supervisor_options& options, const std::string& whose,
                            const restart_backoff& b) {
  if (b.initial.count() < 0) {
    return whose + "backoff.initial is negative; 0 means none";
  }
  if (!b) {
    return {};
  }
  if (b.maximum < b.initial) {
    return whose + "backoff.maximum, " + duration_text(b.maximum) +
                     ", is less than backoff.initial, " + duration_text(b.initial);
  }
  if (!std::isfinite(b.factor) || b.factor < 1) {
    return whose + "backoff.factor is " + std::to_string(b.factor) +
                     "; it is 1 or more, so that the waits do not become shorter";
  }
  if (!(b.jitter >= 0 && b.jitter < 1)) {
    return whose + "backoff.jitter is " + std::to_string(b.jitter) +
                     "; it is a part of the wait, from 0 up to but not including 1";
  }
  if (b.recovered_after.count() < 0) {
    return whose + "backoff.recovered_after is negative";
  }
  if (options.intensity != 0 && options.intensity != unlimited &&
      b.initial > options.period / options.intensity) {
    return whose + "backoff.initial is " + duration_text(b.initial) + ": even the shortest waits keep " +
           restarts_text(options.intensity) + " from falling into the period of " +
           duration_text(options.period) + ", so that the supervisor would never give up; if that is "
           "meant, say intensity = smarm::unlimited, else make the wait shorter or the period longer";
  }
  return {};
}

} // namespace

std::string options_trouble(const supervisor_options& options) {
  if (options.period.count() <= 0) {
    return "period is " + duration_text(options.period) +
                     "; it is the time within which restarts are counted, and must be positive";
  }
  switch (options.strategy) {
  case strategy::one_for_one:
  case strategy::one_for_all:
  case strategy::rest_for_one: break;
  default: return "strategy is none of one_for_one, one_for_all, rest_for_one";
  }
  return backoff_trouble(options, "", options.backoff);
}

std::string child_trouble(const supervisor_options& options, const child_spec& spec,
                          bool ended_for_others) {
  const std::string whose = "child \"" + spec.id + "\": ";
  if (!spec.start) {
    return whose + "start is empty; give it a function, or what smarm::server<S>(arguments...) "
                         "returns";
  }
  if (spec.shutdown && spec.shutdown->count() < 0) {
    return whose + "shutdown is negative; 0 stops the child at once, smarm::infinity waits for "
                         "ever";
  }
  if (spec.grace && spec.grace->count() < 0) {
    return whose + "grace is negative; 0 abandons the child at once if it has not ended";
  }
  if (spec.start_limit.count() <= 0) {
    return whose + "start_limit is not positive, so it could never start; smarm::infinity "
                         "means none";
  }
  if (spec.backoff) {
    if (std::string trouble = backoff_trouble(options, whose, *spec.backoff); !trouble.empty()) {
      return trouble;
    }
  }
  if (spec.significant) {
    if (spec.restart == restart::permanent) {
      return whose + "significant is set, but a permanent child never ends for good; make it "
                           "transient or temporary";
    }
    if (options.auto_shutdown == auto_shutdown::never) {
      return whose + "significant is set, but the supervisor's auto_shutdown is never; say "
                           "any_significant or all_significant there";
    }
  }
  const child_type type = spec.type.value_or(spec.start.launcher()->type());
  if (ended_for_others && spec.shutdown == infinity && type == child_type::worker) {
    return whose + "shutdown is infinity, and this child is ended whenever a sibling is started anew: the "
                   "restart could wait for it for ever, and the supervisor would never give up; say how "
                   "long it may take";
  }
  return {};
}

std::string tree_trouble(const supervisor_options& options,
                         const std::vector<child_spec>& children) {
  if (std::string trouble = options_trouble(options); !trouble.empty()) {
    return trouble;
  }
  boost::unordered_flat_set<std::string_view> ids;
  for (const child_spec& spec : children) {
    if (spec.id.empty()) {
      return "child " + std::to_string(&spec - children.data()) +
                       " of the list: id is empty; it is what the child is asked for by";
    }
    if (!ids.insert(spec.id).second) {
      return "child \"" + spec.id + "\": id is that of an earlier child, too";
    }
    const bool ended_for_others =
        is_group(options) && children.size() > 1 &&
        !(options.strategy == strategy::rest_for_one && &spec == children.data());
    if (std::string trouble = child_trouble(options, spec, ended_for_others); !trouble.empty()) {
      return trouble;
    }
  }
  return {};
}

void refuse_if(const char* call, const std::string& trouble) {
  if (!trouble.empty()) {
    throw boost::system::system_error(make_error_code(errc::invalid_config),
                                      std::string(call) + ": " + trouble);
  }
}

} // namespace detail
} // namespace smarm

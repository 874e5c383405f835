// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "runtime_view.hpp"

#include <smarm/introspect.hpp>

#include <boost/core/demangle.hpp>

#include <chrono>
#include <utility>

namespace smarm::observer_http_detail {

using std::chrono::steady_clock;

bool runtime_view::refresh() {
  const auto now = steady_clock::now();
  if (taken_ != steady_clock::time_point() && now - taken_ < options_.refresh) {
    return true;
  }
  auto taken = introspect::snapshot(of_);
  if (!taken) {
    return false;
  }
  head_.format_version = taken->format_version;
  head_.taken_at = taken->taken_at;
  head_.taken_at_steady = taken->taken_at_steady;
  head_.took = taken->took;
  head_.budget_accounting = taken->budget_accounting;
  tree_ = introspect::tree_of(*std::move(taken));
  sum_up();
  taken_ = steady_clock::now(); // however long that took, somebody else has the processor as long
  return true;
}

void runtime_view::sum_up() {
  places_.clear();
  places_.reserve(tree_.nodes.size());
  below_.assign(tree_.nodes.size(), 1);
  restarts_below_.assign(tree_.nodes.size(), 0);
  std::vector<const actor_tree_node*> order;
  order.reserve(tree_.nodes.size());
  tree_.walk([&](const actor_tree_node& n, std::size_t) { order.push_back(&n); });
  for (auto at = order.rbegin(); at != order.rend(); ++at) { // children before their parents
    const auto place = static_cast<std::size_t>(*at - tree_.nodes.data());
    places_.emplace((*at)->info.actor, place);
    restarts_below_[place] += (*at)->info.restarts;
    if ((*at)->parent != actor_tree_node::none) {
      below_[(*at)->parent] += below_[place];
      restarts_below_[(*at)->parent] += restarts_below_[place];
    }
  }
}

runtime_snapshot runtime_view::snapshot() const {
  runtime_snapshot all = head_;
  all.actors.reserve(tree_.nodes.size());
  for (const actor_tree_node& n : tree_.nodes) {
    all.actors.push_back(n.info);
  }
  return all;
}

void runtime_view::sample() {
  const auto now = steady_clock::now();
  auto all = introspect::schedulers(of_);
  if (!all) {
    return;
  }
  if (last_.size() == all->size()) {
    load_sample one;
    one.at_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
    std::uint64_t switches = 0, before = 0;
    for (std::size_t i = 0; i < all->size(); ++i) {
      const scheduler_info& s = (*all)[i];
      one.load.push_back(s.online ? load_between(last_[i], s) : 0.0);
      one.ready += s.ready;
      switches += s.switches;
      before += last_[i].switches;
    }
    const double seconds = std::chrono::duration<double>(now - last_at_).count();
    if (switches >= before && seconds > 0) { // not across the beginning of a run
      one.switches_per_second = static_cast<double>(switches - before) / seconds;
    }
    samples_.push_back(std::move(one));
    while (samples_.size() > options_.samples) {
      samples_.pop_front();
    }
  }
  last_ = *std::move(all);
  last_at_ = now;
}

std::optional<std::size_t> runtime_view::find(pid actor) const {
  const auto found = places_.find(actor);
  return found != places_.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<runtime_stats> runtime_view::stats() const {
  auto all = introspect::statistics(of_);
  return all ? std::optional(*all) : std::nullopt;
}

std::vector<scheduler_info> runtime_view::schedulers() const {
  auto all = introspect::schedulers(of_);
  return all ? *std::move(all) : std::vector<scheduler_info>();
}

std::vector<past_report> runtime_view::recent_reports() const {
  auto all = introspect::recent_reports(of_);
  return all ? *std::move(all) : std::vector<past_report>();
}

const std::string& runtime_view::class_name(const std::type_info& type) {
  const auto found = class_names_.find(&type);
  return found != class_names_.end()
             ? found->second
             : class_names_.emplace(&type, boost::core::demangle(type.name())).first->second;
}

} // namespace smarm::observer_http_detail

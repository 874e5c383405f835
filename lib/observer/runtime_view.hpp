// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the endpoint knows of the runtime: a snapshot that is not older than it may be, its tree, and
// how busy the schedulers were. For one thread.

#ifndef SMARM_LIB_OBSERVER_RUNTIME_VIEW_HPP
#define SMARM_LIB_OBSERVER_RUNTIME_VIEW_HPP

#include <smarm/actor_tree.hpp>
#include <smarm/observer_http.hpp>
#include <smarm/past_report.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime.hpp>
#include <smarm/runtime_snapshot.hpp>
#include <smarm/runtime_stats.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

namespace smarm::observer_http_detail {

struct load_sample {
  std::int64_t at_ms = 0; // since the epoch of the system clock
  std::vector<double> load; // of each scheduler, 0 ... 1
  std::size_t ready = 0;
  double switches_per_second = 0;
};

class runtime_view {
public:
  runtime_view(runtime_handle of, const observer_http_options& options)
      : of_(std::move(of)), options_(options) {}

  // Takes a new snapshot if it is time for one. False: the runtime is gone.
  [[nodiscard]] bool refresh();
  // Notes how busy the schedulers were since the last time.
  void sample();

  // After refresh() gave true.
  [[nodiscard]] const actor_tree& tree() const noexcept { return tree_; }
  [[nodiscard]] const runtime_snapshot& head() const noexcept { return head_; } // without its actors
  // The same as one list.
  [[nodiscard]] runtime_snapshot snapshot() const;
  // Of each node: it and all below it.
  [[nodiscard]] std::size_t below(std::size_t node) const noexcept { return below_[node]; }
  [[nodiscard]] std::uint64_t restarts_below(std::size_t node) const noexcept {
    return restarts_below_[node];
  }
  [[nodiscard]] std::optional<std::size_t> find(pid actor) const;

  // Empty if the runtime is gone.
  [[nodiscard]] std::optional<runtime_stats> stats() const;
  [[nodiscard]] std::vector<scheduler_info> schedulers() const;
  [[nodiscard]] std::vector<past_report> recent_reports() const;
  [[nodiscard]] const std::deque<load_sample>& samples() const noexcept { return samples_; }

  // The name of a class, as people write it.
  [[nodiscard]] const std::string& class_name(const std::type_info& type);

private:
  void sum_up();

  const runtime_handle of_;
  const observer_http_options options_;
  std::chrono::steady_clock::time_point taken_{};
  runtime_snapshot head_;
  actor_tree tree_;
  std::vector<std::size_t> below_;
  std::vector<std::uint64_t> restarts_below_;
  boost::unordered_flat_map<pid, std::size_t> places_;
  std::deque<load_sample> samples_;
  std::vector<scheduler_info> last_;
  std::chrono::steady_clock::time_point last_at_{};
  boost::unordered_flat_map<const std::type_info*, std::string> class_names_;
};

} // namespace smarm::observer_http_detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/worker_pool.hpp>

#include "pool_manager.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/noting_launcher.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/scheduler_count.hpp>
#include <smarm/dynamic_supervisor.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace smarm::detail {
namespace {

constexpr std::size_t most_workers = 65536;

[[noreturn]] void refuse(const char* field, const std::string& value, const std::string& range) {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    std::string("smarm::worker_pool: ") + field + " is " + value +
                                        ", but must be " + range);
}

void check(const worker_pool_options& options) {
  const std::string range = "from 0 to " + std::to_string(most_workers);
  if (options.size > most_workers) {
    refuse("size", std::to_string(options.size), range);
  }
  if (options.max_overflow > most_workers) {
    refuse("max_overflow", std::to_string(options.max_overflow), range);
  }
  if (options.overflow_linger.count() < 0) {
    refuse("overflow_linger", std::to_string(options.overflow_linger.count()) + " ns", "0 or more");
  }
}

[[nodiscard]] child_spec worker_spec(const std::shared_ptr<pool_control>& control,
                                     const child_spec& like, const child_start& start,
                                     bool overflow) {
  child_spec spec = like;
  if (spec.id.empty()) {
    spec.id = "worker";
  }
  spec.start = noting(start, [control, overflow](const any_server& worker) {
    const auto told =
        typed<pool_manager>(control->manager.get()).cast(pool_manager::joined{worker, overflow});
    // Without its manager the whole pool is about to be started anew.
    return told.has_value() || told.error() == make_error_code(errc::server_down);
  });
  spec.restart = overflow ? restart::temporary : restart::permanent;
  spec.significant = false;
  spec.type = child_type::worker;
  return spec;
}

} // namespace

tree_plan pool_tree(const std::shared_ptr<pool_control>& control,
                    const worker_pool_options& options, const child_start& worker) {
  check(options);
  auto settings = std::make_shared<pool_settings>();
  settings->size = options.size != 0 ? options.size : scheduler_count();
  settings->max_overflow = options.max_overflow;
  settings->max_waiting = options.max_waiting;
  settings->linger = options.overflow_linger;
  settings->permanent = worker_spec(control, options.worker, worker, false);
  settings->overflow = worker_spec(control, options.worker, worker, true);
  check_child_specs({.intensity = options.intensity, .period = options.period},
                    {settings->permanent});

  tree_plan plan;
  // The workers and what is known of them begin and end together. How often a worker may be started
  // anew is the inner supervisor's to say; if it gives up, so does the pool.
  plan.supervisor = {.strategy = strategy::one_for_all,
                     .intensity = 0,
                     .name = options.name,
                     .label = options.label.empty() && options.name.empty() ? "worker pool"
                                                                            : options.label};
  child_start supervisor = dynamic_supervisor({.intensity = options.intensity,
                                               .period = options.period,
                                               .backoff = options.backoff,
                                               .label = "workers"});
  plan.children.push_back(
      {.id = "workers", .start = noting(std::move(supervisor), [control](const any_server& s) {
                          control->workers.set(s);
                          return true;
                        })});
  plan.children.push_back(
      {.id = "manager",
       .start = server<pool_manager>(control, std::shared_ptr<const pool_settings>(settings))});
  check_child_specs(plan.supervisor, plan.children);
  return plan;
}

boost::system::result<lent_worker> check_out(const pool_control& control, std::int64_t deadline) {
  const any_server manager = control.manager.get();
  if (!manager) {
    return make_error_code(errc::server_down);
  }
  pid borrower;
  if (const scheduler* const here = current_scheduler();
      here != nullptr && here->is_actor(here->current) &&
      &here->runtime == any_server_access::core(manager)->where->runtime) {
    borrower = here->current.load()->id();
  }
  const auto to = typed<pool_manager>(manager);
  const pool_manager::check_out request{borrower};
  auto lent = deadline == no_deadline ? to.call(request)
                                      : to.call(request, std::chrono::steady_clock::time_point(
                                                             std::chrono::nanoseconds(deadline)));
  if (!lent) {
    return lent.error();
  }
  return *std::move(lent);
}

errc submit(const pool_control& control, pool_node& node) noexcept {
  pool_work work(node);
  const auto sent = typed<pool_manager>(control.manager.get()).cast(std::move(work));
  if (!sent) {
    (void)work.release();
    return static_cast<errc>(sent.error().value());
  }
  return errc{};
}

boost::system::result<worker_pool_statistics> statistics_of(const pool_control& control) {
  return typed<pool_manager>(control.manager.get()).call(pool_manager::statistics());
}

// ---- a worker that was lent

void lent_worker::give_back() noexcept {
  const auto sent =
      typed<pool_manager>(manager_).cast(pool_manager::returned{worker_.id(), number_});
  if (!sent && sent.error() == make_error_code(errc::out_of_memory)) {
    discard(); // the manager hears of its end, for which there is memory
  }
}

void lent_worker::discard() noexcept {
  manager_ = any_server();
  if (const server_core* const core = any_server_access::core(worker_)) {
    (void)shut_down(*core->where, core->id(), pid::none(), shutdown_asked::directly);
  }
}

} // namespace smarm::detail

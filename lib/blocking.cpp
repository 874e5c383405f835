// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/blocking.hpp>

#include "blocking_pool.hpp"

#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/this_caller.hpp>

#include <boost/system/system_error.hpp>

#include <new>

namespace smarm::detail {
namespace {

const char* remedy_of(errc why) noexcept {
  return why == errc::queue_full
             ? "smarm::blocking: raise config::blocking_threads or config::blocking_queue, or let "
               "fewer actors call"
             : "smarm::blocking";
}

// As far as it has begun it is seen to its end, whatever comes.
void await_end_of(blocking_job& job) noexcept {
  reply_source over{job};
  (void)wait_for_source<false, stoppable::no>(over, wait_kind::blocking);
}

[[nodiscard]] wait_end await(blocking_job& job, std::int64_t deadline) {
  reply_source over{job};
  return deadline == no_deadline
             ? wait_for_source<false>(over, wait_kind::blocking)
             : wait_for_source<true>(over, wait_kind::blocking, deadline);
}

} // namespace

blocking_place find_blocking_place() {
  scheduler* const here = current_scheduler();
  if (here == nullptr) {
    return {nullptr, this_blocking_pool() != nullptr ? errc::nested_blocking : errc{}};
  }
  if (!here->is_actor(here->current)) {
    return {nullptr, errc::would_block_scheduler};
  }
  stop_point_here();
  try {
    return {&blocking_pool_of(here->runtime), errc{}};
  } catch (const std::bad_alloc&) {
    return {nullptr, errc::out_of_memory};
  }
}

void throw_blocking_error(errc why) {
  throw boost::system::system_error(make_error_code(why), remedy_of(why));
}

errc carry_out(blocking_pool& pool, blocking_job& job, std::int64_t deadline) {
  if (const errc refused = pool.post(job); refused != errc{}) {
    return refused;
  }
  struct presence {
    blocking_pool& pool;
    blocking_job& job;
    bool withdrawn = false;
    // False: it is over, if need be only now.
    bool withdraw() noexcept {
      withdrawn = pool.withdraw(job);
      if (!withdrawn) {
        await_end_of(job);
      }
      return withdrawn;
    }
    ~presence() {
      if (!withdrawn && !job.state.answered()) { // a stop is on its way
        (void)withdraw();
      }
    }
  };
  presence here{pool, job};
  if (await(job, deadline) == wait_end::timed_out && here.withdraw()) {
    return errc::timed_out;
  }
  return job.error;
}

errc detached_share::carry_out(std::int64_t deadline) {
  if (const errc refused = pool_.post(*job_); refused != errc{}) {
    return refused;
  }
  posted_ = true;
  if (await(*job_, deadline) == wait_end::timed_out) {
    if (pool_.withdraw(*job_)) {
      posted_ = false;
      return errc::timed_out;
    }
    if (leave()) {
      return errc::timed_out;
    }
  }
  posted_ = false; // it is over, and the caller's alone
  return job_->error;
}

bool detached_share::leave() noexcept {
  blocking_job& job = *job_;
  job.pool = &pool_;
  job.caller = this_caller().id();
  pool_.add_left(job);
  bool over = false;
  job.state.let_go([&over]() noexcept { over = true; });
  if (over) {
    pool_.remove_left(job);
    pool_.left_job_ended();
    return false;
  }
  job_ = nullptr;
  return true;
}

detached_share::~detached_share() {
  if (job_ == nullptr) {
    return;
  }
  if (posted_ && !job_->state.answered() && !pool_.withdraw(*job_) && leave()) {
    return;
  }
  if (posted_) { // a stop came in between
    job_->caller = this_caller().id();
    report_unseen_failure(pool_, *job_);
  }
  free_(*job_);
}

} // namespace smarm::detail

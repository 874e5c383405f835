// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A call on the blocking pool: what is queued there, and where its outcome appears, with the protocol of
// a reply (reply_cell.hpp). It lies in the caller's frame, or, if the caller need not wait for its end,
// in a block of its own; whoever comes second then frees that, the end of the call or the caller who
// has left it.

#ifndef SMARM_DETAIL_BLOCKING_JOB_HPP
#define SMARM_DETAIL_BLOCKING_JOB_HPP

#include <smarm/detail/job_queue.hpp>
#include <smarm/detail/reply_cell.hpp>
#include <smarm/error.hpp>
#include <smarm/pid.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace smarm::detail {

class blocking_pool;

struct blocking_job : reply_cell, queued_job {
  blocking_job(void (*run)(blocking_job&) noexcept, void (*forget)(reply_cell&) noexcept) noexcept
      : reply_cell(forget), execute(run) {}

  void (*const execute)(blocking_job&) noexcept; // on a thread of the pool
  std::exception_ptr failure;                    // what the function threw
  // Of one that was left:
  blocking_pool* pool = nullptr;
  pid caller;
};

template <class R>
struct blocking_outcome : blocking_job {
  using kept = std::conditional_t<std::is_reference_v<R>, std::add_pointer_t<R>,
                                  storable<std::remove_cv_t<R>>>;

  using blocking_job::blocking_job;

  template <class F>
  void run(F&& function) noexcept {
    try {
      if constexpr (std::is_void_v<R>) {
        std::invoke(std::forward<F>(function));
        value.emplace();
      } else if constexpr (std::is_reference_v<R>) {
        value = std::addressof(static_cast<std::remove_reference_t<R>&>(
            std::invoke(std::forward<F>(function))));
      } else {
        value.emplace(std::invoke(std::forward<F>(function)));
      }
    } catch (...) {
      failure = std::current_exception();
    }
    error = errc{};
  }

  [[nodiscard]] R take() {
    if (failure != nullptr) {
      std::rethrow_exception(std::exchange(failure, nullptr));
    }
    if constexpr (std::is_reference_v<R>) {
      return static_cast<R>(**value);
    } else if constexpr (!std::is_void_v<R>) {
      return std::move(*value);
    }
  }

  std::optional<kept> value;
};

// F refers to the caller's function, which outlives the call.
template <class F>
struct blocking_call : blocking_outcome<std::invoke_result_t<F>> {
  explicit blocking_call(F&& of) noexcept
      : blocking_outcome<std::invoke_result_t<F>>(&execute_it, &never_left),
        function(std::forward<F>(of)) {}

  F&& function;

private:
  static void execute_it(blocking_job& job) noexcept {
    auto& me = static_cast<blocking_call&>(job);
    me.run(std::forward<F>(me.function));
  }
  static void never_left(reply_cell&) noexcept {}
};

// Tells of its failure, if it has one that nobody has seen.
void report_unseen_failure(blocking_pool& pool, blocking_job& job) noexcept;
// It is over, and about to be freed; lets the run end. In two steps around that.
[[nodiscard]] blocking_pool& left_job_ends(blocking_job& job) noexcept;
void left_job_ended(blocking_pool& pool) noexcept;

// F is a function of its own, destroyed as soon as it was called.
template <class F>
struct detached_call : blocking_outcome<std::invoke_result_t<F>> {
  template <class From>
  explicit detached_call(From&& from)
      : blocking_outcome<std::invoke_result_t<F>>(&execute_it, &end_left),
        function(std::in_place, std::forward<From>(from)) {}

  std::optional<F> function;

private:
  static void execute_it(blocking_job& job) noexcept {
    auto& me = static_cast<detached_call&>(job);
    me.run(std::move(*me.function));
    me.function.reset();
  }
  static void end_left(reply_cell& cell) noexcept {
    auto& me = static_cast<detached_call&>(cell);
    report_unseen_failure(*me.pool, me);
    me.value.reset();
    me.failure = nullptr;
    blocking_pool& pool = left_job_ends(me);
    delete &me;
    left_job_ended(pool);
  }
};

// ---- the caller

// Where the caller's calls are carried out. No error and no pool: by itself, since it is a plain thread,
// which may block. A stop point.
struct blocking_place {
  blocking_pool* pool = nullptr;
  errc error{};
};
[[nodiscard]] blocking_place find_blocking_place();

// Has it carried out and waits for that; a stop point. The deadline, or a stop, withdraws it if it has
// not begun; else it is waited for in any case. errc{}: it is there, and it is over.
[[nodiscard]] errc carry_out(blocking_pool& pool, blocking_job& job, std::int64_t deadline);

// The caller's share in a call that it may leave.
class detached_share {
public:
  detached_share(blocking_pool& pool, blocking_job& job,
                 void (*free)(blocking_job&) noexcept) noexcept
      : pool_(pool), job_(&job), free_(free) {}
  detached_share(const detached_share&) = delete;
  detached_share& operator=(const detached_share&) = delete;
  ~detached_share();

  // As carry_out, but what has begun is left by a deadline or a stop.
  [[nodiscard]] errc carry_out(std::int64_t deadline);

private:
  [[nodiscard]] bool leave() noexcept; // false: it is over

  blocking_pool& pool_;
  blocking_job* job_; // null: it was left
  void (*const free_)(blocking_job&) noexcept;
  bool posted_ = false;
};

[[noreturn]] void throw_blocking_error(errc why);

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Functions that block a thread: a database driver, a compressor, getaddrinfo. The actor that calls one
// by smarm::blocking waits for it as for anything else, while one of the runtime's threads for such calls
// carries it out.
//
//     std::string page = smarm::blocking([&] { return read_whole_file(path); });
//     auto rows = smarm::try_blocking_for(2s, [&] { return db.query(text); });   // result<...>
//
// A call that waits for a thread is withdrawn when the actor is asked to stop, and when its deadline
// passes. One that has begun cannot be: the function may be using what lies in the actor's frame. So the
// actor goes on when it returns; then the stop is raised, and a result that came too late counts all the
// same. blocking_detached takes a function that owns all it needs, answers stops and deadlines at once,
// and drops the result that nobody waits for.

#ifndef SMARM_BLOCKING_HPP
#define SMARM_BLOCKING_HPP

#include <smarm/detail/blocking_job.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {

// An error is returned in a result; what the function throws is thrown.
template <class R>
struct returned_outcome {
  static_assert(!std::is_reference_v<R>, "smarm: let the function return a value or a pointer, or "
                                         "call it by smarm::blocking");
  using result = boost::system::result<std::remove_cv_t<R>>;

  static result failed(errc why) {
    return result(boost::system::in_place_error, make_error_code(why));
  }
  template <class Get>
  static result done(Get get) {
    if constexpr (std::is_void_v<R>) {
      get();
      return result();
    } else {
      return result(boost::system::in_place_value, get());
    }
  }
};

template <class R>
struct thrown_outcome {
  using result = R;

  [[noreturn]] static R failed(errc why) { throw_blocking_error(why); }
  template <class Get>
  static R done(Get get) {
    return get();
  }
};

template <template <class> class Outcome, class F>
typename Outcome<std::invoke_result_t<F>>::result run_blocking(F&& function,
                                                               std::int64_t deadline) {
  using returned = std::invoke_result_t<F>;
  using outcome = Outcome<returned>;
  const blocking_place here = find_blocking_place();
  if (here.error != errc{}) {
    return outcome::failed(here.error);
  }
  if (here.pool == nullptr) {
    return outcome::done([&]() -> returned { return std::invoke(std::forward<F>(function)); });
  }
  blocking_call<F> job(std::forward<F>(function));
  if (const errc why = carry_out(*here.pool, job, deadline); why != errc{}) {
    return outcome::failed(why);
  }
  return outcome::done([&]() -> returned { return job.take(); });
}

template <template <class> class Outcome, class F>
typename Outcome<std::invoke_result_t<std::decay_t<F>>>::result
run_blocking_detached(F&& function, std::int64_t deadline) {
  using owned = std::decay_t<F>;
  using returned = std::invoke_result_t<owned>;
  using outcome = Outcome<returned>;
  static_assert(!std::is_reference_v<returned>,
                "smarm: what such a function refers to may be gone: let it return a value");
  const blocking_place here = find_blocking_place();
  if (here.error != errc{}) {
    return outcome::failed(here.error);
  }
  if (here.pool == nullptr) {
    return outcome::done([&]() -> returned { return std::invoke(std::forward<F>(function)); });
  }
  auto* const job = new (std::nothrow) detached_call<owned>(std::forward<F>(function));
  if (job == nullptr) {
    return outcome::failed(errc::out_of_memory);
  }
  detached_share mine(*here.pool, *job, [](blocking_job& j) noexcept {
    delete static_cast<detached_call<owned>*>(&j);
  });
  if (const errc why = mine.carry_out(deadline); why != errc{}) {
    return outcome::failed(why);
  }
  return outcome::done([&]() -> returned { return job->take(); });
}

} // namespace detail

// Calls the function on a thread of the runtime's pool, see config::blocking_threads, and returns what it
// returns; what it throws is rethrown. It may refer to the caller's variables. There the function counts
// as a plain thread: it may send, cast, call and wait, but what works in actors only does not. Takes
// nothing from the heap.
//
// Suspends the caller only. A stop point: a call that waits for a thread is withdrawn, one that has begun
// is waited for. On a plain thread it is that thread which calls the function. Throws
// boost::system::system_error: queue_full (see config::blocking_queue), out_of_threads,
// would_block_scheduler, nested_blocking if the caller is on a thread of a pool already, out_of_memory if
// the runtime has no pool yet. Then the function was not called.
template <class F>
std::invoke_result_t<F> blocking(F&& function) {
  return detail::run_blocking<detail::thrown_outcome>(std::forward<F>(function),
                                                      detail::no_deadline);
}
// The same, and returns these errors; what the function throws is thrown. Returns a result of what the
// function returns.
template <class F>
[[nodiscard]] auto try_blocking(F&& function) {
  return detail::run_blocking<detail::returned_outcome>(std::forward<F>(function),
                                                        detail::no_deadline);
}
// The same, and waits no longer than that for a thread: errc::timed_out. A function that has begun by
// then is waited for, and its result is returned.
template <class Rep, class Period, class F>
[[nodiscard]] auto try_blocking_for(const std::chrono::duration<Rep, Period>& limit, F&& function) {
  return detail::run_blocking<detail::returned_outcome>(std::forward<F>(function),
                                                        detail::deadline_after(limit));
}
template <class Clock, class Duration, class F>
[[nodiscard]] auto try_blocking_until(const std::chrono::time_point<Clock, Duration>& deadline,
                                      F&& function) {
  return detail::run_blocking<detail::returned_outcome>(std::forward<F>(function),
                                                        detail::deadline_of(deadline));
}

// As blocking, but a stop ends the wait at once, and so does the deadline, whether the function has begun
// or not. If it has, it goes on alone: its result is destroyed, what it throws is reported as
// report_kind::callback_failed, and the runtime's end waits for it. So it must own all that it uses: the
// function is moved or copied, takes a block of the heap, and is destroyed on the pool's thread after the
// call. Throws what moving or copying it throws.
template <class F>
auto blocking_detached(F&& function) {
  return detail::run_blocking_detached<detail::thrown_outcome>(std::forward<F>(function),
                                                               detail::no_deadline);
}
template <class F>
[[nodiscard]] auto try_blocking_detached(F&& function) {
  return detail::run_blocking_detached<detail::returned_outcome>(std::forward<F>(function),
                                                                 detail::no_deadline);
}
template <class Rep, class Period, class F>
[[nodiscard]] auto try_blocking_detached_for(const std::chrono::duration<Rep, Period>& limit,
                                             F&& function) {
  return detail::run_blocking_detached<detail::returned_outcome>(std::forward<F>(function),
                                                                 detail::deadline_after(limit));
}
template <class Clock, class Duration, class F>
[[nodiscard]] auto
try_blocking_detached_until(const std::chrono::time_point<Clock, Duration>& deadline,
                            F&& function) {
  return detail::run_blocking_detached<detail::returned_outcome>(std::forward<F>(function),
                                                                 detail::deadline_of(deadline));
}

} // namespace smarm

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#ifndef SMARM_IMPL_THIS_ACTOR_HPP
#define SMARM_IMPL_THIS_ACTOR_HPP

#include <smarm/this_actor.hpp>

#include <functional>
#include <optional>

namespace smarm::this_actor {

namespace impl {

template <class F, class R>
struct thread_errand : detail_::errand {
  F& f;
  std::exception_ptr failure;
  std::optional<R> value;

  explicit thread_errand(F& body) noexcept : detail_::errand{&call}, f(body) {}
  static void call(detail_::errand& self) noexcept {
    auto& me = static_cast<thread_errand&>(self);
    try {
      me.value.emplace(std::invoke(std::forward<F>(me.f)));
    } catch (...) {
      me.failure = std::current_exception();
    }
  }
};

template <class F>
struct thread_errand<F, void> : detail_::errand {
  F& f;
  std::exception_ptr failure;

  explicit thread_errand(F& body) noexcept : detail_::errand{&call}, f(body) {}
  static void call(detail_::errand& self) noexcept {
    auto& me = static_cast<thread_errand&>(self);
    try {
      std::invoke(std::forward<F>(me.f));
    } catch (...) {
      me.failure = std::current_exception();
    }
  }
};

} // namespace impl

template <class F>
std::invoke_result_t<F> run_on_thread_stack(F&& f) {
  using R = std::invoke_result_t<F>;
  static_assert(!std::is_reference_v<R>, "smarm: run_on_thread_stack returns values; return a "
                                         "pointer or std::reference_wrapper instead");
  if (SMARM_UNLIKELY(impl::on_thread_stack())) {
    return std::invoke(std::forward<F>(f)); // it is there already
  }
  detail_::scheduler& here = impl::here("this_actor::run_on_thread_stack");
  impl::thread_errand<F, R> errand(f);
  here.on_thread_stack(*here.current, errand);
  if (errand.failure) {
    std::rethrow_exception(std::move(errand.failure));
  }
  if constexpr (!std::is_void_v<R>) {
    return *std::move(errand.value);
  }
}

} // namespace smarm::this_actor

#endif

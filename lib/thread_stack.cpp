// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Asked for while all is well: the answer needs memory, which a handler must not ask for.

#include "thread_stack.hpp"

#include <smarm/detail/config.hpp>

#include <pthread.h>

namespace smarm::detail {
namespace {

// In the static block of each thread, so that a handler's first access allocates nothing.
constinit thread_local thread_stack own __attribute__((tls_model("initial-exec")));

} // namespace

void know_thread_stack(const char* what) noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &low, &size) == 0) {
    own = {what, static_cast<const std::byte*>(low), size};
  }
  (void)::pthread_attr_destroy(&attributes);
}

void forget_thread_stack() noexcept { own = {}; }

thread_stack this_thread_stack() noexcept { return own; }

} // namespace smarm::detail

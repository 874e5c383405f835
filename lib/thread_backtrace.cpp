// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/thread_backtrace.hpp>

#include <smarm/detail/parked_stack.hpp>

#include <execinfo.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <thread>

namespace smarm::detail {
namespace {

// SIGURG is ignored by default, so one that comes after the handler is gone does no harm.
constexpr int ask = SIGURG;
constexpr int frames_at_most = 64;

std::mutex one_at_a_time;
std::array<void*, frames_at_most> frames;
// -1 while nobody has answered. Written by the handler once (release) and read by the asker.
std::atomic<int> answered{-1};
std::atomic<bool> expecting{false};

void answer(int) {
  const int saved = errno;
  if (expecting.exchange(false, std::memory_order_acq_rel)) {
    answered.store(::backtrace(frames.data(), frames_at_most), std::memory_order_release);
  }
  errno = saved;
}

} // namespace

std::vector<std::string> backtrace_of(pthread_t thread) {
  if (::pthread_equal(thread, ::pthread_self()) != 0) {
    return {};
  }
  const std::lock_guard guard(one_at_a_time);
  // The first call loads the unwinder, which no signal handler may do.
  std::array<void*, 1> first;
  (void)::backtrace(first.data(), 1);

  struct sigaction handler = {};
  struct sigaction before = {};
  handler.sa_handler = &answer;
  handler.sa_flags = SA_RESTART | SA_ONSTACK;
  ::sigemptyset(&handler.sa_mask);
  if (::sigaction(ask, &handler, &before) != 0) {
    return {};
  }
  answered.store(-1, std::memory_order_relaxed);
  expecting.store(true, std::memory_order_release);
  int count = -1;
  if (::pthread_kill(thread, ask) == 0) {
    using namespace std::chrono_literals;
    const auto limit = std::chrono::steady_clock::now() + 100ms;
    while ((count = answered.load(std::memory_order_acquire)) < 0 &&
           std::chrono::steady_clock::now() < limit) {
      std::this_thread::sleep_for(1ms);
    }
  }
  if (count < 0 && !expecting.exchange(false, std::memory_order_acq_rel)) {
    // It has begun to answer after all: the frames are its own until it has.
    while ((count = answered.load(std::memory_order_acquire)) < 0) {
      std::this_thread::yield();
    }
  }
  ::sigaction(ask, &before, nullptr);
  std::vector<std::string> lines;
  if (count > 0) {
    // The two innermost are this handler and the kernel's frame around it.
    for (int i = 2; i < count; ++i) {
      lines.push_back(frame_text(frames[static_cast<std::size_t>(i)]));
    }
  }
  return lines;
}

} // namespace smarm::detail

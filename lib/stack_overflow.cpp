// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The handler. All it reads is either its own arguments, atomics, or what belongs to the thread that
// faulted.

#include <smarm/detail/stack_overflow.hpp>

#include "guard_map.hpp"
#include "signal_message.hpp"
#include "thread_stack.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

namespace smarm::detail {
namespace {

// How far beyond a guard a fault is still laid to a frame that leapt over it.
constexpr std::size_t overshoot_window = 1024 * 1024;

// Written by report_stack_overflows, release; the handler reads it with acquire.
constinit std::atomic<find_overflow_subject> find_subject{nullptr};

// Written before the handlers are installed, read by them.
struct sigaction before_segv;
struct sigaction before_bus;

std::uintptr_t stack_pointer([[maybe_unused]] const void* context) noexcept {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.sp);
#else
  return 0;
#endif
}

signal_message& operator<<(signal_message& message, const stack_shape& shape) noexcept {
  return message << std::uint64_t{shape.reserve / 1024} << " KiB reserve, "
                 << std::uint64_t{shape.guard / 1024} << " KiB guard";
}

void say(const overflow_subject& who, const stack_shape& shape, std::size_t leapt) noexcept {
  signal_message message;
  message << "smarm: stack overflow in actor <" << std::uint64_t{who.index} << "."
          << std::uint64_t{who.generation} << ">";
  if (who.label != nullptr && *who.label != '\0') message << " \"" << who.label << "\"";
  message << ": " << shape;
  if (leapt != 0) {
    message << ", a frame leapt " << std::uint64_t{leapt / 1024}
            << " KiB beyond it: compile with -fstack-clash-protection, and";
  } else {
    message << ";";
  }
  message << " raise spawn_options::stack_size or config::stack_size";
  message.send();
}

// Whether the fault is an overflow; if so it was reported.
void report_if_overflow(const void* fault, std::uintptr_t sp) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(fault);
  // An overflowing access is near or above the stack pointer. Others only strayed into a guard.
  if (sp != 0 && address + page_size() < sp) return;

  const find_overflow_subject find = find_subject.load(std::memory_order_acquire);
  const overflow_subject who = find != nullptr ? find() : overflow_subject{};
  if (who.on != nullptr) {
    const auto low = reinterpret_cast<std::uintptr_t>(who.on->low());
    const stack_shape shape = who.on->shape();
    const guard_hit hit = find_guard(fault);
    const bool in_guard = hit.low == who.on->low() || (address < low && low - address <= shape.guard);
    if (in_guard) return say(who, shape, 0);
    if (address < low && low - address <= shape.guard + overshoot_window && sp < low) {
      return say(who, shape, low - shape.guard - address);
    }
  }
  if (const guard_hit hit = find_guard(fault); hit.low != nullptr) {
    signal_message message;
    message << "smarm: stack overflow outside any actor: " << hit.shape
            << "; raise config::stack_size";
    return message.send();
  }
  const thread_stack own = this_thread_stack();
  const auto low = reinterpret_cast<std::uintptr_t>(own.low);
  if (own.what != nullptr && address < low + page_size() &&
      address + overshoot_window >= low) {
    signal_message message;
    message << "smarm: stack overflow in " << own.what << ": the thread's own stack of "
            << std::uint64_t{own.size / 1024} << " KiB";
    message.send();
  }
}

// As if this handler were not there.
void pass_on(const struct sigaction& before, int number, siginfo_t* info, void* context) noexcept {
  const bool default_action =
      (before.sa_flags & SA_SIGINFO) == 0 &&
      (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN);
  if (!default_action) {
    sigset_t mask;
    (void)::pthread_sigmask(SIG_BLOCK, &before.sa_mask, &mask);
    if ((before.sa_flags & SA_NODEFER) != 0) {
      sigset_t open;
      sigemptyset(&open);
      sigaddset(&open, number);
      (void)::pthread_sigmask(SIG_UNBLOCK, &open, nullptr);
    }
    if ((before.sa_flags & SA_SIGINFO) != 0) {
      before.sa_sigaction(number, info, context);
    } else {
      before.sa_handler(number);
    }
    (void)::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    return;
  }
  // A fault happens again on return, now with nobody to catch it, and the core shows the place. A
  // signal that was sent does not.
  const bool sent = info->si_code <= 0;
  if (sent && (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_IGN) return;
  struct sigaction fatal {};
  fatal.sa_handler = SIG_DFL;
  (void)::sigaction(number, &fatal, nullptr);
  if (sent) (void)::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), number);
}

void on_fault(int number, siginfo_t* info, void* context) {
  const int saved = errno;
  if (info->si_code > 0) report_if_overflow(info->si_addr, stack_pointer(context));
  pass_on(number == SIGSEGV ? before_segv : before_bus, number, info, context);
  errno = saved;
}

bool install() noexcept {
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  // Read first: a fault on another thread may come in at once.
  return ::sigaction(SIGSEGV, nullptr, &before_segv) == 0 &&
         ::sigaction(SIGBUS, nullptr, &before_bus) == 0 &&
         ::sigaction(SIGSEGV, &ours, nullptr) == 0 && ::sigaction(SIGBUS, &ours, nullptr) == 0;
}

} // namespace

bool report_stack_overflows(find_overflow_subject find) noexcept {
  find_subject.store(find, std::memory_order_release);
  (void)page_size(); // remembered from here on, so that the handler need not ask
  static const bool installed = install();
  return installed;
}

} // namespace smarm::detail

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "asio_driver.hpp"

#include "what_of.hpp"

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/report.hpp>

#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <sys/timerfd.h>
#include <time.h>

#include <cerrno>
#include <exception>
#include <memory>

namespace smarm::detail {
namespace {

int new_timer() {
  const int fd = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (fd < 0) {
    throw boost::system::system_error(errno, boost::system::system_category(),
                                      "smarm: the runtime's timer");
  }
  return fd;
}

[[nodiscard]] bool nothing_ready() noexcept { return !current_scheduler()->has_ready(); }

// Whether two actors would be worth another scheduler's while. If so they had better be known of.
[[nodiscard]] bool others_would_help() noexcept {
  const scheduler& here = *current_scheduler();
  return !here.solo && here.pace.worth_sharing(2);
}

} // namespace

asio_loop::asio_loop(runtime_state& owner)
    : owner_(owner), work_(context_.get_executor()), timer_(context_, new_timer()),
      descriptor_events_(context_, descriptors_.native_handle()) {
  await_descriptors();
}

asio_loop::~asio_loop() { (void)descriptor_events_.release(); }

// A handler of the user's may throw; the loop goes on. The user has the context's stop() too, which
// would strand everybody.
template <class Run>
std::size_t asio_loop::guarded(Run run) noexcept {
  try {
    const std::size_t ran = run();
    if (ran != 0) {
      handlers_.add();
    }
    if (SMARM_UNLIKELY(ran == 0 && context_.stopped())) {
      context_.restart();
    }
    return ran;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    owner_.tell_made([&failure] {
      return report{.kind = report_kind::callback_failed,
                    .actor = {},
                    .parent = {},
                    .label = {},
                    .reason = exit_reason::failed(failure),
                    .text = "an Asio handler threw: " + what_of(failure)};
    });
    return 1;
  }
}

void asio_loop::run(std::int64_t deadline) noexcept {
  sleeps_.add();
  expect(deadline);
  const std::size_t ran = guarded([this] { return context_.run_one(); });
  if (is_tracing() && ran != 0) {
    trace_io(ran);
  }
  if (ran != 0 && nothing_ready()) {
    (void)poll();
  }
}

// Many handlers in a row cost less than as many looks, and bring surplus that others take: so all that
// are ready run first, up to a batch. To find out that there are no more is a system call, though. Where
// handlers come one by one, and bring little to do, who had nothing else to do takes up what the first
// one brings.
bool asio_loop::poll() noexcept {
  polls_.add();
  const bool to_the_end =
      lately_ready_ >= worth_a_call || ++looks_ % counted_every == 0 || others_would_help();
  const bool idle = nothing_ready();
  unsigned ran = 0;
  while (ran < batch) {
    if (guarded([this] { return context_.poll_one(); }) == 0) {
      lately_ready_ = ran;
      break;
    }
    ++ran;
    if (idle && !to_the_end && !nothing_ready()) {
      break;
    }
  }
  if (is_tracing() && ran != 0) {
    trace_io(ran);
  }
  return ran != 0;
}

void asio_loop::interrupt() noexcept {
  if (!interrupted_.exchange(true, std::memory_order_acq_rel)) {
    interrupts_.add();
    boost::asio::post(context_, stored_handler(interrupt_storage_, [this]() noexcept {
                        interrupted_.store(false, std::memory_order_release);
                      }));
  }
}

io_stats asio_loop::stats() const noexcept {
  return {.polls = polls_.count(),
          .sleeps = sleeps_.count(),
          .handlers = handlers_.count(),
          .interrupts = interrupts_.count(),
          .descriptors_waited_for = descriptors_.waited_for()};
}

// A timer that is set to an earlier time stays so: to set it costs more than to wake up once for
// nothing, which few of these come to.
void asio_loop::expect(std::int64_t deadline) noexcept {
  if (deadline >= expected_) {
    return;
  }
  expected_ = deadline;
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t at = deadline > 0 ? deadline : 1; // zero would disarm it
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(at / second);
  when.it_value.tv_nsec = static_cast<long>(at % second);
  ::timerfd_settime(timer_.native_handle(), TFD_TIMER_ABSTIME, &when, nullptr);
  if (!timer_awaited_) {
    await_timer();
  }
}

// Only once it is set, which makes it unreadable again, so that it need not be read. Awaited while it is
// readable still, it would be told of without end when there is no next deadline.
void asio_loop::await_timer() noexcept {
  timer_awaited_ = true;
  timer_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                    stored_handler(timer_storage_, [this](boost::system::error_code) noexcept {
                      timer_awaited_ = false;
                      expected_ = no_deadline;
                    }));
}

void asio_loop::await_descriptors() noexcept {
  descriptor_events_.async_wait(
      boost::asio::posix::descriptor_base::wait_read,
      stored_handler(descriptors_storage_, [this](boost::system::error_code ec) noexcept {
        if (!ec) {
          descriptors_.dispatch();
          await_descriptors();
        }
      }));
}

descriptor_set& descriptors_of(runtime_state& owner) {
  return asio_driver_of(owner).loop().descriptors();
}

descriptor_set* descriptors_if_any(runtime_state& owner) noexcept {
  idle_driver* const present = owner.plugged_driver();
  return present != nullptr && present->does_io()
             ? &static_cast<asio_driver&>(*present).loop().descriptors()
             : nullptr;
}

asio_driver& asio_driver_of(runtime_state& owner) {
  if (idle_driver* present = owner.plugged_driver()) {
    if (!present->does_io()) {
      throw boost::system::system_error(
          make_error_code(errc::not_supported),
          "smarm::test_runtime: it has no input and output, which take the world's time; put what "
          "stands for them into the test, or use smarm::runtime");
    }
    return static_cast<asio_driver&>(*present);
  }
  const quiet_allocation quiet; // under a lock
  return static_cast<asio_driver&>(
      owner.plug_driver([&owner] { return std::make_unique<asio_driver>(owner); }));
}

} // namespace smarm::detail

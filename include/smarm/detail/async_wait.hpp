// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An asynchronous operation of Asio's kind that is a wait of smarm's kind. Waker, timer and cancellation
// may come at once, from any threads; who ends the wait is decided by the source, whose registration is
// either taken by its waker or withdrawn. That one posts the completion, once.
//
// The operation is an object of the heap that these share; it may go a little after the handler was called,
// on any of their threads, so it is not taken from the handler's allocator.

#ifndef SMARM_DETAIL_ASYNC_WAIT_HPP
#define SMARM_DETAIL_ASYNC_WAIT_HPP

#include <smarm/detail/asio_choices.hpp>
#include <smarm/detail/async_presence.hpp>
#include <smarm/detail/callback_waiter.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/error.hpp>
#include <smarm/executor.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace smarm::detail {

// Where a handler runs that names no executor: with the caller's runtime, or where Asio would run it.
[[nodiscard]] inline boost::asio::any_io_executor default_executor() {
  if (current_scheduler() != nullptr) {
    return this_actor::get_executor();
  }
  return boost::asio::system_executor();
}

// What is waited for:
//   wait source functions   see wait.hpp
//   finish(handler, ec)     calls the handler; ec is set if the wait was given up
template <class What, class Handler>
class async_wait final : public async_presence::guest,
                         public std::enable_shared_from_this<async_wait<What, Handler>> {
public:
  using executor_type =
      boost::asio::associated_executor_t<Handler, boost::asio::any_io_executor>;

  async_wait(Handler&& handler, What&& what)
      : executor_(boost::asio::get_associated_executor(handler, default_executor())),
        work_(*executor_),
        presence_(async_presence::of(
            boost::asio::query(*executor_, boost::asio::execution::context))),
        handler_(std::move(handler)), what_(std::move(what)), waiter_(&callback_waiter::take()) {}
  async_wait(const async_wait&) = delete;
  async_wait& operator=(const async_wait&) = delete;
  ~async_wait() {
    if (waiter_ != nullptr) {
      callback_waiter::give_back(*waiter_);
    }
    if (place_) {
      presence_->leave(*place_);
    }
  }

  // Once. `at once`: there is nothing to wait for, and finish() says what.
  void start(std::int64_t deadline, bool at_once) {
    const quiet_allocation quiet; // under the lock
    const std::lock_guard guard(lock_);
    place_ = presence_->enter(this->weak_from_this());
    if (at_once) {
      keeps_ = this->shared_from_this();
      post_completion();
      return;
    }
    auto slot = boost::asio::get_associated_cancellation_slot(*handler_);
    if (slot.is_connected()) {
      slot.assign([weak = this->weak_from_this()](boost::asio::cancellation_type how) {
        if (how != boost::asio::cancellation_type::none) {
          if (const auto self = weak.lock()) {
            self->give_up(boost::asio::error::operation_aborted);
          }
        }
      });
    }
    // Last of what may throw: it holds this, and would give up a wait that has not begun.
    if (deadline != no_deadline) {
      timer_.emplace(*executor_);
      timer_->expires_at(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline)));
      timer_->async_wait([self = this->shared_from_this()](boost::system::error_code ec) {
        if (!ec) {
          self->give_up(make_error_code(errc::timed_out));
        }
      });
    }
    keeps_ = this->shared_from_this();
    // Where there was nothing to wait for, no registration is ours: the one that is there may be
    // somebody else's, whom the source preferred.
    over_ = !waiter_->wait(
        *what_, [](void* me) noexcept { static_cast<async_wait*>(me)->post_completion(); }, this);
  }

  // What is registered with the source stays until then, or is taken by who ends the wait, who finds
  // that nobody is to be told.
  void abandon() noexcept override {
    std::optional<Handler> handler; // goes under no lock
    std::shared_ptr<async_wait> self;
    {
      const std::lock_guard guard(lock_);
      if (waiter_ != nullptr && !over_ && what_->withdraw()) {
        waiter_->forget();
        self = std::move(keeps_);
      }
      over_ = true;
      if (handler_) {
        auto slot = boost::asio::get_associated_cancellation_slot(*handler_);
        if (slot.is_connected()) {
          slot.clear();
        }
        handler.emplace(std::move(*handler_));
        handler_.reset();
      }
      timer_.reset();
      work_.reset();
      executor_.reset();
    }
  }

private:
  // Whoever ended the wait. Where there is no memory even for this, it returns sooner or later.
  void post_completion() noexcept {
    const quiet_allocation quiet; // whoever wakes does not switch
    std::shared_ptr<async_wait> self = std::move(keeps_);
    for (;;) {
      try {
        presence_->unless_gone([this, &self] {
          boost::asio::post(*executor_, [self] { self->complete(); });
        });
        return;
      } catch (...) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
  }

  void give_up(boost::system::error_code why) {
    const quiet_allocation quiet;
    const std::lock_guard guard(lock_);
    if (!over_ && what_->withdraw()) {
      over_ = true;
      why_ = why;
      waiter_->forget();
      post_completion();
    }
  }

  void complete() {
    std::optional<Handler> handler;
    std::optional<What> what;
    boost::system::error_code why;
    [[maybe_unused]] auto work = [&] {
      const std::lock_guard guard(lock_); // who started it is out of it
      over_ = true;
      why = why_;
      if (timer_) {
        timer_->cancel();
      }
      auto slot = boost::asio::get_associated_cancellation_slot(*handler_);
      if (slot.is_connected()) {
        slot.clear();
      }
      handler.emplace(std::move(*handler_));
      handler_.reset();
      what.emplace(std::move(*what_));
      what_.reset();
      callback_waiter::give_back(*std::exchange(waiter_, nullptr));
      return std::move(work_);
    }();
    what->finish(*handler, why);
  }

  // What is of the context, and the handler, go when that goes; see abandon.
  std::optional<executor_type> executor_;
  std::optional<boost::asio::executor_work_guard<executor_type>> work_;
  const std::shared_ptr<async_presence> presence_;
  std::optional<async_presence::place> place_;
  std::optional<Handler> handler_;
  std::optional<What> what_;
  callback_waiter* waiter_;
  std::optional<boost::asio::basic_waitable_timer<
      std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
      executor_type>>
      timer_;
  std::shared_ptr<async_wait> keeps_; // for who ends the wait, which takes it
  boost::system::error_code why_;
  bool over_ = false; // given up, completed, or about to be without a wait; under the lock
  // Of start against all that may come before it is done, of timer and cancellation against each
  // other. A waker does not need it.
  std::mutex lock_;
};

// Has the handler called when `what` has come about. Throws std::bad_alloc and what Asio throws; then the
// handler is not called. Not inlined: an actor that calls may wait in the same function, and be on another
// thread afterwards, where the compiler must not keep the addresses of Asio's thread-locals.
template <class Handler, class What>
SMARM_NOINLINE void start_async_wait(Handler&& handler, What&& what, std::int64_t deadline,
                                     bool at_once) {
  using operation = async_wait<std::decay_t<What>, std::decay_t<Handler>>;
  std::make_shared<operation>(std::forward<Handler>(handler), std::forward<What>(what))
      ->start(deadline, at_once);
}

} // namespace smarm::detail

#endif

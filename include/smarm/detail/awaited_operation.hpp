// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An Asio operation that an actor awaits. It lies in the actor's frame, as do the buffers that the
// operation works on, so nothing leaves that frame before the handler has run or was destroyed.
//
// A stop and a deadline only wake the actor. It then asks for the cancellation itself: by a function
// that is posted to the operation's executor, since Asio wants that in turn with the operation's other
// handlers. The frame outlives that function too.

#ifndef SMARM_DETAIL_AWAITED_OPERATION_HPP
#define SMARM_DETAIL_AWAITED_OPERATION_HPP

#include <smarm/detail/completion.hpp>
#include <smarm/detail/frame_memory.hpp>
#include <smarm/executor.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>

namespace smarm::detail {

class awaited_operation;

// The completion of what has its memory in the same frame: the frame is not let go before that was
// given back.
class framed_completion : public completion {
public:
  using completion::completion;

  // Instead of complete().
  void finish() noexcept {
    if (memory.given_back_or(
            [](void* me) noexcept { static_cast<framed_completion*>(me)->complete(); }, this)) {
      complete();
    }
  }
  // It may not be completed yet.
  [[nodiscard]] bool finished() const noexcept { return completed() || memory.outlives(); }

  frame_memory memory;
};

// The request to cancel, on its way to the operation's executor.
class cancel_request : public framed_completion {
public:
  cancel_request(slot& waiter, awaited_operation& what) noexcept
      : framed_completion(waiter), what_(what) {}

  void carry_out() noexcept;

private:
  awaited_operation& what_;
};

// What is posted. If it is never called, as when its io_context goes, the actor goes on all the same.
class cancel_function {
public:
  using allocator_type = frame_memory::allocator<void>;

  explicit cancel_function(cancel_request& request) noexcept : request_(&request) {}
  cancel_function(cancel_function&& other) noexcept
      : request_(std::exchange(other.request_, nullptr)) {}
  cancel_function& operator=(cancel_function&&) = delete;
  ~cancel_function() {
    if (request_ != nullptr) {
      request_->finish();
    }
  }
  void operator()() { std::exchange(request_, nullptr)->carry_out(); }
  [[nodiscard]] allocator_type get_allocator() const noexcept {
    return allocator_type(request_ != nullptr ? &request_->memory : nullptr);
  }

private:
  cancel_request* request_;
};

class awaited_operation : public framed_completion {
public:
  // Posts the request to the executor of the operation whose initiation that is. Throws what that
  // throws; then the request is completed.
  using post_cancel = void (*)(void* initiation, cancel_request& request);

  // Throws as this_actor::yield does where there is no actor; a stop point, before anything begins.
  awaited_operation(post_cancel post, void* initiation);
  ~awaited_operation() { settle(); }

  // Between these two the initiation runs, in which an allocation must not yield: it may be made under
  // a lock of Asio's.
  void initiating() noexcept { ++waiter().masks.preemption; }
  void initiated() noexcept { --waiter().masks.preemption; }

  // Waits for the handler; a stop point. If the deadline came first, for what was cancelled then.
  void wait(std::int64_t deadline);

  [[nodiscard]] bool expired() const noexcept { return expired_; } // the deadline came first
  [[nodiscard]] bool abandoned() const noexcept { return abandoned_; }
  void abandon() noexcept {
    abandoned_ = true;
    finish();
  }

  boost::asio::cancellation_signal signal;

protected:
  // What the handler writes to is there until this returns: for the destructor of who adds to it.
  void settle() noexcept {
    if (SMARM_UNLIKELY(!completed())) {
      cancel_and_wait();
    }
  }

private:
  void cancel_and_wait() noexcept;

  const post_cancel post_;
  void* const initiation_;
  bool expired_ = false;
  bool abandoned_ = false; // written by who destroys the handler uncalled
};

inline void cancel_request::carry_out() noexcept {
  // Serial with the handlers: what is not finished now is not finished before the emission returns.
  if (!what_.finished()) {
    what_.signal.emit(boost::asio::cancellation_type::all);
  }
  finish();
}

// With room for what the handler is called with.
template <class... Values>
class awaited_values : public awaited_operation {
public:
  using awaited_operation::awaited_operation;
  ~awaited_values() { settle(); }

  template <class... Args>
  void complete_with(Args&&... args) noexcept {
    try {
      values_.emplace(std::forward<Args>(args)...);
    } catch (...) {
      failure_ = std::current_exception();
    }
    finish();
  }

  // After wait(), unless it was abandoned. Throws what copying the values threw.
  [[nodiscard]] std::tuple<Values...>& values() {
    if (failure_ != nullptr) {
      std::rethrow_exception(failure_);
    }
    return *values_;
  }

private:
  std::optional<std::tuple<Values...>> values_;
  std::exception_ptr failure_;
};

// The handler that Asio is given. It has no executor of its own, so that a composed operation's other
// handlers run on that of the I/O object, which may be a strand.
template <class... Values>
class await_handler {
public:
  using operation = awaited_values<Values...>;
  using cancellation_slot_type = boost::asio::cancellation_slot;
  using allocator_type = frame_memory::allocator<void>;

  explicit await_handler(operation& what) noexcept : what_(&what) {}
  await_handler(await_handler&& other) noexcept : what_(std::exchange(other.what_, nullptr)) {}
  await_handler& operator=(await_handler&&) = delete;
  ~await_handler() {
    if (what_ != nullptr) {
      what_->abandon(); // its io_context is gone: the actor is not to wait for ever
    }
  }

  template <class... Args>
  void operator()(Args&&... args) {
    std::exchange(what_, nullptr)->complete_with(std::forward<Args>(args)...);
  }

  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    return what_ != nullptr ? what_->signal.slot() : cancellation_slot_type();
  }
  [[nodiscard]] allocator_type get_allocator() const noexcept {
    return allocator_type(what_ != nullptr ? &what_->memory : nullptr);
  }

private:
  operation* what_;
};

// The executor on which the handlers of the operation run, as far as its initiation tells: what wraps
// another token's initiation keeps that and, if it binds an executor, this.
template <class Initiation>
void post_cancel_for(void* initiation, cancel_request& request) {
  auto& init = *static_cast<Initiation*>(initiation);
  if constexpr (requires { init.ex_; }) {
    boost::asio::post(init.ex_, cancel_function(request));
  } else if constexpr (requires { init.get_executor(); }) {
    boost::asio::post(init.get_executor(), cancel_function(request));
  } else if constexpr (requires { init.initiation_; }) {
    using inner = std::remove_cvref_t<decltype(init.initiation_)>;
    post_cancel_for<inner>(const_cast<inner*>(&init.initiation_), request);
  } else {
    boost::asio::post(this_actor::get_executor(), cancel_function(request));
  }
}

// Starts the operation. Never inlined into a function that waits: after a wait the actor may be on
// another thread, and the compiler may keep the addresses of Asio's thread-locals and of errno for as
// long as a function goes.
template <class... Values, class Initiation, class... Args>
SMARM_NOINLINE void initiate(awaited_values<Values...>& what, Initiation&& initiation,
                             Args&&... args) {
  struct scope {
    awaited_operation& what;
    explicit scope(awaited_operation& w) noexcept : what(w) { what.initiating(); }
    ~scope() { what.initiated(); }
  };
  const scope initiating(what);
  std::forward<Initiation>(initiation)(await_handler<Values...>(what), std::forward<Args>(args)...);
}

} // namespace smarm::detail

#endif

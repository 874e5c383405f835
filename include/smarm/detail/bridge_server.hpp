// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The server that stands for an object outside.

#ifndef SMARM_DETAIL_BRIDGE_SERVER_HPP
#define SMARM_DETAIL_BRIDGE_SERVER_HPP

#include <smarm/bridge_end.hpp>
#include <smarm/channel.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/this_actor.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

namespace smarm::detail {

template <class B>
concept starts_with_end = requires(B& b, bridge_end end) {
  b.start(std::move(end));
};
template <class B>
concept starts_alone = requires(B& b) {
  b.start();
};
template <class B>
concept can_be_stopped = requires(B& b) {
  b.stop();
};

template <class B>
class bridge_server final : public gen_server<bridge_server<B>> {
public:
  template <class... Arguments>
    requires std::constructible_from<B, Arguments...>
  explicit bridge_server(Arguments&&... arguments)
      : outside_(std::forward<Arguments>(arguments)...) {}

  void init() {
    if constexpr (starts_with_end<B>) {
      auto made = bridge_exit::make();
      this->receive_info(std::move(made.while_it_serves));
      end_ = std::move(made.when_it_ends);
      outside_.start(std::move(made.end));
    } else {
      outside_.start();
    }
    runs_ = true;
  }

  void handle_info(exit_reason how) {
    runs_ = false;
    this->stop(std::move(how));
  }

  // The object has to be there as long as it runs: who waits in vain abandons this actor.
  void terminate(const exit_reason&) {
    if (!runs_) {
      return;
    }
    const disable_stop until_it_has_ended;
    std::exception_ptr trouble;
    try {
      outside_.stop();
    } catch (...) {
      trouble = std::current_exception();
    }
    if constexpr (starts_with_end<B>) {
      (void)end_.recv();
    }
    if (trouble != nullptr) {
      std::rethrow_exception(trouble);
    }
  }

private:
  receiver<exit_reason> end_;
  bool runs_ = false;
  B outside_;
};

template <class F>
class thread_bridge {
public:
  explicit thread_bridge(F f) : f_(std::move(f)) {}
  thread_bridge(const thread_bridge&) = delete;
  thread_bridge& operator=(const thread_bridge&) = delete;
  // The thread has said that it has ended, which was the last thing it did.
  ~thread_bridge() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  void start(bridge_end end) {
    thread_ = std::thread([this, end = std::move(end)] {
      try {
        std::invoke(f_, stop_.get_token());
        end.ended();
      } catch (...) {
        end.failed(std::current_exception());
      }
    });
  }
  void stop() { stop_.request_stop(); }

private:
  F f_;
  std::stop_source stop_;
  std::thread thread_;
};

} // namespace smarm::detail

#endif

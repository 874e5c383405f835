// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The queue of a channel that drops its oldest message: senders take from both of its ends, so it
// is a list of nodes under a lock. Only links move under it: values are made and destroyed by the
// callers, outside.

#ifndef SMARM_DETAIL_DROPPING_QUEUE_HPP
#define SMARM_DETAIL_DROPPING_QUEUE_HPP

#include <smarm/detail/push_result.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace smarm::detail {

// Node has following() and set_following().
template <class Node, class Registration, class Lock>
class basic_dropping_queue {
public:
  template <class... Arguments>
  explicit basic_dropping_queue(std::size_t capacity, const Arguments&... for_lock) noexcept
      : lock_(for_lock...), capacity_(capacity) {}

  // As basic_inbox::push, never `full`: `dropped` gets the node that had to make room, or null.
  [[nodiscard]] push_result push(Node& node, Registration& waiter, Node*& dropped) noexcept {
    dropped = nullptr;
    const std::lock_guard guard(lock_);
    if (closed_) {
      return push_result::closed;
    }
    if (size_ == capacity_) {
      dropped = unlink_first();
      ++dropped_;
    }
    node.set_following(nullptr);
    (last_ != nullptr ? link_behind(*last_, node) : void(first_ = &node));
    last_ = &node;
    ++size_;
    return hand_over(waiter) ? push_result::pushed_and_wake : push_result::pushed;
  }

  // The last sender is gone. True: the receiver waited, and the caller wakes `waiter`.
  [[nodiscard]] bool close_by_sender(Registration& waiter) noexcept {
    const std::lock_guard guard(lock_);
    closed_ = true;
    return hand_over(waiter);
  }

  [[nodiscard]] bool closed() noexcept {
    const std::lock_guard guard(lock_);
    return closed_;
  }
  [[nodiscard]] bool empty() noexcept {
    const std::lock_guard guard(lock_);
    return first_ == nullptr;
  }
  [[nodiscard]] std::size_t size() noexcept {
    const std::lock_guard guard(lock_);
    return size_;
  }

  // How many had to make room.
  [[nodiscard]] std::uint64_t dropped() noexcept {
    const std::lock_guard guard(lock_);
    return dropped_;
  }

  // ---- the receiver

  // The oldest node, which is the caller's from here on; null if there is none.
  [[nodiscard]] Node* take() noexcept {
    const std::lock_guard guard(lock_);
    return first_ != nullptr ? unlink_first() : nullptr;
  }

  // Registers the receiver. False: something is there, the queue is closed, or somebody waits already.
  [[nodiscard]] bool wait(const Registration& receiver) noexcept {
    const std::lock_guard guard(lock_);
    if (first_ != nullptr || closed_ || waiting_) {
      return false;
    }
    receiver_ = receiver;
    waiting_ = true;
    return true;
  }

  // False: somebody has taken the registration and wakes it.
  [[nodiscard]] bool cancel_wait() noexcept {
    const std::lock_guard guard(lock_);
    return std::exchange(waiting_, false);
  }

  // Nothing is pushed any more; what is there is left to take().
  void close() noexcept {
    const std::lock_guard guard(lock_);
    closed_ = true;
  }

protected: // the model tests derive mutants
  static void link_behind(Node& last, Node& node) noexcept { last.set_following(&node); }

  [[nodiscard]] Node* unlink_first() noexcept {
    Node* node = first_;
    first_ = node->following();
    if (first_ == nullptr) {
      last_ = nullptr;
    }
    --size_;
    return node;
  }

  [[nodiscard]] bool hand_over(Registration& waiter) noexcept {
    if (!std::exchange(waiting_, false)) {
      return false;
    }
    waiter = receiver_;
    return true;
  }

  Lock lock_;
  const std::size_t capacity_;
  std::size_t size_ = 0;
  std::uint64_t dropped_ = 0;
  Node* first_ = nullptr;
  Node* last_ = nullptr;
  Registration receiver_{};
  bool waiting_ = false;
  bool closed_ = false;
};

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The inbox of a server that has a limit, under one lock: who finds it full is let in by the server in
// the order of arrival, or makes room by taking the oldest out, or is turned away.
//
// The server lets a blocked sender in with the very step that makes room: it links the sender's node
// and wakes it. So nobody who comes later passes it, and one that is woken need not try again.

#ifndef SMARM_DETAIL_REQUEST_LIMIT_HPP
#define SMARM_DETAIL_REQUEST_LIMIT_HPP

#include <smarm/bounded.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace smarm::detail {

enum class limit_result : std::uint8_t {
  pushed,         // whoever is in `waiter` is to be woken, if anybody
  dropped_newest, // the node is the caller's, to be dropped
  full,           // likewise, and nothing has happened
  closed          // likewise: the server has ended, or is about to
};

// In the frame of a sender that waits for room; but for `node`, under the lock.
template <class Node, class Registration>
struct limit_entry {
  enum class state : std::uint8_t { outside, listed, let_in, closed };

  explicit limit_entry(Node& what) noexcept : node(&what) {}

  Node* const node;
  Registration who{};
  limit_entry* before = nullptr;
  limit_entry* after = nullptr;
  std::uint64_t place = 0; // among those that wait; 0: it never did
  state is = state::outside;
};

template <class Node, class Registration, class Lock>
class basic_request_limit {
public:
  using entry = limit_entry<Node, Registration>;
  using entry_state = typename entry::state;

  template <class... Arguments>
  explicit basic_request_limit(const bounded& how, const Arguments&... for_lock) noexcept
      : lock_(for_lock...), bound_(how) {}

  // ---- senders, any thread

  // `dropped` gets the node that had to make room, or null: the caller's, to be dropped.
  [[nodiscard]] limit_result push(Node& node, Registration& waiter, Node*& dropped) noexcept {
    dropped = nullptr;
    const std::lock_guard guard(lock_);
    if (closed_) {
      return limit_result::closed;
    }
    if (size_ >= bound_.capacity) {
      switch (bound_.when_full) {
      case overflow::drop_newest: ++counts_.dropped_newest; return limit_result::dropped_newest;
      case overflow::drop_oldest:
        ++counts_.dropped_oldest;
        dropped = unlink_first();
        break;
      default: return limit_result::full;
      }
    }
    link(node);
    hand_over(waiter);
    return limit_result::pushed;
  }
  void count_refused() noexcept {
    const std::lock_guard guard(lock_);
    ++counts_.refused;
  }

  // False: there is room, or it is closed, which the entry says. Else the server will let it in.
  [[nodiscard]] bool block(entry& e) noexcept {
    const std::lock_guard guard(lock_);
    if (closed_) {
      e.is = entry_state::closed;
      return false;
    }
    if (size_ < bound_.capacity) {
      return false;
    }
    if (e.place == 0) {
      e.place = ++places_;
      ++counts_.blocked;
    }
    list(e);
    return true;
  }
  // True: it was still outside. False: it was let in, or the inbox was closed, and it is woken.
  [[nodiscard]] bool unblock(entry& e) noexcept {
    const std::lock_guard guard(lock_);
    if (e.is != entry_state::listed) {
      return false;
    }
    unlist(e);
    e.is = entry_state::outside;
    return true;
  }
  [[nodiscard]] entry_state state_of(const entry& e) noexcept {
    const std::lock_guard guard(lock_);
    return e.is;
  }

  // The server is to look elsewhere. False: closed.
  [[nodiscard]] bool knock(Registration& waiter) noexcept {
    const std::lock_guard guard(lock_);
    if (closed_) {
      return false;
    }
    knocked_ = true;
    only_knocks_ = false;
    hand_over(waiter);
    return true;
  }

  // The last sender is gone; what is queued stays. Whoever is in `waiter` is to be woken, if anybody.
  void close_by_sender(Registration& waiter) noexcept {
    const std::lock_guard guard(lock_);
    closed_ = true;
    only_knocks_ = false;
    hand_over(waiter);
  }

  // ---- anybody

  [[nodiscard]] bool closed() noexcept {
    const std::lock_guard guard(lock_);
    return closed_;
  }
  [[nodiscard]] std::size_t size() noexcept {
    const std::lock_guard guard(lock_);
    return size_;
  }
  [[nodiscard]] overflow_counts counts() noexcept {
    const std::lock_guard guard(lock_);
    return counts_;
  }
  [[nodiscard]] const bounded& bound() const noexcept { return bound_; }

  // ---- the server

  // A take, or a look elsewhere, would find something, or nothing will ever come. A knock is heard once,
  // by this or by a wait: the server looks then, and what the knock was about is there.
  [[nodiscard]] bool ready() noexcept {
    const std::lock_guard guard(lock_);
    return std::exchange(knocked_, false) || first_ != nullptr || closed_;
  }

  // The oldest node, the caller's from here on; null if there is none. Whoever is in `sender` was let
  // in, and is to be woken, if anybody.
  [[nodiscard]] Node* take(Registration& sender) noexcept {
    const std::lock_guard guard(lock_);
    if (first_ == nullptr) {
      return nullptr;
    }
    Node* const taken = unlink_first();
    if (blocked_first_ != nullptr && !closed_) {
      entry& e = *blocked_first_;
      link(*e.node);
      release(e, entry_state::let_in, sender);
    }
    return taken;
  }

  // Registers the server. False: something is there, it was knocked at, or it is closed.
  [[nodiscard]] bool wait(Registration server) noexcept { return wait_for(server, false); }
  // The same, whatever is queued.
  [[nodiscard]] bool wait_for_knock(Registration server) noexcept { return wait_for(server, true); }
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
  // After close: one of those who wait for room is turned away, and to be woken. False: nobody does.
  [[nodiscard]] bool turn_away(Registration& sender) noexcept {
    const std::lock_guard guard(lock_);
    if (blocked_first_ == nullptr) {
      return false;
    }
    release(*blocked_first_, entry_state::closed, sender);
    return true;
  }

protected: // the model test derives mutants
  void link(Node& node) noexcept {
    node.set_following(nullptr);
    if (last_ != nullptr) {
      last_->set_following(&node);
    } else {
      first_ = &node;
    }
    last_ = &node;
    ++size_;
  }
  [[nodiscard]] Node* unlink_first() noexcept {
    Node* const node = first_;
    first_ = node->following();
    if (first_ == nullptr) {
      last_ = nullptr;
    }
    --size_;
    return node;
  }

  // Behind those that began to wait before it.
  void list(entry& e) noexcept {
    entry* at = blocked_last_;
    while (at != nullptr && at->place > e.place) {
      at = at->before;
    }
    e.before = at;
    e.after = at != nullptr ? at->after : blocked_first_;
    (e.before != nullptr ? e.before->after : blocked_first_) = &e;
    (e.after != nullptr ? e.after->before : blocked_last_) = &e;
    e.is = entry_state::listed;
  }
  void unlist(entry& e) noexcept {
    (e.before != nullptr ? e.before->after : blocked_first_) = e.after;
    (e.after != nullptr ? e.after->before : blocked_last_) = e.before;
    e.before = e.after = nullptr;
  }
  // From here on the entry may be gone as soon as the lock is free.
  void release(entry& e, entry_state as, Registration& sender) noexcept {
    sender = e.who;
    unlist(e);
    e.is = as;
  }

  [[nodiscard]] bool wait_for(Registration server, bool only_knocks) noexcept {
    const std::lock_guard guard(lock_);
    if (std::exchange(knocked_, false) || closed_ || (first_ != nullptr && !only_knocks)) {
      return false;
    }
    server_ = server;
    waiting_ = true;
    only_knocks_ = only_knocks;
    return true;
  }
  void hand_over(Registration& waiter) noexcept {
    if (waiting_ && !only_knocks_) {
      waiting_ = false;
      waiter = server_;
    }
  }

  Lock lock_;
  const bounded bound_;
  overflow_counts counts_;
  std::size_t size_ = 0;
  Node* first_ = nullptr;
  Node* last_ = nullptr;
  entry* blocked_first_ = nullptr;
  entry* blocked_last_ = nullptr;
  std::uint64_t places_ = 0;
  Registration server_{};
  bool waiting_ = false;
  bool only_knocks_ = false; // of that wait
  bool knocked_ = false;
  bool closed_ = false;
};

} // namespace smarm::detail

#endif

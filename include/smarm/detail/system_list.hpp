// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The requests to a server that pass its inbox by: any thread adds, the server takes all at once. One
// word, which the server looks at before each message.
//
// Who adds tells the server afterwards, by a knock at its inbox. Whoever learns by that that the server
// has ended closes the list, as the server itself does when it has closed its inbox. So a request is
// taken by the server, or by the one who closes; there is no moment in which it is left behind:
//
//   added, then knocked in time       the server sees the knock, or is awake, and looks here before it
//                                     waits; or it ends, closes the inbox and then this
//   added, then the inbox was closed  who knocked closes this, for it may be there only since the server
//                                     has looked for it, after it had closed its inbox
//
// The server takes nothing any more once its inbox is closed, so a list that is closed stays so.

#ifndef SMARM_DETAIL_SYSTEM_LIST_HPP
#define SMARM_DETAIL_SYSTEM_LIST_HPP

#include <smarm/detail/atomics.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

// Node has a member `Node* following`.
template <class Node, class Atomics = std_atomics>
class basic_system_list {
public:
  // ---- any thread

  // False: closed, and the node is the caller's.
  [[nodiscard]] bool push(Node& node) noexcept {
    std::uintptr_t first = first_.load(std::memory_order_relaxed);
    do {
      if (first == closed) {
        return false;
      }
      node.following = reinterpret_cast<Node*>(first);
    } while (!first_.compare_exchange_weak(first, reinterpret_cast<std::uintptr_t>(&node),
                                           std::memory_order_release, std::memory_order_relaxed));
    return true;
  }

  // Nothing can be added any more. Returns what there was, oldest first: the caller's.
  [[nodiscard]] Node* close() noexcept {
    return oldest_first(first_.exchange(closed, std::memory_order_acquire));
  }

  // ---- the server

  [[nodiscard]] bool empty() const noexcept {
    return first_.load(std::memory_order_relaxed) == none;
  }
  // All that there is, oldest first; null if nothing is.
  [[nodiscard]] Node* take_all() noexcept {
    return empty() ? nullptr : oldest_first(first_.exchange(none, std::memory_order_acquire));
  }

protected: // the model test derives mutants
  static constexpr std::uintptr_t none = 0, closed = 1;

  [[nodiscard]] static Node* oldest_first(std::uintptr_t newest) noexcept {
    Node* done = nullptr;
    for (Node* rest = newest == closed ? nullptr : reinterpret_cast<Node*>(newest);
         rest != nullptr;) {
      Node* const after = rest->following;
      rest->following = done;
      done = rest;
      rest = after;
    }
    return done;
  }

  // The newest node. Written by who adds (release) and by who takes or closes (acquire, for the nodes).
  typename Atomics::template atomic<std::uintptr_t> first_{none};
};

} // namespace smarm::detail

#endif

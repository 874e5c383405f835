// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a channel queues where it queues nodes: a message and its link. Small nodes come from the
// current scheduler's pool; those of over-aligned types always from the heap.

#ifndef SMARM_DETAIL_MESSAGE_NODE_HPP
#define SMARM_DETAIL_MESSAGE_NODE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/inbox.hpp>
#include <smarm/detail/node_pool.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/scheduler.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// The value's life is its own: a node that has become the inbox's stub has none.
template <class T>
struct message_node : inbox_node<> {
  message_node() noexcept {}
  message_node(const message_node&) = delete;
  message_node& operator=(const message_node&) = delete;
  ~message_node() {}

  union {
    T value;
  };

  static constexpr bool over_aligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;

  // A node without a value, or null if memory is exhausted. Never switches.
  [[nodiscard]] SMARM_ALWAYS_INLINE static message_node* create() noexcept {
    void* memory = nullptr;
    if constexpr (over_aligned) {
      const quiet_allocation quiet;
      memory = ::operator new(sizeof(message_node), std::align_val_t(alignof(T)), std::nothrow);
    } else {
      memory = node_pool::allocate(current_pool(), sizeof(message_node));
    }
    return SMARM_LIKELY(memory != nullptr) ? ::new (memory) message_node : nullptr;
  }

  // A node with a value. Null: memory is exhausted, and the value was not touched. Throws what the
  // value's construction throws.
  template <class Value>
  [[nodiscard]] SMARM_ALWAYS_INLINE static message_node* create_with(Value&& value) {
    message_node* node = create();
    if (SMARM_UNLIKELY(node == nullptr)) {
      return nullptr;
    }
    if constexpr (std::is_nothrow_constructible_v<T, Value&&>) {
      std::construct_at(std::addressof(node->value), std::forward<Value>(value));
    } else {
      try {
        std::construct_at(std::addressof(node->value), std::forward<Value>(value));
      } catch (...) {
        release(node);
        throw;
      }
    }
    return node;
  }

  // Of a node without a value; null is allowed. Never switches.
  SMARM_ALWAYS_INLINE static void release(message_node* node) noexcept {
    if (node == nullptr) {
      return;
    }
    std::destroy_at(node);
    if constexpr (over_aligned) {
      ::operator delete(node, sizeof(message_node), std::align_val_t(alignof(T)));
    } else {
      node_pool::release(current_pool(), node, sizeof(message_node));
    }
  }

  // With its value, whose destructor may do anything.
  static void destroy(message_node* node) noexcept {
    std::destroy_at(std::addressof(node->value));
    release(node);
  }

  // The node that was linked behind this one, where links are plain pointers under a lock or of
  // one owner.
  [[nodiscard]] message_node* following() const noexcept {
    return static_cast<message_node*>(next.load(std::memory_order_relaxed));
  }
  void set_following(message_node* node) noexcept { next.store(node, std::memory_order_relaxed); }

private:
  [[nodiscard]] SMARM_ALWAYS_INLINE static node_pool* current_pool() noexcept {
    scheduler* here = current_scheduler();
    return here != nullptr ? &here->nodes : nullptr;
  }
};

// Making it anew in its place is the other way than assignment; not so where the value may be part of
// an object of a derived class, whose table of virtual functions it would replace.
template <class T>
inline constexpr bool can_be_remade = std::is_nothrow_move_constructible_v<T> &&
                                      (!std::has_virtual_destructor_v<T> || std::is_final_v<T>);
template <class T>
inline constexpr bool can_be_given_back =
    std::is_trivially_copyable_v<T> || can_be_remade<T> || std::is_move_assignable_v<T>;

// Gives a value back that was moved into a message which then could not be sent. Only a type whose
// every move may throw can throw here.
template <class T>
void give_back(T& to, T& from) noexcept(std::is_nothrow_move_constructible_v<T> ||
                                        std::is_nothrow_move_assignable_v<T>) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    (void)to, (void)from; // it was copied
  } else if constexpr (std::is_nothrow_move_assignable_v<T>) {
    to = std::move(from);
  } else if constexpr (can_be_remade<T>) {
    std::destroy_at(std::addressof(to));
    std::construct_at(std::addressof(to), std::move(from));
  } else {
    to = std::move(from);
  }
}

} // namespace smarm::detail

#endif

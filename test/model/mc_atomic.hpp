// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The explorer's side of the atomics policy: mc::atomics has the shape of
// smarm::detail::std_atomics, and each operation is a scheduling point. Memory orders count for one
// thing: a store that is not seq_cst may wait in the store buffer. The weakened policies are
// mutations for everybody: fences that do nothing, seq_cst stores that are release stores.

#ifndef SMARM_TEST_MODEL_MC_ATOMIC_HPP
#define SMARM_TEST_MODEL_MC_ATOMIC_HPP

#include "explorer.hpp"

#include <atomic>
#include <cstring>
#include <type_traits>

namespace mc {

enum class weakened { nothing, fences, seq_cst_stores };

template <class T, weakened Weakened = weakened::nothing>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t),
                "the explorer keeps a value in one 64-bit word");

public:
  atomic() noexcept : atomic(T{}) {}
  atomic(T value) noexcept : bits_(to_bits(value)) {} // NOLINT: implicit, as std::atomic
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  ~atomic() {
    if (auto* w = world::now()) {
      w->forget(&bits_);
    }
  }

  T load(std::memory_order = std::memory_order_seq_cst) const noexcept {
    auto* w = world::now();
    if (w == nullptr) {
      return from_bits(bits_);
    }
    w->point(access::load, &bits_);
    const std::uint64_t bits = w->read(&bits_);
    note("load", bits);
    return from_bits(bits);
  }

  void store(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
    auto* w = world::now();
    if (w == nullptr) {
      bits_ = to_bits(value);
      return;
    }
    const bool may_wait =
      order != std::memory_order_seq_cst || Weakened == weakened::seq_cst_stores;
    w->point(may_wait ? access::late_store : access::store, &bits_);
    note("store", to_bits(value));
    w->write(&bits_, to_bits(value), may_wait);
  }

  T exchange(T value, std::memory_order = std::memory_order_seq_cst) noexcept {
    return modify("exchange", [value](T) { return value; });
  }

  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order = std::memory_order_seq_cst) noexcept {
    const std::uint64_t wanted = to_bits(expected);
    bool same = false;
    expected = modify("compare_exchange", [&](T old) {
      same = to_bits(old) == wanted;
      return same ? desired : old;
    });
    return same;
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order) noexcept {
    return compare_exchange_strong(expected, desired, success);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = std::memory_order_seq_cst) noexcept {
    return compare_exchange_strong(expected, desired, order);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order) noexcept {
    return compare_exchange_strong(expected, desired, success);
  }

  template <class D = T>
  T fetch_add(D by, std::memory_order = std::memory_order_seq_cst) noexcept {
    return modify("fetch_add", [by](T old) { return static_cast<T>(old + by); });
  }
  template <class D = T>
  T fetch_sub(D by, std::memory_order = std::memory_order_seq_cst) noexcept {
    return modify("fetch_sub", [by](T old) { return static_cast<T>(old - by); });
  }
  T fetch_or(T by, std::memory_order = std::memory_order_seq_cst) noexcept {
    return modify("fetch_or", [by](T old) { return static_cast<T>(old | by); });
  }
  T fetch_and(T by, std::memory_order = std::memory_order_seq_cst) noexcept {
    return modify("fetch_and", [by](T old) { return static_cast<T>(old & by); });
  }
  T fetch_xor(T by, std::memory_order = std::memory_order_seq_cst) noexcept {
    return modify("fetch_xor", [by](T old) { return static_cast<T>(old ^ by); });
  }

  // The thread goes on once the value satisfies the predicate.
  template <class Predicate>
  void block_until(Predicate holds) const {
    world::now()->block([this, holds] { return holds(load()); }, access::load, &bits_);
  }
  // The same, and takes the value at once: a lock, a semaphore.
  template <class Predicate>
  void block_until_and_store(Predicate holds, T value) {
    auto* w = world::now();
    w->block([this, holds] { return holds(load()); }, access::modify, &bits_);
    w->write(&bits_, to_bits(value), false);
  }

private:
  static std::uint64_t to_bits(T value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  static T from_bits(std::uint64_t bits) noexcept {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  template <class F>
  T modify(const char* what, F change) noexcept {
    auto* w = world::now();
    if (w != nullptr) {
      w->point(access::modify, &bits_);
      w->drain(); // a read-modify-write lets no earlier store wait
    }
    const T old = from_bits(bits_);
    const std::uint64_t bits = to_bits(change(old));
    if (w == nullptr) {
      bits_ = bits;
    } else {
      note(what, to_bits(old), bits);
      w->write(&bits_, bits, false);
    }
    return old;
  }

  template <class... Bits>
  void note(const char* what, Bits... bits) const {
    if (world::now()->logging()) {
      std::string values;
      ((values += (values.empty() ? "" : " -> ") + hex(bits)), ...);
      world::now()->log(what, &bits_, values);
    }
  }
  static std::string hex(std::uint64_t bits) {
    char text[20];
    std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(bits));
    return text;
  }

  std::uint64_t bits_;
};

template <class T, weakened Weakened, class Predicate>
void block(const atomic<T, Weakened>& on, Predicate until) {
  on.block_until(std::move(until));
}

template <weakened Weakened>
struct basic_atomics {
  template <class T>
  using atomic = mc::atomic<T, Weakened>;

  static void fence(std::memory_order order) noexcept {
    auto* w = world::now();
    if (w != nullptr && order == std::memory_order_seq_cst) {
      if (Weakened != weakened::fences) {
        w->point(access::fence, nullptr);
        w->drain();
      }
    }
  }
  // A read-modify-write lets no earlier store wait.
  static void fence_after_modify() noexcept {}
  static void give_way() noexcept { pause(); }
  static void pause() noexcept {
    if (auto* w = world::now()) {
      w->pause();
    }
  }
  static void block(std::function<bool()> until) { mc::block(std::move(until)); }
};

using atomics = basic_atomics<weakened::nothing>;
using atomics_without_fences = basic_atomics<weakened::fences>;
using atomics_without_seq_cst_stores = basic_atomics<weakened::seq_cst_stores>;

} // namespace mc

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which raw locks may be taken while others are held: nothing under a channel's or a waiter queue's
// lock, and only one of these under a leaf lock. A violation is a deadlock that waits for its interleaving, so
// debug builds report it at the acquisition, every time.

#ifndef SMARM_DETAIL_LOCK_ORDER_HPP
#define SMARM_DETAIL_LOCK_ORDER_HPP

#include <smarm/detail/config.hpp>

#include <cstdint>

// 1: the order is checked. The library and what uses its headers must agree.
// As the library, and not as NDEBUG says: what is locked inline may be unlocked in there.
#ifndef SMARM_CHECK_LOCK_ORDER
#define SMARM_CHECK_LOCK_ORDER SMARM_CHECKED
#endif

namespace smarm::detail {

enum class lock_class : std::uint32_t { leaf, channel, waiters };
inline constexpr std::uint32_t lock_classes = 3;

// Is told what the thread holds and what it wants. If it returns, the lock is taken all the same.
using lock_order_handler = void (*)(lock_class held, lock_class wanted);

// The default handler prints both classes and aborts. Returns the handler before.
lock_order_handler set_lock_order_handler(lock_order_handler) noexcept;

// Called by the locks, before they wait and after they let go.
void note_lock(lock_class) noexcept;
void note_unlock(lock_class) noexcept;

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which run queue the runtime uses. The choice is made when the library is built, since the pop is
// the hottest code there is; define at most one of SMARM_RUN_QUEUE_STRIPED (the default),
// SMARM_RUN_QUEUE_LOCKFREE and SMARM_RUN_QUEUE_MUTEX, and the same for all that uses the library.
// All three are compiled and tested in every build. Their common shape:
//
//   X_queue<T>::shared(schedulers, entries)   one per runtime; `entries` as for reserve
//     bool reserve(entries)     so many entries will be in at once at most; false: no memory
//     void inject(T*)           any thread
//     bool has_injected()       any thread; true for what inject has returned from
//     size_t size()             any thread; for statistics
//   X_queue<T>::local(shared, id)             one per scheduler, used by it alone
//     bool push(T*)             true: the own part was empty before
//     T* pop()                  own part, then what was injected, which is first every 61st time
//     T* peek(ahead)            a hint to prefetch by, see work_ring::peek
//     T* steal(take_lone)       the older half of a sibling's part, if there is more than one item
//                               in it or take_lone; the oldest item is returned
//     bool maybe_work(take_lone)  would pop or steal find something? For the last look before
//                               sleep: the caller says that it sleeps, fences (seq_cst), asks
//     size_t size()             of the own part
//
// An entry is in at most once, so `entries` is the number of slots; no queue can overflow then,
// however the threads are scheduled. null is not an entry.

#ifndef SMARM_DETAIL_RUN_QUEUE_HPP
#define SMARM_DETAIL_RUN_QUEUE_HPP

#include <smarm/detail/lockfree_queue.hpp>
#include <smarm/detail/mutex_queue.hpp>
#include <smarm/detail/striped_queue.hpp>

#if defined(SMARM_RUN_QUEUE_STRIPED) + defined(SMARM_RUN_QUEUE_LOCKFREE) +                         \
    defined(SMARM_RUN_QUEUE_MUTEX) > 1
#error "choose one run queue: SMARM_RUN_QUEUE_STRIPED, SMARM_RUN_QUEUE_LOCKFREE or SMARM_RUN_QUEUE_MUTEX"
#endif

namespace smarm::detail {

#if defined(SMARM_RUN_QUEUE_MUTEX)
template <class T>
using run_queue = mutex_queue<T>;
using run_queue_choice = struct run_queue_mutex;
inline constexpr const char* run_queue_name = "mutex";
#elif defined(SMARM_RUN_QUEUE_LOCKFREE)
template <class T>
using run_queue = lockfree_queue<T>;
using run_queue_choice = struct run_queue_lockfree;
inline constexpr const char* run_queue_name = "lockfree";
#else
template <class T>
using run_queue = striped_queue<T>;
using run_queue_choice = struct run_queue_striped;
inline constexpr const char* run_queue_name = "striped";
#endif

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A run queue that is one ring under one mutex: the plainest thing that is right, to compare the
// others with. FIFO over all schedulers, nothing to steal. See run_queue.hpp for the shape that all
// run queues share.

#ifndef SMARM_DETAIL_MUTEX_QUEUE_HPP
#define SMARM_DETAIL_MUTEX_QUEUE_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/injection.hpp>

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>

namespace smarm::detail {

// The explorer's atomics bring a lock of their own.
template <class Atomics>
struct lock_for {
  using type = std::mutex;
};

template <class T, class Atomics = std_atomics>
struct mutex_queue {
  class shared {
  public:
    // Throws std::bad_alloc.
    shared(unsigned, std::size_t entries) : items_(std::max<std::size_t>(entries, 1)) {}

    [[nodiscard]] bool reserve(std::size_t entries) noexcept {
      const std::lock_guard guard(lock_);
      return fits(entries);
    }

    // True: it was empty before.
    bool push(T* item) noexcept {
      const std::lock_guard guard(lock_);
      if (items_.full() && !fits(items_.capacity() * 2)) {
        queue_overflow();
      }
      items_.push_back(item);
      count_.store(items_.size(), std::memory_order_release);
      return items_.size() == 1;
    }

    [[nodiscard]] T* pop() noexcept {
      if (size() == 0) {
        return nullptr;
      }
      const std::lock_guard guard(lock_);
      if (items_.empty()) {
        return nullptr;
      }
      T* const item = items_.front();
      items_.pop_front();
      count_.store(items_.size(), std::memory_order_release);
      return item;
    }

    void inject(T* item) noexcept { push(item); }
    [[nodiscard]] bool has_injected() const noexcept { return size() > 0; }
    [[nodiscard]] std::size_t size() const noexcept {
      return count_.load(std::memory_order_acquire);
    }

  private:
    bool fits(std::size_t entries) noexcept {
      try {
        if (entries > items_.capacity()) {
          items_.set_capacity(entries);
        }
        return true;
      } catch (const std::bad_alloc&) {
        return false;
      }
    }

    typename lock_for<Atomics>::type lock_;
    boost::circular_buffer<T*> items_;
    // Written under the lock; read without it, by schedulers that look whether there is work.
    typename Atomics::template atomic<std::size_t> count_{0};
  };

  class local {
  public:
    local(shared& all, unsigned) noexcept : all_(all) {}

    bool push(T* item) noexcept { return all_.push(item); }
    [[nodiscard]] T* pop() noexcept { return all_.pop(); }
    [[nodiscard]] T* peek(std::size_t) const noexcept { return nullptr; }
    [[nodiscard]] T* steal(bool) noexcept { return nullptr; }
    [[nodiscard]] bool maybe_work(bool) const noexcept { return all_.has_injected(); }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  private:
    shared& all_;
  };
};

} // namespace smarm::detail

#endif

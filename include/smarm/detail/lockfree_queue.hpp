// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A run queue that is one boost::lockfree::queue for everybody, with a node for every slot: FIFO
// over all schedulers, nothing to steal, and a push that never asks for memory. See run_queue.hpp
// for the shape that all run queues share.

#ifndef SMARM_DETAIL_LOCKFREE_QUEUE_HPP
#define SMARM_DETAIL_LOCKFREE_QUEUE_HPP

#include <smarm/detail/injection.hpp>

#include <cstddef>

namespace smarm::detail {

template <class T, class Atomics = std_atomics>
struct lockfree_queue {
  class shared : private injection<T, Atomics> {
  public:
    // Throws std::bad_alloc.
    shared(unsigned, std::size_t entries) : injection<T, Atomics>(entries) {}

    using injection<T, Atomics>::reserve;
    using injection<T, Atomics>::push;
    using injection<T, Atomics>::pop;
    using injection<T, Atomics>::size;
    void inject(T* item) noexcept { push(item); }
    [[nodiscard]] bool has_injected() const noexcept { return !this->empty(); }
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

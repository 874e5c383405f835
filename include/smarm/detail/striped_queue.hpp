// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The default run queue: a ring per scheduler, from which idle ones steal, and one injection queue
// for everybody who is no scheduler. With one scheduler it is strictly FIFO and free of
// read-modify-writes. See run_queue.hpp for the shape that all run queues share.

#ifndef SMARM_DETAIL_STRIPED_QUEUE_HPP
#define SMARM_DETAIL_STRIPED_QUEUE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/injection.hpp>
#include <smarm/detail/work_ring.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace smarm::detail {

template <class T, class Atomics = std_atomics,
          class Allocator = boost::alignment::aligned_allocator<T*, cache_line>>
struct striped_queue {
  using ring = work_ring<T, Atomics, Allocator>;

  // Nodes kept for the injection queue. More entries than that are rare: it asks for memory then.
  static constexpr std::size_t injection_nodes = 1024;
  static constexpr unsigned pops_between_injections = 61;

  class local;

  class shared {
  public:
    // Throws std::bad_alloc.
    shared(unsigned schedulers, std::size_t entries,
           std::size_t ring_capacity = ring::default_capacity, const Allocator& allocator = {})
        : injection_(std::min(entries, injection_nodes)) {
      for (unsigned i = 0; i < schedulers; ++i) {
        rings_.push_back(std::make_unique<ring>(ring_capacity, allocator));
      }
    }

    [[nodiscard]] bool reserve(std::size_t entries) noexcept {
      return injection_.reserve(std::min(entries, injection_nodes));
    }
    void inject(T* item) noexcept { injection_.push(item); }
    [[nodiscard]] bool has_injected() const noexcept { return !injection_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept {
      std::size_t sum = injection_.size();
      for (const auto& r : rings_) {
        sum += r->size();
      }
      return sum;
    }

  private:
    friend class local;

    injection<T, Atomics> injection_;
    std::vector<std::unique_ptr<ring>> rings_;
  };

  class local {
  public:
    local(shared& all, unsigned id) noexcept
        : all_(all), own_(*all.rings_[id]), id_(id), alone_(all.rings_.size() == 1) {}

    SMARM_ALWAYS_INLINE bool push(T* item) noexcept {
      const pushed how = own_.push(item);
      if (SMARM_UNLIKELY(how == pushed::refused)) {
        all_.inject(item);
      }
      return how == pushed::onto_nothing;
    }

    [[nodiscard]] SMARM_ALWAYS_INLINE T* pop() noexcept {
      if (SMARM_UNLIKELY(--until_injection_ == 0)) {
        until_injection_ = pops_between_injections;
        if (T* const item = all_.injection_.pop()) {
          return item;
        }
      }
      T* const item = own_.pop(alone_);
      return SMARM_LIKELY(item != nullptr) ? item : all_.injection_.pop();
    }

    [[nodiscard]] SMARM_ALWAYS_INLINE T* peek(std::size_t ahead) const noexcept {
      return own_.peek(ahead);
    }

    [[nodiscard]] T* steal(bool take_lone) noexcept {
      const unsigned count = static_cast<unsigned>(all_.rings_.size());
      for (unsigned i = 1; i < count; ++i) {
        if (T* const item = own_.steal_from(*all_.rings_[(id_ + i) % count], take_lone)) {
          return item;
        }
      }
      return nullptr;
    }

    [[nodiscard]] bool maybe_work(bool take_lone) const noexcept {
      if (own_.size() > 0 || all_.has_injected()) {
        return true;
      }
      const std::size_t enough = take_lone ? 1 : 2;
      return std::any_of(all_.rings_.begin(), all_.rings_.end(), [&](const auto& r) {
        return r.get() != &own_ && r->size() >= enough;
      });
    }

    [[nodiscard]] std::size_t size() const noexcept { return own_.size(); }

  private:
    shared& all_;
    ring& own_;
    unsigned id_;
    unsigned until_injection_ = pops_between_injections;
    bool alone_;
  };
};

} // namespace smarm::detail

#endif

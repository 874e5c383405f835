// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who sleeps, and whether somebody searches, in one word: a bit per scheduler that is parked or
// about to be, and one bit for the searcher. Clearing a sleeper's bit by a CAS is what makes every
// wake reach exactly one; the same CAS makes the one it reaches the searcher, so that the wakers
// behind it need not wake more. A sleeper that finds its bit cleared knows by that, whatever ended
// its sleep, that it searches now.

#ifndef SMARM_DETAIL_IDLE_SET_HPP
#define SMARM_DETAIL_IDLE_SET_HPP

#include <smarm/detail/atomics.hpp>

#include <bit>
#include <cstdint>

namespace smarm::detail {

inline constexpr unsigned max_schedulers = 64;

// Stands for a scheduler that is not there.
inline constexpr unsigned nobody = max_schedulers;

[[nodiscard]] constexpr std::uint64_t idle_bit(unsigned id) noexcept {
  return id < nobody ? std::uint64_t{1} << id : 0;
}

template <class Atomics>
class basic_idle_set {
public:
  explicit basic_idle_set(unsigned schedulers) noexcept
    : all_(~std::uint64_t{0} >> (max_schedulers - schedulers)), searcher_(~all_ & idle_bit(63)) {}

  // ---- for wakers, after they have published something, and a fence

  [[nodiscard]] bool nobody_to_tell() const noexcept { return load() == 0; }
  [[nodiscard]] bool searched() const noexcept { return (load() & searcher_) != 0; }

  // Takes one sleeper out, unless somebody searches: the highest one that is in no group, else one
  // of `rather_not`, else one of `last`. The highest was woken last, so its cache is warmest.
  unsigned claim(std::uint64_t never, std::uint64_t rather_not, std::uint64_t last) noexcept {
    std::uint64_t seen = load();
    for (;;) {
      const std::uint64_t able = seen & all_ & ~never;
      if (able == 0 || (seen & searcher_) != 0) {
        return nobody;
      }
      std::uint64_t choice = able & ~(rather_not | last);
      choice = choice != 0 ? choice : able & ~last;
      choice = choice != 0 ? choice : able;
      const unsigned id = static_cast<unsigned>(std::bit_width(choice)) - 1;
      if (word_.compare_exchange_weak(seen, (seen & ~idle_bit(id)) | searcher_,
                                      std::memory_order_acq_rel, std::memory_order_relaxed)) {
        return id;
      }
    }
  }

  // ---- for the schedulers

  [[nodiscard]] bool begin_search() noexcept {
    return searcher_ != 0 && !searched() &&
           (word_.fetch_or(searcher_, std::memory_order_acq_rel) & searcher_) == 0;
  }
  void end_search() noexcept { word_.fetch_and(~searcher_, std::memory_order_acq_rel); }

  void add(unsigned id) noexcept { word_.fetch_or(idle_bit(id), std::memory_order_acq_rel); }
  // In one step, so that no waker in between takes another sleeper.
  void add_searcher(unsigned id) noexcept {
    word_.fetch_xor(idle_bit(id) | searcher_, std::memory_order_acq_rel);
  }
  // True: a waker had claimed it, and it searches now.
  [[nodiscard]] bool remove(unsigned id) noexcept {
    return (word_.fetch_and(~idle_bit(id), std::memory_order_acq_rel) & idle_bit(id)) == 0;
  }

  [[nodiscard]] std::uint64_t sleepers() const noexcept { return load() & all_; }
  [[nodiscard]] bool all_but(unsigned id) const noexcept {
    return (sleepers() | idle_bit(id)) == all_;
  }

private:
  [[nodiscard]] std::uint64_t load() const noexcept {
    return word_.load(std::memory_order_relaxed);
  }

  const std::uint64_t all_;
  // The topmost bit; none when all are taken, and then nobody searches before it sleeps.
  const std::uint64_t searcher_;
  // Written by everybody, by read-modify-writes only. That a sleeper and who has work for it see
  // each other is up to the fences around them.
  typename Atomics::template atomic<std::uint64_t> word_{0};
};

} // namespace smarm::detail

#endif

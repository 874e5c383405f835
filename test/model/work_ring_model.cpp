// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The ring under every interleaving of its owner and its thieves. Rings are so small that they lap
// and grow within a handful of pushes.

#include "suite.hpp"

#include <smarm/detail/work_ring.hpp>

#include <array>
#include <memory>
#include <utility>

namespace {

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

struct item {
  int taken = 0;
};

template <class T>
using plain_allocator = std::allocator<T>;
using right = smarm::detail::work_ring<item, mc::atomics, plain_allocator<item*>>;

// ---- rings with one thing wrong

struct pops_without_cas : right {
  using right::right;
  item* pop(bool) { return right::pop(true); }
};

struct publishes_the_tail_first : right {
  using right::right;
  smarm::detail::pushed push(item* i) {
    const auto tail = tail_.load(memory_order_relaxed);
    const auto head = head_.load(memory_order_acquire);
    if (tail - head > mask_) {
      grow(head, tail);
    }
    tail_.store(tail + 1, memory_order_release);
    cells_[tail & mask_].store(i, memory_order_relaxed);
    return smarm::detail::pushed::onto_others;
  }
};

// Believes that there is always room for one more.
struct overwrites : right {
  using right::right;
  smarm::detail::pushed push(item* i) {
    const auto tail = tail_.load(memory_order_relaxed);
    const auto head = head_.load(memory_order_acquire);
    if (tail - head > mask_ + 1) {
      grow(head, tail);
    }
    cells_[tail & mask_].store(i, memory_order_relaxed);
    tail_.store(tail + 1, memory_order_release);
    return smarm::detail::pushed::onto_others;
  }
};

// Lets thieves see the new buffer before the items are in it.
struct installs_an_empty_buffer : right {
  using right::right;
  smarm::detail::pushed push(item* i) {
    const auto tail = tail_.load(memory_order_relaxed);
    const auto head = head_.load(memory_order_acquire);
    if (tail - head > mask_) {
      auto* const old_cells = cells_;
      const auto old_mask = mask_;
      install(std::make_unique<buffer>((mask_ + 1) * 2, allocator_));
      for (auto k = head; k != tail; ++k) {
        cells_[k & mask_].store(old_cells[k & old_mask].load(memory_order_relaxed),
                                memory_order_relaxed);
      }
    }
    return right::push(i);
  }
};

// The order of the steps of a theft. `Buffer`: the buffer is looked up before the tail. `Cells`:
// the items are read after the head was moved. `Tail`: the loot is shown to others too early.
enum class theft { buffer_before_tail, cells_after_head, tail_before_head, without_cas };

template <theft Wrong>
struct steals_badly : right {
  using right::right;
  item* steal_from(steals_badly& victim, bool take_lone) {
    const auto tail = tail_.load(memory_order_relaxed);
    auto head = victim.head_.load(memory_order_acquire);
    for (;;) {
      const buffer* from = victim.buffer_.load(memory_order_acquire);
      const auto available = victim.tail_.load(memory_order_acquire) - head;
      if (available == 0 || (available == 1 && !take_lone)) {
        return nullptr;
      }
      const auto count = available - available / 2;
      if (Wrong != theft::buffer_before_tail) {
        from = victim.buffer_.load(memory_order_acquire);
      }
      const auto first = head;
      item* oldest = nullptr;
      const auto read = [&] {
        oldest = from->at(first).load(memory_order_relaxed);
        for (std::uint64_t i = 1; i < count; ++i) {
          cells_[(tail + i - 1) & mask_].store(from->at(first + i).load(memory_order_relaxed),
                                               memory_order_relaxed);
        }
      };
      if (Wrong != theft::cells_after_head) {
        read();
      }
      if (Wrong == theft::tail_before_head) {
        tail_.store(tail + count - 1, memory_order_release);
      }
      bool moved = true;
      if (Wrong == theft::without_cas) {
        victim.head_.store(head + count, memory_order_release);
      } else {
        moved = victim.head_.compare_exchange_strong(head, head + count, memory_order_acq_rel,
                                                     memory_order_acquire);
      }
      if (moved) {
        if (Wrong == theft::cells_after_head) {
          read();
        }
        tail_.store(tail + count - 1, memory_order_release);
        return oldest;
      }
      tail_.store(tail, memory_order_release);
    }
  }
};

// ---- scenarios

template <class Ring, std::size_t Items>
struct state {
  explicit state(std::size_t capacity) : victim(capacity) {}

  Ring victim;
  Ring thief{4};
  Ring second_thief{4};
  std::array<item, Items> items;

  void take(item* i) {
    mc::require(i >= items.data() && i < items.data() + Items, "what comes out was put in");
    mc::require(++i->taken == 1, "nothing comes out twice");
  }
  void drain(Ring& ring) {
    while (item* const i = ring.pop(false)) {
      take(i);
    }
  }
  void steal(Ring& by, Ring& from, bool take_lone = true) {
    if (item* const i = by.steal_from(from, take_lone)) {
      take(i);
    }
  }
  void require_all_taken() {
    drain(victim);
    drain(thief);
    drain(second_thief);
    for (const auto& i : items) {
      mc::require(i.taken == 1, "nothing is lost");
    }
    mc::require(victim.size() == 0, "the ring is empty");
  }
};

template <class Ring>
void pop_against_steal(mc::world& world) {
  auto& s = world.make<state<Ring, 3>>(4);
  for (auto& i : s.items) {
    s.victim.push(&i);
  }
  world.thread([&s] { s.drain(s.victim); });
  world.thread([&s] {
    s.steal(s.thief, s.victim);
    s.drain(s.thief);
  });
  world.finally([&s] { s.require_all_taken(); });
}

template <class Ring>
void two_thieves(mc::world& world) {
  auto& s = world.make<state<Ring, 4>>(4);
  for (auto& i : s.items) {
    s.victim.push(&i);
  }
  world.thread([&s] { s.steal(s.thief, s.victim); });
  world.thread([&s] { s.steal(s.second_thief, s.victim); });
  world.thread([&s] {
    if (item* const i = s.victim.pop(false)) {
      s.take(i);
    }
  });
  world.finally([&s] { s.require_all_taken(); });
}

// The loot of one thief is stolen by another one.
template <class Ring>
void a_robbed_thief(mc::world& world) {
  auto& s = world.make<state<Ring, 4>>(4);
  for (auto& i : s.items) {
    s.victim.push(&i);
  }
  world.thread([&s] { s.steal(s.thief, s.victim); });
  world.thread([&s] { s.steal(s.second_thief, s.thief); });
  world.thread([&s] { s.drain(s.victim); });
  world.finally([&s] { s.require_all_taken(); });
}

// Two cells, five items: every cell is used again under the thief's eyes. The owner sees its items
// in order.
template <class Ring>
void lapped(mc::world& world) {
  auto& s = world.make<state<Ring, 5>>(2);
  s.victim.push(&s.items[0]);
  s.victim.push(&s.items[1]);
  world.thread([&s] {
    item* last = nullptr;
    for (std::size_t next = 2; next < s.items.size(); ++next) {
      if (item* const i = s.victim.pop(false)) {
        mc::require(i > last, "the owner pops in order");
        last = i;
        s.take(i);
      }
      s.victim.push(&s.items[next]);
    }
  });
  world.thread([&s] {
    s.steal(s.thief, s.victim);
    s.steal(s.thief, s.victim, false);
  });
  world.finally([&s] { s.require_all_taken(); });
}

template <class Ring>
void growth_against_steal(mc::world& world) {
  auto& s = world.make<state<Ring, 4>>(2);
  s.victim.push(&s.items[0]);
  s.victim.push(&s.items[1]);
  world.thread([&s] {
    s.victim.push(&s.items[2]);
    s.victim.push(&s.items[3]);
    if (item* const i = s.victim.pop(false)) {
      s.take(i);
    }
  });
  world.thread([&s] { s.steal(s.thief, s.victim); });
  world.thread([&s] { s.steal(s.second_thief, s.victim, false); });
  world.finally([&s] { s.require_all_taken(); });
}

// Pushed while a thief looks: what it finds is complete.
template <class Ring>
void push_against_steal(mc::world& world) {
  auto& s = world.make<state<Ring, 3>>(4);
  world.thread([&s] {
    for (auto& i : s.items) {
      s.victim.push(&i);
    }
  });
  world.thread([&s] {
    s.steal(s.thief, s.victim);
    s.steal(s.thief, s.victim, false);
  });
  world.finally([&s] { s.require_all_taken(); });
}

// An owner that is alone: nobody else may touch the ring, so all there is to see is that it laps.
void alone(mc::world& world) {
  auto& s = world.make<state<right, 5>>(2);
  world.thread([&s] {
    for (auto& i : s.items) {
      s.victim.push(&i);
      mc::require(s.victim.pop(true) == &i, "first in, first out");
      s.take(&i);
    }
  });
  world.finally([&s] { s.require_all_taken(); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.reduced = true};
  const mc::options late{.store_buffers = true, .reduced = true};
  mc::suite suite("work_ring", argc, argv);

  suite.model("pop_against_steal", late, &pop_against_steal<right>);
  suite.mutation("pops_without_cas", late, &pop_against_steal<pops_without_cas>);
  suite.mutation("steals_without_cas", late, &pop_against_steal<steals_badly<theft::without_cas>>);

  suite.model("two_thieves", late, &two_thieves<right>);
  suite.mutation("two_thieves_without_cas", late, &two_thieves<steals_badly<theft::without_cas>>);

  suite.model("a_robbed_thief", late, &a_robbed_thief<right>);
  suite.mutation("shows_the_loot_too_early", late,
                 &a_robbed_thief<steals_badly<theft::tail_before_head>>);

  suite.model("lapped", late, &lapped<right>);
  suite.mutation("reads_cells_after_the_head_has_moved", late,
                 &lapped<steals_badly<theft::cells_after_head>>);

  suite.model("push_against_steal", late, &push_against_steal<right>);
  suite.mutation("publishes_the_tail_first", late, &push_against_steal<publishes_the_tail_first>);

  suite.model("growth_against_steal", late, &growth_against_steal<right>);
  suite.mutation("overwrites", late, &growth_against_steal<overwrites>);
  suite.mutation("installs_an_empty_buffer", late,
                 &growth_against_steal<installs_an_empty_buffer>);
  suite.mutation("looks_up_the_buffer_before_the_tail", late,
                 &growth_against_steal<steals_badly<theft::buffer_before_tail>>);

  suite.model("alone", all, &alone);
  return suite.result();
}

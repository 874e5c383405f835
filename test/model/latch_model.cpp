// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Latches and barriers: who waits goes on when all have arrived and not before, and one that gives up
// at a barrier and drops out is neither counted twice nor waited for.

#include "waiting_env.hpp"

#include <smarm/detail/barrier_core.hpp>
#include <smarm/detail/latch_core.hpp>

namespace {

using smarm::detail::arrival;
using smarm::detail::basic_barrier_core;
using smarm::detail::basic_latch_core;
using smarm::detail::basic_queued_wait;
using smarm::detail::basic_waiter;

template <class Env>
struct right_latch : basic_latch_core<Env> {
  using basic_latch_core<Env>::basic_latch_core;
};

// Looks first and enters the queue then, whatever has happened in between.
template <class Env>
struct latch_that_looks_early : basic_latch_core<Env> {
  using basic_latch_core<Env>::basic_latch_core;
  bool enter(basic_waiter<Env>& w) noexcept {
    if (this->open()) {
      return true;
    }
    const std::lock_guard guard(this->queue_);
    this->queue_.push(w);
    return false;
  }
};

// Opens one too early.
template <class Env>
struct latch_that_opens_early : basic_latch_core<Env> {
  explicit latch_that_opens_early(std::ptrdiff_t expected) : basic_latch_core<Env>(expected - 1) {}
  bool count_down(std::ptrdiff_t n) noexcept {
    (void)basic_latch_core<Env>::count_down(n);
    return true;
  }
};

template <class Env, class Latch>
struct leaves_early : basic_queued_wait<Env, Latch> {
  using basic_queued_wait<Env, Latch>::basic_queued_wait;
  bool withdraw() noexcept {
    const bool gave_up = this->place.leave(this->self);
    mc::require(gave_up || this->satisfied(), "the granter still needs the frame");
    return gave_up;
  }
};
template <class Env, class Latch>
struct right_wait : basic_queued_wait<Env, Latch> {
  using basic_queued_wait<Env, Latch>::basic_queued_wait;
};

// Two count, one waits and one may give up.
template <class Env = mc::waits<>, template <class> class Latch = right_latch,
          template <class, class> class Wait = right_wait>
void latch_opens(mc::world& world) {
  struct state {
    mc::undestroyed<Latch<Env>> latch{2};
    mc::caller callers[2];
    mc::atomic<int> counted{0};
  };
  auto& s = world.make<state>();
  for (int i = 0; i < 2; ++i) {
    world.thread([&s] {
      s.counted.fetch_add(1);
      mc::require(s.latch->count_down(1), "there is something to count");
    });
  }
  for (int i = 0; i < 2; ++i) {
    world.thread([&s, i] {
      Wait<Env, Latch<Env>> wait(*s.latch);
      if (i == 0) {
        mc::wait(wait, s.callers[i]);
      } else if (!mc::wait_or_give_up(wait, s.callers[i])) {
        return;
      }
      mc::require(s.counted.load() == 2, "open when all have counted");
    });
  }
  world.finally([&s] {
    mc::require(s.latch->open(), "open for ever");
    mc::require(!s.latch->count_down(1), "and not counted any further");
  });
}

template <class Env>
struct right_barrier : basic_barrier_core<Env> {
  using basic_barrier_core<Env>::basic_barrier_core;
};

// Lets those go on who wait, and begins the phase afterwards.
template <class Env>
struct barrier_that_resets_late : basic_barrier_core<Env> {
  using basic_barrier_core<Env>::basic_barrier_core;
  void complete() noexcept {
    basic_waiter<Env>* all = nullptr;
    {
      const std::lock_guard guard(this->queue_);
      ++this->phase_;
      all = this->queue_.pop_all();
    }
    smarm::detail::basic_waiter_queue<Env>::grant(all);
    const std::lock_guard guard(this->queue_);
    this->missing_ = this->expected_;
  }
};

template <class Env>
struct barrier_that_keeps_arrivals : basic_barrier_core<Env> {
  using basic_barrier_core<Env>::basic_barrier_core;
  void take_back(std::uint64_t) noexcept {}
};

template <class Env>
struct barrier_that_takes_back_too_much : basic_barrier_core<Env> {
  using basic_barrier_core<Env>::basic_barrier_core;
  void take_back(std::uint64_t) noexcept {
    const std::lock_guard guard(this->queue_);
    ++this->missing_;
  }
};

template <class Env, template <class> class Barrier>
struct meeting {
  mc::undestroyed<Barrier<Env>> barrier;
  mc::caller callers[3];
  mc::atomic<int> arrived{0};

  explicit meeting(int expected) : barrier(expected) {}

  // True: the caller has passed; false: it gave up.
  template <bool Patient, class AtEnd>
  bool arrive_and_wait(mc::caller& me, AtEnd at_end) {
    std::uint64_t phase = 0;
    switch (barrier->arrive(1, false, phase)) {
    case arrival::too_many: mc::require(false, "somebody is counted twice"); break;
    case arrival::last:
      at_end();
      barrier->complete();
      return true;
    case arrival::early: break;
    }
    typename Barrier<Env>::end_of_phase end{*barrier, phase};
    basic_queued_wait<Env, typename Barrier<Env>::end_of_phase> wait(end);
    if (Patient) {
      mc::wait(wait, me);
    } else if (!mc::wait_or_give_up(wait, me)) {
      barrier->take_back(phase);
      return false;
    }
    return true;
  }
};

// All meet twice.
template <int Callers, class Env = mc::waits<>, template <class> class Barrier = right_barrier>
void barrier_phases(mc::world& world) {
  using state = meeting<Env, Barrier>;
  auto& s = world.make<state>(Callers);
  for (int i = 0; i < Callers; ++i) {
    world.thread([&s, i] {
      for (int phase = 1; phase <= 2; ++phase) {
        s.arrived.fetch_add(1);
        const auto all_are_here = [&s, phase] {
          mc::require(s.arrived.load() == Callers * phase, "complete when all have arrived");
        };
        (void)s.template arrive_and_wait<true>(s.callers[i], all_are_here);
        mc::require(s.arrived.load() >= Callers * phase, "nobody passes before");
      }
    });
  }
}

// The first may give up, and drops out then; or goes on to the second phase, as the other does.
template <class Env = mc::waits<>, template <class> class Barrier = right_barrier>
void one_drops_out(mc::world& world) {
  using state = meeting<Env, Barrier>;
  auto& s = world.make<state>(2);
  world.thread([&s] {
    if (!s.template arrive_and_wait<false>(s.callers[0], [] {})) {
      std::uint64_t phase = 0;
      const arrival left = s.barrier->arrive(1, true, phase);
      mc::require(left != arrival::too_many, "who drops out is counted once");
      if (left == arrival::last) {
        mc::require(s.arrived.load() > static_cast<int>(phase), "the other has arrived");
        s.barrier->complete();
      }
      return;
    }
    (void)s.template arrive_and_wait<true>(s.callers[0], [] {});
  });
  world.thread([&s] {
    for (int phase = 1; phase <= 2; ++phase) {
      s.arrived.store(phase);
      (void)s.template arrive_and_wait<true>(s.callers[1], [] {});
    }
  });
}

} // namespace

int main(int argc, char** argv) {
  using mc::lock_excludes;
  using mute = mc::waits<mc::atomics, lock_excludes::yes, false>;
  const mc::options bounded{.preemptions = 3};
  mc::suite suite("latch", argc, argv);
  suite.model("latch_opens", bounded, &latch_opens<>);
  suite.mutation("latch_that_looks_early", bounded,
                 &latch_opens<mc::waits<>, latch_that_looks_early>, "deadlock");
  suite.mutation("latch_that_opens_early", bounded,
                 &latch_opens<mc::waits<>, latch_that_opens_early>);
  suite.mutation("latch_that_wakes_nobody", bounded, &latch_opens<mute>, "deadlock");
  suite.mutation("who_gives_up_leaves_before_the_granter", bounded,
                 &latch_opens<mc::waits<>, right_latch, leaves_early>, "the granter");
  suite.model("barrier_two", bounded, &barrier_phases<2>);
  suite.model("barrier_three", {.preemptions = 2}, &barrier_phases<3>);
  suite.mutation("barrier_that_resets_late", bounded,
                 &barrier_phases<2, mc::waits<>, barrier_that_resets_late>, "counted twice");
  suite.mutation("barrier_that_wakes_nobody", bounded, &barrier_phases<2, mute>, "deadlock");
  suite.model("one_drops_out", bounded, &one_drops_out<>);
  suite.mutation("barrier_that_keeps_arrivals", bounded,
                 &one_drops_out<mc::waits<>, barrier_that_keeps_arrivals>, "the other has arrived");
  suite.mutation("barrier_that_takes_back_too_much", bounded,
                 &one_drops_out<mc::waits<>, barrier_that_takes_back_too_much>, "deadlock");
  return suite.result();
}

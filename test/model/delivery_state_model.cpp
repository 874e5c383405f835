// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The end of a timer: of its fires, its cancels and the end of its run one makes an end of it, and
// nobody touches a wheel or a block that is gone.

// The explored threads share one system thread, by which the order is kept.
#define SMARM_CHECK_LOCK_ORDER 0

#include "mc_futex.hpp"
#include "suite.hpp"

#include <smarm/detail/delivery_state.hpp>
#include <smarm/detail/raw_lock.hpp>

#include <mutex>

namespace {

using smarm::detail::cancellation;
using raw_lock = smarm::detail::basic_raw_lock<mc::atomics, mc::futex, 1>;

// Of the block: must not be used once the block is freed.
mc::atomic<int>* freed = nullptr;

class block_lock {
public:
  void lock() {
    mc::require(freed->load() == 0, "the block is freed");
    lock_.lock();
  }
  void unlock() {
    mc::require(freed->load() == 0, "the block is freed");
    lock_.unlock();
  }

private:
  raw_lock lock_;
};

using right = smarm::detail::basic_delivery_state<block_lock>;

enum class wrong {
  wheel_asked_without_lock, // a cancel looks, lets go of the lock, and then asks the wheel
  cancel_forgets,           // a cancel of one that is firing leaves no trace
  rearmed_after_cancel,     // the fire does not look whether it was cancelled
  rearmed_without_lock,     // the fire looks, lets go of the lock, and puts it back
};

template <wrong Wrong>
struct mutant : right {
  template <class Disarm>
  cancellation cancel(bool repeats, Disarm&& disarm) {
    if constexpr (Wrong == wrong::wheel_asked_without_lock) {
      if (ended()) {
        return cancellation::none;
      }
      const bool was_armed = disarm();
      const std::lock_guard guard(lock_);
      if (ended_ || (!was_armed && !repeats)) {
        return cancellation::none;
      }
      ended_ = true;
      return was_armed ? cancellation::ours : cancellation::left_to_it;
    } else if constexpr (Wrong == wrong::cancel_forgets) {
      const std::lock_guard guard(lock_);
      if (ended_) {
        return cancellation::none;
      }
      if (!disarm()) {
        return repeats ? cancellation::left_to_it : cancellation::none;
      }
      ended_ = true;
      return cancellation::ours;
    } else {
      return right::cancel(repeats, disarm);
    }
  }
  template <class Rearm>
  bool go_on(Rearm&& rearm) {
    if constexpr (Wrong == wrong::rearmed_after_cancel) {
      const std::lock_guard guard(lock_);
      return rearm();
    } else if constexpr (Wrong == wrong::rearmed_without_lock) {
      return !ended() && rearm();
    } else {
      return right::go_on(rearm);
    }
  }
};

template <class State>
struct timer {
  mc::kernel kernel;
  State state;
  bool repeats = false;
  bool clear_tells = true;
  bool fire_tells = true;

  // The wheel.
  raw_lock wheel;
  mc::atomic<int> armed{1};
  mc::atomic<int> closed{0};
  mc::atomic<int> schedulers{2}; // the last one takes the wheel with it
  mc::atomic<int> gone{0};

  // The block.
  mc::atomic<int> shares{2};
  mc::atomic<int> free_now{0};
  mc::atomic<int> destroyed{0};
  mc::atomic<int> delivered{0};
  mc::atomic<int> cancelled{0};

  timer() { freed = &free_now; }

  bool take_off() {
    mc::require(gone.load() == 0, "the wheel is gone");
    const std::lock_guard guard(wheel);
    return armed.exchange(0, std::memory_order_relaxed) == 1;
  }
  bool put_back() {
    mc::require(gone.load() == 0, "the wheel is gone");
    const std::lock_guard guard(wheel);
    if (closed.load() == 1) {
      return false;
    }
    mc::require(armed.load() == 0, "armed twice");
    armed.store(1);
    return true;
  }
  void drop() {
    if (shares.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      free_now.store(1);
    }
  }
  void finish() {
    mc::require(destroyed.fetch_add(1, std::memory_order_relaxed) == 0, "destroyed once");
    drop();
  }
  void scheduler_done() {
    if (schedulers.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      gone.store(1);
    }
  }

  void fire() {
    if (!take_off()) {
      return;
    }
    if (repeats) {
      delivered.store(1);
      if (!state.go_on([this] { return put_back(); })) {
        finish();
      }
    } else {
      if (fire_tells) {
        state.end();
      }
      delivered.store(1);
      finish();
    }
  }
  void clear() {
    {
      const std::lock_guard guard(wheel);
      closed.store(1);
    }
    if (take_off()) {
      if (clear_tells) {
        state.end();
      }
      finish();
    }
  }
  void cancel() {
    switch (state.cancel(repeats, [this] { return take_off(); })) {
    case cancellation::none: return;
    case cancellation::ours: finish(); [[fallthrough]];
    case cancellation::left_to_it:
      mc::require(cancelled.fetch_add(1, std::memory_order_relaxed) == 0, "cancelled once");
    }
  }
};

// Its own scheduler ends the run, another one fires, and whoever has the id cancels.
template <bool Repeats, class State = right, bool ClearTells = true, bool FireTells = true>
void end_of_run(mc::world& world) {
  auto& t = world.make<timer<State>>();
  t.repeats = Repeats;
  t.clear_tells = ClearTells;
  t.fire_tells = FireTells;
  world.thread([&t] {
    t.clear();
    t.scheduler_done();
  });
  world.thread([&t] {
    t.fire();
    t.scheduler_done();
  });
  world.thread([&t] {
    t.cancel();
    t.drop();
  });
  world.finally([&t] {
    mc::require(t.destroyed.load() == 1, "destroyed at the end of the run");
    mc::require(t.armed.load() == 0, "nothing is armed after the end of the run");
    mc::require(t.free_now.load() == 1, "the block was freed");
    mc::require(Repeats || t.delivered.load() + t.cancelled.load() <= 1,
                "delivered or cancelled, not both");
  });
}

// The run goes on.
template <bool Repeats, class State = right>
void two_cancels(mc::world& world) {
  auto& t = world.make<timer<State>>();
  t.repeats = Repeats;
  t.shares.store(3);
  world.thread([&t] { t.fire(); });
  for (int i = 0; i < 2; ++i) {
    world.thread([&t] {
      t.cancel();
      t.drop();
    });
  }
  world.finally([&t] {
    mc::require(t.destroyed.load() == 1, "destroyed when it has ended");
    mc::require(t.cancelled.load() == 1 || (!Repeats && t.delivered.load() == 1),
                "delivered or cancelled");
    mc::require(t.free_now.load() == 1, "the block was freed");
    mc::require(Repeats || t.delivered.load() + t.cancelled.load() == 1,
                "delivered or cancelled, not both");
  });
}

// Put back, it is fired at once by another scheduler, and cancelled.
void two_fires(mc::world& world) {
  auto& t = world.make<timer<right>>();
  t.repeats = true;
  world.thread([&t] { t.fire(); });
  world.thread([&t] { t.fire(); });
  world.thread([&t] {
    t.cancel();
    t.drop();
  });
  world.finally([&t] {
    mc::require(t.destroyed.load() == 1 && t.cancelled.load() == 1, "cancelled for good");
    mc::require(t.armed.load() == 0, "nothing is armed after a cancel");
    mc::require(t.free_now.load() == 1, "the block was freed");
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options few{.preemptions = 3};
  mc::suite suite("delivery_state", argc, argv);
  suite.model("once_at_the_end_of_the_run", few, &end_of_run<false>);
  suite.model("repeated_at_the_end_of_the_run", few, &end_of_run<true>);
  suite.model("once_and_two_cancels", few, &two_cancels<false>);
  suite.model("repeated_and_two_cancels", few, &two_cancels<true>);
  suite.model("two_fires", few, &two_fires);
  suite.mutation("wheel_asked_without_lock", few,
                 &end_of_run<false, mutant<wrong::wheel_asked_without_lock>>, "the wheel is gone");
  suite.mutation("clear_says_nothing", few, &end_of_run<false, right, false>, "the wheel is gone");
  suite.mutation("fire_says_nothing", few, &end_of_run<false, right, true, false>,
                 "the wheel is gone");
  suite.mutation("cancel_forgets", few, &two_cancels<true, mutant<wrong::cancel_forgets>>,
                 "cancelled once");
  suite.mutation("rearmed_after_cancel", few,
                 &two_cancels<true, mutant<wrong::rearmed_after_cancel>>, "destroyed when");
  suite.mutation("rearmed_without_lock", few,
                 &end_of_run<true, mutant<wrong::rearmed_without_lock>>, "the wheel is gone");
  return suite.result();
}

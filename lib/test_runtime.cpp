// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/test_runtime.hpp>

#include "blocking_pool.hpp"
#include "duration_text.hpp"
#include "trace_recording.hpp"

#include <smarm/detail/drawn_order.hpp>
#include <smarm/detail/idle_driver.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/simulation.hpp>
#include <smarm/detail/survey.hpp>
#include <smarm/error.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/trace.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <utility>

namespace smarm {
namespace {

config settings_of(config c) {
  c.schedulers = 1;
  c.wake_slot = false;
  c.search_time = {};
  c.timer_slack = {};
  // These two are counted in time of the world.
  c.timeslice_cycles = INT64_MAX;
  c.poll_cycles = INT64_MAX;
  c.watchdog.reset();
  return c;
}

[[noreturn]] void refuse(errc why, const char* text) {
  throw boost::system::system_error(make_error_code(why), text);
}

constexpr std::int64_t looks_every = 1'000'000; // nanoseconds, at blocking calls that run

} // namespace

// The clock, chance, and what the only scheduler sleeps in. All of it belongs to the thread that runs the
// runtime.
class test_runtime::world {
public:
  class driver;

  world(detail::runtime_state& owner, std::uint64_t seed)
      : owner_(owner), seed_(seed), order_(simulated_.chance) {
    // A whole microsecond, which is what timers are rounded to: so waits of whole ones are exact.
    simulated_.now = detail::world_now() / 1000 * 1000;
  }

  // Of a run, which there is no other of.
  void begin() {
    if (runs_.exchange(true, std::memory_order_acquire)) {
      refuse(errc::nested_run, "smarm::test_runtime::run: it is running already");
    }
    root_ = pid::none();
    stuck_.clear();
    tried_ = 0;
    began_ = simulated_.now.load();
    simulated_.chance.seed(seed_);
    owner_.schedulers[0]->order = seed_ != 0 ? &order_ : nullptr;
  }
  void end() noexcept { runs_.store(false, std::memory_order_release); }
  void note_root() { root_ = this_actor::self(); }
  [[nodiscard]] detail::simulation& simulated() noexcept { return simulated_; }
  [[nodiscard]] std::int64_t began() const noexcept { return began_; }
  [[nodiscard]] const std::string& stuck() const noexcept { return stuck_; }

  // An actor of the runtime.
  void wait_until_idle() {
    const detail::scheduler* const here = detail::current_scheduler();
    if (here == nullptr || &here->runtime != &owner_ || !here->is_actor(here->current)) {
      refuse(errc::not_in_actor, "smarm::test_runtime: only its own actors wait for it");
    }
    if (awaited_) {
      refuse(errc::already_waiting, "smarm::test_runtime: another actor waits until it is idle");
    }
    struct waiting {
      bool& flag;
      ~waiting() { flag = false; }
    };
    const waiting until_it_returns{awaited_ = true};
    idle_.acquire();
  }
  void advance_to(std::int64_t target) {
    for (;;) {
      wait_until_idle();
      const std::int64_t next = owner_.coordination.earliest();
      if (next == detail::no_deadline || next > target) {
        break;
      }
      move_to(next);
    }
    if (target != detail::no_deadline) {
      move_to(target);
    }
  }

  // The scheduler found nothing to do. True: a permit came.
  bool idle(std::int64_t deadline, detail::parker& own, detail::interruptible& place) noexcept {
    if (blocking_calls_run()) { // what they bring about comes from another thread
      return own.park(detail::world_now() + looks_every);
    }
    if (!own.enter(place) || own.leave()) { // the last one has, since the scheduler looked
      return true;
    }
    if (awaited_) {
      awaited_ = false;
      idle_.release();
      return false;
    }
    if (deadline != detail::no_deadline) {
      move_to(deadline);
      return false;
    }
    end_what_is_stuck();
    return false;
  }

private:
  void move_to(std::int64_t when) noexcept {
    simulated_.now = std::max(simulated_.now.load(), when);
  }

  [[nodiscard]] bool blocking_calls_run() const noexcept {
    detail::blocking_pool* const pool = owner_.blocking_pool_if_any();
    return pool != nullptr && pool->busy();
  }

  // Nobody can go on, and no time that passes changes that. The root hears of it first, then all, and
  // again all as long as some of them end, or come to wait for something in the course of that.
  void end_what_is_stuck() noexcept {
    const detail::scheduler& here = *owner_.schedulers[0];
    const std::uint64_t lives = here.spawned.value() + here.ended.value();
    if (std::exchange(lives_, lives) != lives) {
      tried_ = std::min(tried_, 1);
    }
    switch (tried_++) {
    case 0:
      describe_stuck();
      (void)owner_.request(root_, detail::stop_flag::stop);
      break;
    case 1:
      for (std::uint32_t i = 0; i < owner_.slots.used(); ++i) {
        if (const detail::slot* const s = owner_.slots.find(i)) {
          const pid who = s->id();
          (void)owner_.request(who, detail::stop_flag::stop);
          (void)owner_.insist(who);
        }
      }
      break;
    default: // who waits for a lock cannot be stopped, and nothing can be thrown through it
      std::cerr << stuck_ << "\n  and they cannot be stopped where they wait" << std::endl;
      std::abort();
    }
  }
  void describe_stuck() noexcept {
    try {
      std::ostringstream text;
      text << "smarm::test_runtime: nobody can go on";
      for (const survivor& s : detail::survey(owner_)) {
        text << "\n  " << s;
      }
      stuck_ = std::move(text).str();
    } catch (...) {
      stuck_ = "smarm::test_runtime: nobody can go on";
    }
  }

  detail::runtime_state& owner_;
  const std::uint64_t seed_;
  detail::simulation simulated_;
  detail::drawn_order order_;
  counting_semaphore<> idle_{0};
  bool awaited_ = false;
  pid root_;
  int tried_ = 0;
  std::uint64_t lives_ = 0; // begun and ended, when it was tried last
  // By whoever runs it; read by anybody.
  detail::relaxed<std::int64_t> began_;
  // Taken (acquire) by who runs it, let go of (release) for the next.
  std::atomic<bool> runs_{false};
  std::string stuck_;
};

// The runtime's own, which may live longer than the test runtime.
class test_runtime::world::driver final : public detail::idle_driver {
public:
  explicit driver(std::shared_ptr<world> in) noexcept : world_(std::move(in)) {}

  bool wait_until(std::int64_t deadline, detail::parker& own) noexcept override {
    return world_->idle(deadline, own, *this);
  }
  void interrupt() noexcept override {}
  bool poll() noexcept override { return false; }
  [[nodiscard]] bool needs_sleeper() const noexcept override { return true; }

private:
  const std::shared_ptr<world> world_;
};

test_runtime::whole_run::whole_run(const test_runtime& of)
    : in(of.world_), records(of.record_), before(detail::simulated) {
  in->begin();
  detail::simulated = &in->simulated();
  if (records) {
    const auto begun = trace::start();
    if (!begun) {
      detail::simulated = static_cast<detail::simulation*>(before);
      in->end();
      throw boost::system::system_error(begun.error(), "smarm::test_runtime: test_options::record");
    }
  }
}

test_runtime::whole_run::~whole_run() {
  if (records) {
    trace::stop();
  }
  detail::simulated = static_cast<detail::simulation*>(before);
  in->end();
}

void test_runtime::whole_run::note_root() const { in->note_root(); }

void test_runtime::whole_run::check_end() const {
  if (!in->stuck().empty()) {
    throw boost::system::system_error(make_error_code(errc::would_deadlock), in->stuck());
  }
}

test_runtime::test_runtime(test_options how)
    : record_(how.record), runtime_(settings_of(std::move(how.settings))) {
  const auto state = detail::runtime_access::state(runtime_.handle()).lock();
  world_ = std::make_shared<world>(*state, how.seed);
  (void)state->plug_driver([&] { return std::make_unique<world::driver>(world_); });
}

test_runtime::~test_runtime() = default;

void test_runtime::run_until_idle() { world_->wait_until_idle(); }

void test_runtime::advance_to(std::int64_t target) { world_->advance_to(target); }

std::chrono::steady_clock::time_point test_runtime::now() const noexcept {
  return std::chrono::steady_clock::time_point(
      std::chrono::nanoseconds(world_->simulated().now.load()));
}

std::vector<std::string> test_runtime::messages() const {
  std::vector<std::string> lines;
  if (!record_) { // what there may be of a recording is somebody else's
    return lines;
  }
  const detail::traced all = detail::read_recording();
  const auto label_of = [&](const detail::traced_actor& who) {
    const auto known = all.labels.find(who);
    if (known != all.labels.end()) {
      return known->second;
    }
    std::ostringstream text;
    text << who.id();
    return std::move(text).str();
  };
  const auto state = detail::runtime_access::state(runtime_.handle()).lock();
  const auto is_elsewhere = [&](const detail::traced_actor& who) {
    return who.any() && who.where->runtime.load() != state.get();
  };
  for (const auto& [e, source, order, text] : all.entries) {
    const char* how = nullptr;
    switch (e.what) {
    case trace::event_kind::send: how = " sends "; break;
    case trace::event_kind::cast: how = " casts "; break;
    case trace::event_kind::call: how = " calls "; break;
    case trace::event_kind::receive: how = " takes "; break;
    default: continue;
    }
    if (is_elsewhere(e.actor.any() ? e.actor : e.other)) {
      continue;
    }
    std::string line = detail::duration_text(std::chrono::nanoseconds(e.at - world_->began())) +
                       ": " + label_of(e.actor) + how;
    if (e.other.any() && e.what != trace::event_kind::receive) {
      line += label_of(e.other) + ": ";
    }
    lines.push_back(line += text);
  }
  return lines;
}

} // namespace smarm

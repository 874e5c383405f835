// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a runtime consists of, behind the public class: slots, ready queues, schedulers, and the
// account of who is alive. Shared by the runtime, its threads and its handles.

#ifndef SMARM_DETAIL_RUNTIME_STATE_HPP
#define SMARM_DETAIL_RUNTIME_STATE_HPP

#include <smarm/blocking_stats.hpp>
#include <smarm/config.hpp>
#include <smarm/detail/coordinator.hpp>
#include <smarm/detail/idle_driver.hpp>
#include <smarm/detail/life_account.hpp>
#include <smarm/detail/report_log.hpp>
#include <smarm/detail/root_end.hpp>
#include <smarm/detail/run_queue.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/slot_table.hpp>
#include <smarm/detail/stack_pool.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/error.hpp>
#include <smarm/pid.hpp>
#include <smarm/report.hpp>
#include <smarm/runtime_stats.hpp>
#include <smarm/spawn_options.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace smarm::detail {

// Who is registered under which name: a higher layer's, of which each runtime has one.
class name_table;
struct name_table_deleter {
  void operator()(name_table* names) const noexcept;
};
using name_table_ptr = std::unique_ptr<name_table, name_table_deleter>;
[[nodiscard]] name_table_ptr make_name_table(); // throws std::bad_alloc
void close_names(name_table& names) noexcept;   // the runtime goes

// Its process groups, likewise. Shared with those who monitor groups, and may do so for longer.
class group_table;
[[nodiscard]] std::shared_ptr<group_table> make_group_table(); // throws std::bad_alloc
void close_groups(group_table& groups) noexcept;               // the runtime goes

// Its threads for blocking calls, likewise, but made when they are first needed. Shared with these.
class blocking_pool;
void open_blocking_pool(blocking_pool& pool) noexcept;  // a run begins
void close_blocking_pool(blocking_pool& pool) noexcept; // and is over: asks the threads to end
void join_blocking_pool(blocking_pool& pool) noexcept;  // waits until they have
[[nodiscard]] blocking_stats stats_of(blocking_pool& pool) noexcept;
// Who has left a call that still runs. Throws std::bad_alloc.
[[nodiscard]] std::vector<pid> callers_of_left_calls(const blocking_pool& pool);
// Whether the caller is one of these threads.
[[nodiscard]] bool on_blocking_thread_of(const runtime_state& owner) noexcept;

// Its watchdog, likewise. Throws what the system says if it refuses the thread.
[[nodiscard]] std::shared_ptr<void> make_watchdog(const std::shared_ptr<runtime_state>& of);
// Whether the caller is its thread, so that it gives a report.
[[nodiscard]] bool on_thread_of(const std::shared_ptr<void>& watchdog) noexcept;

class runtime_state : public std::enable_shared_from_this<runtime_state> {
public:
  explicit runtime_state(config c);
  ~runtime_state();

  // Spawning, in three steps around the construction of the closure -----------------------------

  // A vacant slot for a new actor, from a scheduler thread of this runtime or, with `here` null,
  // from outside under a visit. Null: see error.
  [[nodiscard]] slot* take_slot(scheduler* here, errc& error) noexcept;
  // Gives one back that no actor was put into.
  void return_slot(scheduler* here, slot& s) noexcept;
  // What spawn_options ask for besides the defaults. Throws std::bad_alloc.
  [[nodiscard]] errc equip(scheduler* here, slot& s, const spawn_options& options);
  // Makes the actor visible and ready.
  SMARM_ALWAYS_INLINE void publish(scheduler& here, slot& s) noexcept {
    here.spawned.add();
    s.word.publish_queued();
    here.make_ready_fresh(s);
  }
  // The same for one that is spawned in scheduler context and so has no parent: no death will ask
  // for a sweep that sees it. Counted by life.enter() before, and left here.
  void publish_parentless(scheduler& here, slot& s) noexcept;
  // Room in the ready queue for every slot there is. False: no memory.
  [[nodiscard]] bool reserve_queue() noexcept;
  // The same from outside, under a visit.
  void publish_from_outside(slot& s) noexcept;
  class visit;

  // Life and death ------------------------------------------------------------------------------

  // Called on the actor's own stack when its function has ended. Afterwards the slot is not the
  // caller's any more.
  void end_actor(slot& me, exit_reason reason) noexcept;
  // The part that every ending has, and all of it where there is nothing to tell.
  SMARM_ALWAYS_INLINE void bury(scheduler& here, slot& me) noexcept;
  // An ended slot whose handle is gone; `here` is the calling scheduler, of any runtime, or null.
  SMARM_ALWAYS_INLINE static void reclaim(scheduler* here, slot& s) noexcept {
    if (SMARM_UNLIKELY(s.outcome.kind() != exit_kind::normal)) {
      s.outcome = exit_reason();
    }
    if (SMARM_UNLIKELY(here == nullptr || &here->runtime != s.runtime)) {
      slot_table::give_from_outside(s);
    } else if (SMARM_LIKELY(s.word.reclaim())) {
      here->vacant.give(s);
    }
  }

  // True if the pid names a live actor of this runtime.
  bool request(pid actor, std::uint64_t flag) noexcept;
  bool insist(pid actor) noexcept; // on a stop, see stop_word.hpp
  [[nodiscard]] bool is_live(pid actor) const noexcept;

  // Ready actors for which there was no stack, whichever scheduler found that out: the next one that
  // has a stack to spare serves the first of them. True: there was none before.
  [[nodiscard]] bool starve(slot& s) noexcept;
  [[nodiscard]] slot* take_starved() noexcept; // null if there is none
  [[nodiscard]] bool starving() const noexcept {
    return starved_count_.load(std::memory_order_relaxed) != 0;
  }

  // A slot that became ready, from a thread that is none of this runtime's schedulers.
  void inject(slot& s) noexcept;

  // The run --------------------------------------------------------------------------------------

  // Prepares for a run, with a keep-alive that must be released. Throws nested_run.
  void begin_run();
  // Starts the threads of schedulers `first` and up, and opens the runtime to those outside. If the
  // system refuses, throws after the run is over again.
  void start_threads(unsigned first);
  // Waits until that run is over, not a later one. False: the deadline came first.
  bool await_end(std::uint64_t run, std::int64_t deadline) noexcept;
  // The run is over when all its parts are: the schedulers, and blocking calls that were left. Called
  // by each scheduler thread when its loop has ended.
  void scheduler_done() noexcept { part_ends(); }
  void part_begins() noexcept; // by an actor
  // The last touch, unless somebody else keeps this object alive.
  void part_ends() noexcept;
  // Nobody will wait: the threads keep this object alive until they are done.
  void orphan() noexcept;
  // No run will follow: those outside who wait for a name or for changes of a group learn it. Whoever
  // waits for a name holds this object, so its destructor would be too late.
  void tell_outsiders() noexcept;
  // Asks every actor that is not under a live parent to shut down, now and whenever one dies. Returns
  // the run that this was about: the present one, or if there is none the last.
  std::uint64_t shut_down_all() noexcept;
  [[nodiscard]] bool is_running() const noexcept {
    return phase_.load(std::memory_order_acquire) == phase::running;
  }
  // Whoever called start_threads calls this when all is there that the run begins with: before, it
  // does not end.
  void started() noexcept;
  // Without it the run ends once the last actor has. Returns the present run, or the last.
  std::uint64_t release_keep_alive() noexcept;

  // For a scheduler that found nothing to do. True: all actors have ended, and stays so.
  [[nodiscard]] bool finished() noexcept { return life.finished(schedulers); }
  // Whether the idle sweep of orphans is due.
  [[nodiscard]] bool wants_sweep() const noexcept { return root_end_.sweep_wanted(); }
  // Shuts down every actor that is not under a live parent.
  void sweep() noexcept;
  // Whether the root has ended or a shutdown was asked for: nobody new is wanted.
  [[nodiscard]] bool ends() const noexcept { return root_end_.announced(); }

  // What the schedulers sleep in: one that knows nothing but time, until a higher layer puts another
  // in its place, which then stays.
  [[nodiscard]] idle_driver& driver() noexcept { return *driver_.load(std::memory_order_acquire); }
  // The one that was put there, or null.
  [[nodiscard]] idle_driver* plugged_driver() noexcept {
    idle_driver& present = driver();
    return &present != &futex_driver_ ? &present : nullptr;
  }
  // Puts make() there unless somebody was faster; the one that is there. Throws what make() throws.
  template <class Make>
  idle_driver& plug_driver(Make make) {
    const std::lock_guard guard(plug_lock_);
    if (plugged_ == nullptr) {
      plugged_ = make();
      driver_.store(plugged_.get(), std::memory_order_release);
      coordination.replace_driver(*plugged_);
    }
    return *plugged_;
  }

  // The pool for blocking calls, or null; and puts make() there unless somebody was faster. Throws what
  // make() throws.
  [[nodiscard]] blocking_pool* blocking_pool_if_any() const noexcept {
    return blocking_.load(std::memory_order_acquire);
  }
  template <class Make>
  blocking_pool& plug_blocking_pool(Make make) {
    const std::lock_guard guard(plug_lock_);
    if (plugged_blocking_ == nullptr) {
      plugged_blocking_ = make();
      blocking_.store(plugged_blocking_.get(), std::memory_order_release);
    }
    return *plugged_blocking_;
  }

  // Fires whatever is due on any scheduler's wheel.
  void fire_timers(std::int64_t now) noexcept;

  // The frames of what a scheduler runs right now; none if its thread is not at it.
  [[nodiscard]] std::vector<std::string> backtrace_on(const scheduler& s);

  void tell(report r) noexcept;
  [[nodiscard]] const report_log& reports_told() const noexcept { return told_; }
  // The same for a report that has to be put together first, for which there may be no memory.
  template <class Make>
  void tell_made(Make make) noexcept {
    try {
      tell(make());
    } catch (...) {
      sink_failures_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  [[nodiscard]] runtime_stats stats() const;

  // In the list of all runtimes, see runtime_list.hpp: its link, under its lock, and its number.
  runtime_state* next_in_process = nullptr;
  std::uint64_t number_in_process = 0; // never changes

  const config settings;
  const stack_shape default_shape;
  slot_table slots;
  run_queue<slot>::shared ready;
  stack_pool stacks;
  coordinator coordination;
  std::vector<std::unique_ptr<scheduler>> schedulers;

  life_account life;
  const name_table_ptr names = make_name_table();
  const std::shared_ptr<group_table> groups = make_group_table();

private:
  void note_death(bool was_root) noexcept;
  // The end of an actor that others attend: they are told before its joiner is.
  void conclude(scheduler& here, slot& me) noexcept;

  enum class phase : std::uint8_t { idle, running };

  std::atomic<phase> phase_{phase::idle};
  root_end root_end_;
  std::atomic<std::uint64_t> sink_failures_{0};
  report_log told_{settings.kept_reports};
  // The end of a run; under end_lock_.
  std::mutex end_lock_;
  std::condition_variable ended_;
  std::size_t running_parts_ = 0;
  // The number of the present run, else of the last. Written under the lock before the door opens; who
  // is inside reads it (relaxed: the door is acquired), others under the lock.
  std::atomic<std::uint64_t> run_{0};
  void release_keep_alive_of(std::uint64_t run) noexcept;
  std::vector<std::thread> threads_;
  std::shared_ptr<runtime_state> self_; // while orphaned
  void finish_locked() noexcept;
  // Of the present run there is to be a trace, see config::trace_file; under end_lock_.
  bool traces_run_ = false;
  void write_trace() noexcept;
  // The one of config::watchdog, during a run. Under end_lock_, and let go under none.
  std::shared_ptr<void> watchdog_;

  // Written under the lock; read by everybody, as a hint.
  std::atomic<std::size_t> starved_count_{0};
  raw_lock starved_lock_;
  slot* starved_first_ = nullptr;
  slot* starved_last_ = nullptr;

  raw_lock reserve_lock_;
  std::size_t reserved_ = 0; // entries the ready queue has room for

  // Last, so that what its handlers hold goes while all the rest is there.
  futex_driver futex_driver_;
  // Written when another is plugged (release), for who reads it without the lock (acquire).
  std::atomic<idle_driver*> driver_{&futex_driver_};
  std::mutex plug_lock_;
  std::unique_ptr<idle_driver> plugged_;
  // Written once (release), for who reads it without the lock (acquire).
  std::atomic<blocking_pool*> blocking_{nullptr};
  std::shared_ptr<blocking_pool> plugged_blocking_;
};

// Counted in for as long as it lives, if the runtime is running.
class runtime_state::visit {
public:
  explicit visit(runtime_state& place) noexcept : place_(place), open_(place.life.enter()) {}
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;
  ~visit() { place_.life.leave(); }
  [[nodiscard]] bool open() const noexcept { return open_; }

private:
  runtime_state& place_;
  const bool open_;
};

SMARM_ALWAYS_INLINE void runtime_state::bury(scheduler& here, slot& me) noexcept {
  // What still runs of the user's is the destructor of the exception that a detached actor failed
  // with: in scheduler context, so that it cannot wait. Nor is it an actor that wakes the joiner, so
  // that the wake slot stays out of it.
  here.note(event_kind::end, me);
  here.current = &here.idle;
  me.context = nullptr;
  me.stack = nullptr;
  const bool was_root = me.masks.is_root;
  me.word.finish();
  registration joiner;
  switch (me.join.end(me.joiner, joiner.who, joiner.ticket)) {
  case join_found::handle: break;
  case join_found::joiner: wake(joiner); break;
  case join_found::detached: reclaim(&here, me); break;
  case join_found::attended: conclude(here, me); break;
  }
  if (SMARM_UNLIKELY(was_root || root_end_.announced_before_death())) {
    note_death(was_root);
  }
  here.ended.add(); // last: every wake of this death comes before it
}

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a watchdog sees: one look after the other at a runtime, each compared with what was there before.

#ifndef SMARM_LIB_WATCH_HPP
#define SMARM_LIB_WATCH_HPP

#include <smarm/detail/slot.hpp>
#include <smarm/pid.hpp>
#include <smarm/report.hpp>
#include <smarm/watchdog_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smarm::detail {

class runtime_state;
struct scheduler;

// As "1.5 s".
[[nodiscard]] std::string span_text(std::int64_t nanoseconds);
// Each on a line of its own, behind a text.
[[nodiscard]] std::string lines_of(const std::vector<std::string>& frames);

class watch {
public:
  watch(const watchdog_options& how, std::size_t schedulers) : how_(how), schedulers_(schedulers) {}

  // `now`: of the monotonic clock. `late`: the watcher itself was kept from looking for so long, so that
  // nothing follows from what did not go on meanwhile. While it looks the run does not end, so that what it
  // has found is told afterwards. Throws std::bad_alloc.
  void look(runtime_state& runtime, std::int64_t now, bool late);

  // What it has found since it was last asked.
  [[nodiscard]] std::vector<report> take_reports() noexcept { return std::exchange(found_, {}); }

private:
  // What a scheduler was doing, since when nothing has changed about it.
  struct scheduler_seen {
    const slot* current = nullptr;
    std::uint32_t generation = 0;
    std::uint64_t switches = 0;
    std::int64_t last_look = 0; // the scheduler's own at the clock
    std::int64_t since = 0;
    std::int64_t used = 0; // of the processor until then, in nanoseconds
    std::uint64_t sleeps = 0;
    std::int64_t called_at = 0; // it was woken then, to see whether it sleeps; 0: it was not
    bool told = false;
  };

  struct actor_seen {
    std::uint32_t generation = 0;
    std::uint64_t round = 0; // the look in which it was last there
    // The wait, and since when it has been that.
    std::uint32_t epoch = 0;
    std::uint64_t received = 0;
    std::int64_t waits_since = 0;
    std::int64_t asked_since = 0; // to stop; 0: it is not
    wait_kind kind = wait_kind::nothing; // of that wait, or the last one
    bool told_stop = false;
    bool told_blocked = false; // in that wait
    bool told_stuck = false;
    bool told_stack = false;
    bool told_inbox = false;
    bool told_storm = false;
  };

  // Who was seen to run in a storm of yields, so often, and has not waited, received or used up a slice
  // since the first time.
  struct runner_seen {
    std::uint32_t epoch = 0;
    std::uint32_t overruns = 0;
    std::uint64_t received = 0;
    unsigned looks = 0;
  };

  // An actor that has waited for long, and whose wait only these can end, or one of them.
  struct long_wait {
    slot* who;
    std::vector<slot*> for_one_of;
  };
  // The same for any of the children of a supervisor.
  struct pool_wait {
    slot* who;
    pid supervisor;
  };

  void look_at(runtime_state& runtime, scheduler& s, std::int64_t now, bool late);
  void look_beside_actors(runtime_state& runtime, scheduler& s, scheduler_seen& seen,
                          std::int64_t now);
  void look_at(runtime_state& runtime, slot& s, std::int64_t now, bool late);
  void look_for_wakes(slot& s, actor_seen& seen, std::uint32_t epoch, bool late);
  void look_for_yields(runtime_state& runtime, bool late);
  void look_at_callback(runtime_state& runtime, slot& s, actor_seen& seen, std::int64_t now);
  void look_at_waits(runtime_state& runtime, slot& s, actor_seen& seen, std::int64_t now);
  void look_at_pool_call(runtime_state& runtime, slot& s, const actor_seen& seen);
  void look_at_stack(slot& s, actor_seen& seen);
  void look_at_inbox(slot& s, actor_seen& seen);
  [[nodiscard]] actor_seen* seen_now(const slot& s) noexcept;
  void look_for_circles(runtime_state& runtime);
  void tell_circle(std::vector<slot*>::const_iterator first, std::vector<slot*>::const_iterator last);

  void tell(report_kind kind, slot& s, std::uint32_t generation, std::string text);

  watchdog_options how_;
  std::vector<scheduler_seen> schedulers_;
  std::vector<actor_seen> actors_; // by index
  std::vector<long_wait> long_waits_;
  std::vector<pool_wait> pool_waits_;
  std::vector<report> found_;
  std::uint64_t round_ = 0;
  std::int64_t last_ = 0;      // the look before this one
  double seconds_ = 0;         // since then
  // The storm of yields: counts of all schedulers and actors, and who is seen to run in it.
  std::uint64_t switches_ = 0;
  std::uint64_t spawned_ = 0;
  std::uint64_t waits_now_ = 0; // that ended since the look before
  bool told_yields_ = false;
  std::map<std::pair<slot*, std::uint32_t>, runner_seen> runners_;
};

} // namespace smarm::detail

#endif

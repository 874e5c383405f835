// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor is abandoned while it ends by itself, and while somebody begins to monitor it and gives that
// up again: who monitors hears exactly once, at once, and not after it has given up; an entry is taken
// out of a list only where it is in it.

#include "explorer.hpp"
#include "mc_atomic.hpp"
#include "suite.hpp"

#include <mutex>

namespace {

struct record_lock {
  mc::atomic<int> word{0};
  void lock() {
    word.block_until_and_store([](int held) { return held == 0; }, 1);
  }
  void unlock() { word.store(0); }
};

struct right {
  static constexpr bool attend_heeds_the_mark = true;
  static constexpr bool demonitor_heeds_the_mark = true;
  static constexpr bool marks_in_the_same_hold = true;
};
struct attends_the_abandoned : right {
  static constexpr bool attend_heeds_the_mark = false;
};
struct demonitors_the_abandoned : right {
  static constexpr bool demonitor_heeds_the_mark = false;
};
struct marks_later : right {
  static constexpr bool marks_in_the_same_hold = false;
};

// The record of one actor, and one entry of somebody who monitors it.
template <class Rules>
struct place {
  record_lock lock;
  // Under the lock.
  mc::atomic<int> present{1};
  mc::atomic<int> listed{0};
  mc::atomic<int> ending{0};
  mc::atomic<int> abandoned{0};
  mc::atomic<int> has_name{1};

  mc::atomic<int> told{0};
  mc::atomic<int> given_up{0};
  mc::atomic<int> names_freed{0};

  int take_entry() {
    const int had = listed.load();
    listed.store(0);
    return had;
  }
  void free_name() {
    if (has_name.load() != 0) {
      has_name.store(0);
      names_freed.fetch_add(1);
    }
  }

  void monitor() {
    bool known = false;
    {
      const std::lock_guard guard(lock);
      if (present.load() != 0 && (abandoned.load() == 0 || !Rules::attend_heeds_the_mark)) {
        listed.store(1);
        known = true;
      }
    }
    if (!known) {
      told.fetch_add(1); // it has ended, for all that one can know
    }
  }
  void demonitor() {
    const std::lock_guard guard(lock);
    if (present.load() != 0 && (abandoned.load() == 0 || !Rules::demonitor_heeds_the_mark)) {
      mc::require(listed.load() != 0, "what is taken out of a list is in it");
      listed.store(0);
      given_up.store(1);
    }
  }
  void abandon() {
    int taken = 0;
    {
      const std::lock_guard guard(lock);
      if (present.load() == 0 || ending.load() != 0) {
        return;
      }
      if (Rules::marks_in_the_same_hold) {
        ending.store(1);
        abandoned.store(1);
      }
      free_name();
      taken = take_entry();
    }
    if (!Rules::marks_in_the_same_hold) {
      const std::lock_guard guard(lock);
      ending.store(1);
      abandoned.store(1);
    }
    if (taken != 0) {
      told.fetch_add(1);
    }
  }
  void end() {
    {
      const std::lock_guard guard(lock);
      ending.store(1);
    }
    {
      const std::lock_guard guard(lock);
      free_name();
    }
    int taken = 0;
    {
      const std::lock_guard guard(lock);
      present.store(0);
      taken = take_entry();
    }
    if (taken != 0) {
      told.fetch_add(1);
    }
  }
};

enum class it : bool { runs_for_ever, ends_too };
enum class who : bool { waits, gives_up };

template <class Rules, it It, who Who>
void abandoned(mc::world& world) {
  auto& s = world.make<place<Rules>>();
  world.thread([&s] { s.abandon(); });
  if (It == it::ends_too) {
    world.thread([&s] { s.end(); });
  }
  world.thread([&s] {
    s.monitor();
    if (Who == who::gives_up) {
      s.demonitor();
    }
  });
  world.finally([&s] {
    mc::require(s.told.load() + s.given_up.load() == 1, "who monitors is told once, or gave it up");
    mc::require(s.names_freed.load() == 1, "a name is freed once");
    mc::require(s.listed.load() == 0, "no entry is left behind");
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::suite suite("abandon", argc, argv);

  suite.model("runs_for_ever", all, &abandoned<right, it::runs_for_ever, who::waits>);
  suite.model("runs_for_ever_given_up", all, &abandoned<right, it::runs_for_ever, who::gives_up>);
  suite.model("ends_too", all, &abandoned<right, it::ends_too, who::waits>);
  suite.model("ends_too_given_up", all, &abandoned<right, it::ends_too, who::gives_up>);

  suite.mutation("attends_the_abandoned", all,
                 &abandoned<attends_the_abandoned, it::runs_for_ever, who::waits>, "is told once");
  suite.mutation("demonitors_the_abandoned", all,
                 &abandoned<demonitors_the_abandoned, it::runs_for_ever, who::gives_up>,
                 "is in it");
  suite.mutation("marks_later", all, &abandoned<marks_later, it::runs_for_ever, who::waits>,
                 "is told once");
  return suite.result();
}

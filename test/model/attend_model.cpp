// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Attending an actor that may have no record yet, against its end, the end of its handle, and the next
// tenant of its slot: who was told that he attends hears of that end, once, and of no other.

#include "explorer.hpp"
#include "mc_atomic.hpp"
#include "suite.hpp"

#include <smarm/detail/join_word.hpp>
#include <smarm/detail/slot_word.hpp>

#include <cstdint>
#include <mutex>

namespace {

using smarm::detail::join_found;
using smarm::detail::slot_status;

struct record_lock {
  mc::atomic<int> word{0};
  void lock() {
    word.block_until_and_store([](int held) { return held == 0; }, 1);
  }
  void unlock() { word.store(0); }
};

using right = smarm::detail::basic_join_word<mc::atomics>;
struct nobody {};
using joiner = smarm::detail::basic_joiner<mc::atomics, nobody>;

// ---- words with one thing wrong

struct detaches_once : right {
  bool detach() {
    std::uint32_t seen = word_.load();
    return state_of(seen) == open &&
           word_.compare_exchange_strong(seen, detached | (seen & attended_bit));
  }
};

struct detaches_without_the_mark : right {
  bool detach() {
    std::uint32_t seen = word_.load();
    while (state_of(seen) == open) {
      if (word_.compare_exchange_strong(seen, detached)) {
        return true;
      }
    }
    return false;
  }
};

struct ends_unheeding : right {
  join_found end(const joiner& beside, nobody*& who, std::uint64_t& ticket) {
    return end_attended(beside, who, ticket);
  }
};

struct attends_the_ended : right {
  bool attend() {
    word_.fetch_or(attended_bit);
    return true;
  }
};

enum class looks_again : bool { no, yes };

// ---- a slot and those around it

template <class Word, looks_again Looks>
struct place {
  smarm::detail::basic_slot_word<mc::atomics, false> word;
  Word join;
  joiner beside;
  record_lock lock;
  mc::atomic<int> record{0};
  mc::atomic<int> told{0};      // how often
  mc::atomic<int> told_life{0}; // of which end
  mc::atomic<int> attends{0};
  mc::atomic<int> vacant{0}; // lives that are over, and whose slot was given back

  place() { live(); }

  void live() {
    join.begin();
    word.publish_queued();
    mc::require(word.claim(), "a fresh actor can be claimed");
  }
  void give_back() {
    mc::require(word.snapshot().state == smarm::detail::slot_state::done,
                "only an ended actor's slot is given back");
    mc::require(word.reclaim(), "there is another generation");
    vacant.fetch_add(1);
  }
  void end(int life) {
    word.finish();
    nobody* who = nullptr;
    std::uint64_t ticket = 0;
    join_found found = join.end(beside, who, ticket);
    if (found == join_found::attended) {
      int taken = 0;
      {
        const std::lock_guard guard(lock);
        taken = record.load();
        record.store(0);
      }
      if (taken != 0) {
        told.fetch_add(1);
        told_life.store(life);
      }
      found = join.end_attended(beside, who, ticket);
    }
    if (found == join_found::detached) {
      give_back();
    }
  }
  void attend() {
    const std::lock_guard guard(lock);
    if (word.status(0) != slot_status::live || !join.attend()) {
      return;
    }
    if (Looks == looks_again::yes && word.snapshot().generation != 0) {
      return;
    }
    record.store(1);
    attends.store(1);
  }
  void drop_handle() {
    if (!join.detach()) {
      give_back();
    }
  }
};

template <class Word, looks_again Looks = looks_again::yes>
void one_attends(mc::world& world) {
  auto& s = world.make<place<Word, Looks>>();
  world.thread([&s] { s.end(1); });
  world.thread([&s] { s.attend(); });
  world.thread([&s] { s.drop_handle(); });
  world.finally([&s] {
    mc::require(s.told.load() == s.attends.load(), "who attends is told once");
    mc::require(s.vacant.load() == 1, "the slot is given back once");
  });
}

// The same, and as soon as the slot is free another actor lives and ends in it.
template <class Word, looks_again Looks = looks_again::yes>
void the_slot_is_used_again(mc::world& world) {
  auto& s = world.make<place<Word, Looks>>();
  mc::require(s.join.detach(), "its handle is gone already");
  world.thread([&s] {
    s.end(1);
    s.live();
    mc::require(s.join.detach(), "the next one's handle too");
    s.end(2);
  });
  world.thread([&s] { s.attend(); });
  world.finally([&s] {
    mc::require(s.told.load() == s.attends.load(), "who attends is told once");
    mc::require(s.told.load() == 0 || s.told_life.load() == 1, "told of the right end");
    mc::require(s.record.load() == 0, "no record is left behind");
    mc::require(s.vacant.load() == 2, "the slot is given back once a life");
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::suite suite("attend", argc, argv);

  suite.model("one_attends", all, &one_attends<right>);
  suite.mutation("detaches_once", all, &one_attends<detaches_once>);
  suite.mutation("detaches_without_the_mark", all, &one_attends<detaches_without_the_mark>,
                 "is told once");
  suite.mutation("ends_unheeding", all, &one_attends<ends_unheeding>, "is told once");
  suite.mutation("attends_the_ended", all, &one_attends<attends_the_ended>);

  suite.model("the_slot_is_used_again", all, &the_slot_is_used_again<right>);
  suite.mutation("does_not_look_again", all, &the_slot_is_used_again<right, looks_again::no>);
  return suite.result();
}

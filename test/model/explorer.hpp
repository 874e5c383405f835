// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An interleaving explorer for the library's protocols. The threads of a scenario are coroutines on
// one system thread; every operation of mc::atomic (mc_atomic.hpp) is a scheduling point, and the
// scenario is run again and again, depth first, until every order of those operations was seen. It
// explores sequential consistency and, with `store_buffers`, also stores that wait in a buffer
// while later loads of their thread go ahead (x86), which is what the fences of a Dekker-shaped
// protocol are for. Weaker reorderings are ThreadSanitizer's part. "Nobody can run, somebody is not
// done" is how a lost wake-up shows. Data that is not atomic must belong to one thread, or be read
// only in the closing check. suite.hpp runs scenarios and prints their lines.
//
//   [](mc::world& world) {
//     auto& s = world.make<state>(); // fresh in every run
//     world.thread([&s] { s.word.store(1); });
//     world.thread([&s] { mc::block([&s] { return s.word.load() == 1; }); });
//     world.finally([&s] { mc::require(s.word.load() == 1, "the word was set"); });
//   }

#ifndef SMARM_TEST_MODEL_EXPLORER_HPP
#define SMARM_TEST_MODEL_EXPLORER_HPP

#include "coroutine.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "path.hpp"
#include "step.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mc {

class world;
using scenario = std::function<void(world&)>;

class world {
public:
  // ---- for scenarios

  template <class T, class... Args>
  T& make(Args&&... args) {
    auto object = std::make_shared<T>(std::forward<Args>(args)...);
    objects_.push_back(object);
    return *object;
  }
  void thread(std::function<void()> body) { threads_.emplace_back().body = std::move(body); }
  // Runs alone after all threads.
  void finally(std::function<void()> check) { check_ = std::move(check); }
  // What a printed schedule calls the atomic at this address.
  void name(const void* atomic, std::string label) { labels_[atomic] = std::move(label); }

  // ---- for the atomics and the free functions below

  [[nodiscard]] static world* now() { return now_; }

  // Others may run before the next operation of the running thread.
  void point(access how, const std::uint64_t* word) {
    if (interleaved()) {
      auto& t = threads_[running_];
      t.next = how == access::late_store && !options_.store_buffers ? access::store : how;
      t.next_word = word;
      leave();
    }
  }
  [[nodiscard]] std::uint64_t read(const std::uint64_t* word) const {
    return memory_.read(running_, word);
  }
  void write(std::uint64_t* word, std::uint64_t value, bool may_wait) {
    if (may_wait && options_.store_buffers && interleaved()) {
      memory_.write_late(running_, word, value);
    } else {
      memory_.write(running_, word, value);
    }
  }
  void drain() { memory_.drain(running_); }
  void forget(const std::uint64_t* word) { memory_.forget(word); }
  // `how` and `word`: what the thread does once it goes on, and all that the predicate depends on.
  void block(std::function<bool()> until, access how = access::anything,
             const std::uint64_t* word = nullptr) {
    if (interleaved()) {
      threads_[running_].blocked_until = std::move(until);
      threads_[running_].next = how;
      threads_[running_].next_word = word;
      leave();
      threads_[running_].blocked_until = nullptr;
    } else if (!until()) {
      fail("would block where nobody else runs");
    }
  }
  void pause() {
    if (!interleaved()) {
      return;
    }
    auto& t = threads_[running_];
    t.paused = true;
    t.next = access::anything;
    leave();
    t.paused = false;
    const long changes = memory_.changes_by_others(running_);
    t.spins_left = changes != t.changes_seen ? options_.spins : t.spins_left - 1;
    t.changes_seen = changes;
  }
  [[nodiscard]] int choose(int ways) {
    const int way = redundant_ ? 0 : path_.choose(ways);
    if (way < 0) {
      fail("the scenario is not deterministic");
    }
    return way;
  }
  void fail(std::string what) {
    error_ = error_.empty() ? std::move(what) : error_;
    if (running_ < 0) {
      throw broken_setup{};
    }
    leave(); // for good
  }
  [[nodiscard]] int running() const { return running_; }
  [[nodiscard]] bool logging() const { return logging_; }
  void log(const std::string& what, const void* atomic, const std::string& values) {
    auto [label, unknown] = labels_.emplace(atomic, "");
    label->second = unknown ? "atomic" + std::to_string(labels_.size()) : label->second;
    const std::string who = running_ < 0 ? "" : "thread " + std::to_string(running_) + ": ";
    std::printf("  %s%s %s %s\n", who.c_str(), what.c_str(), label->second.c_str(), values.c_str());
  }

  // ---- for the suite

  outcome explore(const options& how, const scenario& setup) {
    prepare(how, {});
    outcome result;
    bool more = true;
    for (long runs = 0; more && runs < how.schedules; ++runs) {
      run(setup);
      result.schedules += !redundant_;
      if (!error_.empty()) {
        result.error = error_;
        result.choices = path_.taken();
        return result;
      }
      more = path_.advance();
    }
    result.exhausted = !more;
    return result;
  }

  // Runs one schedule again and prints what every thread does in it.
  void replay(const options& how, const scenario& setup, std::vector<int> choices) {
    prepare(how, std::move(choices));
    logging_ = true;
    run(setup);
    logging_ = false;
    std::printf("  => %s\n", error_.empty() ? "nothing failed" : error_.c_str());
  }

private:
  struct broken_setup {};
  struct thread_state {
    std::function<void()> body;
    std::function<bool()> blocked_until;
    bool done = false;
    bool paused = false;
    access next = access::anything;
    const std::uint64_t* next_word = nullptr;
    int spins_left = 0;
    long changes_seen = 0; // made by others before the turn of the spin loop that goes on
  };

  [[nodiscard]] bool interleaved() const { return running_ >= 0 && !alone_; }

  // ---- threads

  void start(int i) {
    if (static_cast<int>(coroutines_.size()) == i) {
      coroutines_.push_back(std::make_unique<coroutine>());
    }
    threads_[i].spins_left = options_.spins;
    coroutines_[i]->start([this, &t = threads_[i]] {
      try {
        t.body();
      } catch (const std::exception& e) {
        fail(std::string("exception: ") + e.what());
      }
      t.done = true;
      leave();
    });
    enter(i); // up to its first operation, which is as far as the order cannot matter
  }
  void enter(int i) {
    running_ = i;
    coroutines_[i]->enter();
    running_ = -1;
  }
  void leave() { coroutines_[running_]->leave(); }

  // ---- the search

  void prepare(const options& how, std::vector<int> first) {
    options_ = how;
    options_.reduced = how.reduced && how.preemptions == unbounded;
    path_.reset(std::move(first));
  }

  [[nodiscard]] bool ready(int i) {
    const auto& t = threads_[i];
    if (t.blocked_until) {
      running_ = i; // the predicate sees what the thread sees
      alone_ = true;
      const bool yes = t.blocked_until();
      alone_ = false;
      running_ = -1;
      return yes;
    }
    return !t.done && (!t.paused || t.spins_left > 0 ||
                       memory_.changes_by_others(i) != t.changes_seen);
  }

  // Fills next_ with what may happen now: i lets thread i run, ~i lets the oldest waiting store of
  // thread i reach memory. The latter commutes with the steps of that thread itself, so after it
  // (`flushed`) another thread has to run.
  void collect(int last, int preempted, int flushed) {
    const int count = static_cast<int>(threads_.size());
    const bool able = last >= 0 && ready(last);
    last_could_go_on_ = able && !threads_[last].paused;
    const bool may_switch =
      !last_could_go_on_ || options_.preemptions == unbounded || preempted < options_.preemptions;
    next_.clear();
    if (able && last != flushed) {
      next_.push_back(last);
    }
    for (int i = 0; i < count && may_switch; ++i) {
      if (i != last && i != flushed && ready(i)) {
        next_.push_back(i);
      }
    }
    for (int i = 0; i < count; ++i) {
      if (memory_.waiting(i) && (i != last || may_switch)) {
        next_.push_back(~i);
      }
    }
    if (next_.empty() && flushed >= 0 && ready(flushed)) {
      next_.push_back(flushed);
    }
    for (int i = 0, all_spin = next_.empty(); i < count && all_spin; ++i) {
      if (threads_[i].paused) { // let them; the step limit watches
        next_.push_back(i);
      }
    }
  }

  [[nodiscard]] int pick() {
    if (!options_.reduced) {
      return next_[next_.size() == 1 ? 0 : choose(static_cast<int>(next_.size()))];
    }
    awake_.clear();
    for (const int by : next_) {
      if (!asleep_.has(by)) {
        const auto& t = threads_[std::max(by, ~by)];
        awake_.push_back(step::of(by, t.next, t.next_word, memory_));
      }
    }
    redundant_ = redundant_ || awake_.empty(); // all ways on have been seen: run to some end
    if (redundant_) {
      return next_[0];
    }
    const int taken = awake_.size() == 1 ? 0 : choose(static_cast<int>(awake_.size()));
    asleep_.take(awake_, taken);
    return awake_[taken].by;
  }

  void run_threads() {
    for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
      start(i);
    }
    int last = -1;
    int preempted = 0;
    int flushed = -1;
    for (long step = 0; error_.empty(); ++step) {
      collect(last, preempted, flushed);
      if (next_.empty()) {
        break;
      }
      if (step == options_.steps) {
        fail("livelock");
      }
      const int now = pick();
      if (now < 0) {
        flushed = options_.reduced ? -1 : ~now;
        const std::uint64_t* word = memory_.flush(~now);
        if (logging_) {
          log("(a store of " + std::to_string(~now) + " reaches)", word, "");
        }
        continue;
      }
      preempted += now != last && last_could_go_on_;
      last = now;
      flushed = -1;
      enter(now);
    }
    for (const auto& t : threads_) {
      if (error_.empty() && !t.done) {
        fail("deadlock: thread " + std::to_string(&t - threads_.data()) + " waits for ever");
      }
    }
  }

  void run(const scenario& setup) {
    now_ = this;
    error_.clear();
    path_.rewind();
    asleep_.clear();
    redundant_ = false;
    try {
      setup(*this);
      memory_.reset(threads_.size() + 1); // and the closing check
      run_threads();
      if (check_ && error_.empty()) {
        alone_ = true;
        thread(std::move(check_));
        start(static_cast<int>(threads_.size()) - 1);
      }
    } catch (const broken_setup&) {
    }
    if (!error_.empty()) { // what stands on the stacks is given up, and may still own memory
      std::move(coroutines_.begin(), coroutines_.end(), std::back_inserter(given_up_));
      coroutines_.clear();
    }
    alone_ = false;
    check_ = nullptr;
    memory_.reset(0);
    threads_.clear();
    labels_.clear();
    objects_.clear();
    now_ = nullptr;
  }

  static inline world* now_ = nullptr;
  static inline std::vector<std::unique_ptr<coroutine>> given_up_;

  options options_;
  std::vector<std::shared_ptr<void>> objects_;
  std::vector<thread_state> threads_;
  std::vector<std::unique_ptr<coroutine>> coroutines_;
  std::function<void()> check_;
  memory memory_;
  std::map<const void*, std::string> labels_;

  int running_ = -1;   // the thread whose stack is in use
  bool alone_ = false; // nobody may overtake it: closing check, predicate

  path path_;
  std::vector<int> next_;
  bool last_could_go_on_ = false;
  std::vector<step> awake_;
  sleep_set asleep_;
  bool redundant_ = false;
  bool logging_ = false;
  std::string error_;
};

// An invariant of a scenario. Does not return when broken, and does not throw inside a thread.
inline void require(bool condition, const char* what) {
  if (!condition) {
    world::now()->fail(what);
  }
}

// The thread goes on once the predicate holds: a condition, "until somebody queued me". Where one
// atomic decides, block(atomic, predicate) of mc_atomic.hpp makes for a smaller search.
inline void block(std::function<bool()> until) { world::now()->block(std::move(until)); }

// 0 … ways-1, each of them explored: does this timeout fire, does this allocation fail.
[[nodiscard]] inline int choose(int ways) { return world::now()->choose(ways); }

} // namespace mc

#endif

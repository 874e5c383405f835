// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Random events and timeouts on a clock that the test moves, against an interpreter that was written to
// be read: lists, and a search through them for whatever comes next.

#define BOOST_TEST_MODULE statem_reference
#include <boost/test/unit_test.hpp>

#include "machine_rig.hpp"
#include "recorder.hpp"

#include <boost/describe/enum.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using std::chrono::nanoseconds;

namespace {

BOOST_DEFINE_ENUM_CLASS(place, a, b, c)

enum class then { a, b, c, keep, repeat };
enum class what_to_do {
  tell,
  set_state_timeout,
  set_event_timeout,
  set_named,
  update_state_timeout,
  update_event_timeout,
  update_named,
  cancel_state_timeout,
  cancel_event_timeout,
  cancel_named
};

struct script;
using script_ptr = std::shared_ptr<const script>;

struct action {
  what_to_do what;
  int delay;       // nanoseconds
  int name;        // of a timeout
  script_ptr told; // null for a cancel
};

// An event: in which states it is postponed, and what becomes of the state then; and else what it does and
// where it leads.
struct script {
  int id;
  unsigned postponed_in;
  then postponed_to; // keep: it only waits
  std::vector<action> actions;
  then leads_to;
};
// What is done when a state is entered.
using entering = std::vector<action>;

std::string name_of(int n) { return "timeout " + std::to_string(n); }

// ---- the machine

class scripted : public smarm::gen_statem<scripted, place> {
  using enum place;

public:
  struct play {
    script_ptr what;
  };
  using events = smarm::events<play>;

  scripted(const std::vector<entering>& on_enter, strings& trace)
      : on_enter_(on_enter), trace_(trace) {}

  smarm::one_of<a, b, c, smarm::keep, smarm::repeat, smarm::postpone, smarm::postpone_to<a>,
                smarm::postpone_to<b>, smarm::postpone_to<c>>
  on(smarm::any_state, const play& p) {
    const script& s = *p.what;
    const int here = static_cast<int>(state());
    const bool is_postponed = (s.postponed_in >> here & 1) != 0;
    trace_.push_back((is_postponed ? "postpones " : "plays ") + std::to_string(s.id) + " in " +
                     std::to_string(here) + " at " + std::to_string(machine_clock));
    if (is_postponed) {
      // Nothing else: what it told each time could send it here again for ever.
      switch (s.postponed_to) {
      case then::a: return smarm::postpone_to<a>;
      case then::b: return smarm::postpone_to<b>;
      case then::c: return smarm::postpone_to<c>;
      default: return smarm::postpone;
      }
    }
    act(s.actions);
    switch (s.leads_to) {
    case then::a: return a;
    case then::b: return b;
    case then::c: return c;
    case then::keep: return smarm::keep;
    case then::repeat: break;
    }
    return smarm::repeat;
  }
  void enter(smarm::any_state, place from) {
    trace_.push_back("enters " + std::to_string(static_cast<int>(state())) + " from " +
                     std::to_string(static_cast<int>(from)));
    act(on_enter_[static_cast<std::size_t>(state())]);
  }
  void exit(smarm::in<a, b> from, place next) {
    trace_.push_back("leaves " + std::to_string(static_cast<int>(from.state())) + " for " +
                     std::to_string(static_cast<int>(next)));
  }

private:
  void act(const std::vector<action>& actions) {
    for (const action& one : actions) {
      const nanoseconds delay(one.delay);
      bool was_set = false;
      switch (one.what) {
      case what_to_do::tell: next_event(play{one.told}); break;
      case what_to_do::set_state_timeout: state_timeout(delay, play{one.told}); break;
      case what_to_do::set_event_timeout: event_timeout(delay, play{one.told}); break;
      case what_to_do::set_named: timeout(name_of(one.name), delay, play{one.told}); break;
      case what_to_do::update_state_timeout: update_state_timeout(play{one.told}); break;
      case what_to_do::update_event_timeout: update_event_timeout(play{one.told}); break;
      case what_to_do::update_named: update_timeout(name_of(one.name), play{one.told}); break;
      case what_to_do::cancel_state_timeout: was_set = cancel_state_timeout(); break;
      case what_to_do::cancel_event_timeout: was_set = cancel_event_timeout(); break;
      case what_to_do::cancel_named: was_set = cancel_timeout(name_of(one.name)); break;
      }
      if (was_set) {
        trace_.push_back("cancels");
      }
    }
  }

  const std::vector<entering>& on_enter_;
  strings& trace_;
};

// ---- the interpreter

class plain {
public:
  plain(const std::vector<entering>& on_enter, strings& trace)
      : on_enter_(on_enter), trace_(trace) {
    enter(0, 0);
    queue_.insert(queue_.begin(), told_.begin(), told_.end());
    told_.clear();
  }

  void send(script_ptr s) { inbox_.push_back(std::move(s)); }

  void run_until(std::int64_t time) {
    for (;;) {
      while (step()) {
      }
      std::optional<std::int64_t> next;
      for (const pending& t : timeouts_) {
        if (!next || t.due < *next) {
          next = t.due;
        }
      }
      if (!next || *next > time) {
        break;
      }
      now_ = std::max(now_, *next);
    }
    now_ = std::max(now_, time);
  }

private:
  static constexpr int of_state = -1;
  static constexpr int of_silence = -2;

  struct pending {
    int whose; // of_state, of_silence, or a name
    bool at_once;
    std::int64_t due;
    script_ptr what;
    std::uint64_t turn;
    bool new_state = false;    // survives the change that is under way
    std::uint64_t updated = 0; // the turn of its first update by the event that is handled
  };

  bool step() {
    if (!queue_.empty()) {
      const script_ptr s = queue_.front();
      queue_.erase(queue_.begin());
      handle(s);
      return true;
    }
    // In the order of setting.
    for (std::size_t i = 0; i < timeouts_.size(); ++i) {
      if (timeouts_[i].at_once) {
        fire(i);
        return true;
      }
    }
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < timeouts_.size(); ++i) {
      const pending& t = timeouts_[i];
      if (t.whose != of_silence && t.due <= now_ && (!first || t.due < timeouts_[*first].due)) {
        first = i;
      }
    }
    if (first) {
      fire(*first);
      return true;
    }
    if (!inbox_.empty()) {
      const script_ptr s = inbox_.front();
      inbox_.erase(inbox_.begin());
      handle(s);
      return true;
    }
    for (std::size_t i = 0; i < timeouts_.size(); ++i) {
      if (timeouts_[i].whose == of_silence && timeouts_[i].due <= now_) {
        fire(i);
        return true;
      }
    }
    return false;
  }

  void fire(std::size_t i) {
    const script_ptr s = timeouts_[i].what;
    timeouts_.erase(timeouts_.begin() + static_cast<std::ptrdiff_t>(i));
    handle(s);
  }

  void handle(const script_ptr& event) {
    const script& s = *event;
    (void)cancel(of_silence);
    for (pending& t : timeouts_) {
      t.new_state = false;
      t.updated = 0;
    }
    const bool is_postponed = (s.postponed_in & (1u << state_)) != 0;
    trace_.push_back((is_postponed ? "postpones " : "plays ") + std::to_string(s.id) + " in " +
                     std::to_string(state_) + " at " + std::to_string(now_));
    if (is_postponed) {
      postponed_.push_back(event);
    }
    const then leads_to = is_postponed ? s.postponed_to : s.leads_to;
    if (!is_postponed) {
      act(s.actions);
    }
    if (leads_to == then::repeat) {
      exit(state_, state_);
      enter(state_, state_);
    } else if (leads_to != then::keep && static_cast<int>(leads_to) != state_) {
      const int from = state_;
      exit(from, static_cast<int>(leads_to));
      state_ = static_cast<int>(leads_to);
      end_state_timeout();
      queue_.insert(queue_.begin(), postponed_.begin(), postponed_.end());
      postponed_.clear();
      enter(state_, from);
    }
    queue_.insert(queue_.begin(), told_.begin(), told_.end());
    told_.clear();
  }

  void exit(int from, int next) {
    if (from != 2) {
      trace_.push_back("leaves " + std::to_string(from) + " for " + std::to_string(next));
    }
  }
  void enter(int what, int from) {
    trace_.push_back("enters " + std::to_string(what) + " from " + std::to_string(from));
    act(on_enter_[static_cast<std::size_t>(what)]);
  }

  // Then the updates are done, which find none.
  void end_state_timeout() {
    std::erase_if(timeouts_, [](const pending& t) {
      return t.whose == of_state && !t.new_state && t.updated == 0;
    });
    for (pending& t : timeouts_) {
      if (t.whose == of_state && !t.new_state) {
        t.at_once = true;
        t.due = now_;
        t.turn = t.updated;
      }
    }
    std::sort(timeouts_.begin(), timeouts_.end(),
              [](const pending& x, const pending& y) { return x.turn < y.turn; });
  }

  bool cancel(int whose) {
    return std::erase_if(timeouts_, [&](const pending& t) { return t.whose == whose; }) != 0;
  }
  void set(int whose, int delay, const script_ptr& what) {
    (void)cancel(whose);
    timeouts_.push_back(
        {whose, delay <= 0, delay <= 0 ? now_ : now_ + delay, what, ++last_turn_, true});
  }
  void update(int whose, const script_ptr& what) {
    for (pending& t : timeouts_) {
      if (t.whose == whose) {
        t.what = what;
        t.updated = t.updated != 0 ? t.updated : ++last_turn_;
        return;
      }
    }
    set(whose, 0, what);
  }

  void act(const std::vector<action>& actions) {
    for (const action& one : actions) {
      bool was_set = false;
      switch (one.what) {
      case what_to_do::tell: told_.push_back(one.told); break;
      case what_to_do::set_state_timeout: set(of_state, one.delay, one.told); break;
      case what_to_do::set_event_timeout: set(of_silence, one.delay, one.told); break;
      case what_to_do::set_named: set(one.name, one.delay, one.told); break;
      case what_to_do::update_state_timeout: update(of_state, one.told); break;
      case what_to_do::update_event_timeout: update(of_silence, one.told); break;
      case what_to_do::update_named: update(one.name, one.told); break;
      case what_to_do::cancel_state_timeout: was_set = cancel(of_state); break;
      case what_to_do::cancel_event_timeout: was_set = cancel(of_silence); break;
      case what_to_do::cancel_named: was_set = cancel(one.name); break;
      }
      if (was_set) {
        trace_.push_back("cancels");
      }
    }
  }

  const std::vector<entering>& on_enter_;
  strings& trace_;
  int state_ = 0;
  std::int64_t now_ = 0;
  std::vector<script_ptr> told_;
  std::vector<script_ptr> queue_;
  std::vector<script_ptr> postponed_;
  std::vector<script_ptr> inbox_;
  std::vector<pending> timeouts_; // in the order of setting
  std::uint64_t last_turn_ = 0;
};

// ---- what they play

class author {
public:
  explicit author(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  script_ptr write(int depth) {
    auto s = std::make_shared<script>();
    s->id = ++last_id_;
    // In no state that leads nowhere else: what is postponed everywhere is played never.
    s->postponed_in = below(3) == 0 ? static_cast<unsigned>(1 + below(6)) : 0;
    s->postponed_to = then::keep;
    if (s->postponed_in != 0 && below(2) == 0) {
      // To where it is not postponed, or it might go to and fro for ever.
      do {
        s->postponed_to = static_cast<then>(below(3));
      } while ((s->postponed_in >> static_cast<unsigned>(s->postponed_to) & 1u) != 0);
    }
    s->actions = actions(depth);
    s->leads_to = static_cast<then>(below(5));
    return s;
  }
  std::vector<action> actions(int depth) {
    std::vector<action> all;
    // Nothing goes on for ever: what an event brings about is a smaller one.
    for (int n = depth > 0 ? below(4) : 0; n > 0; --n) {
      const auto what = static_cast<what_to_do>(below(10));
      const bool cancels = what >= what_to_do::cancel_state_timeout;
      all.push_back(
          {what, below(3) == 0 ? 0 : below(40), below(3), cancels ? nullptr : write(depth - 1)});
    }
    return all;
  }
  // Events of an enter call must not change the state, or entering would never end.
  entering when_entered() {
    entering all = actions(1);
    for (action& one : all) {
      if (one.told != nullptr) {
        auto calm = std::make_shared<script>(*one.told);
        calm->leads_to = then::keep;
        calm->postponed_to = then::keep;
        one.told = calm;
      }
    }
    return all;
  }

private:
  std::mt19937 random_;
  int last_id_ = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_machine_does_what_the_plain_interpreter_does) {
  std::size_t played = 0;
  std::size_t postponed = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    author writes(seed);
    const std::vector<entering> on_enter{writes.when_entered(), writes.when_entered(),
                                         writes.when_entered()};
    strings seen;
    strings expected;
    machine_clock = 0;
    {
      machine_rig<scripted> rig(on_enter, seen);
      plain reference(on_enter, expected);
      for (int round = 0; round < 12; ++round) {
        for (int n = writes.below(4); n > 0; --n) {
          const script_ptr s = writes.write(3);
          rig.send(scripted::play{s});
          reference.send(s);
        }
        const std::int64_t until = machine_clock + writes.below(30);
        rig.run_until(until);
        reference.run_until(until);
        if (seen != expected) {
          break;
        }
      }
    }
    if (seen != expected) {
      BOOST_TEST_MESSAGE("seed " << seed);
      BOOST_TEST(seen == expected, boost::test_tools::per_element());
      return;
    }
    played += static_cast<std::size_t>(std::count_if(
        seen.begin(), seen.end(), [](const auto& s) { return s.starts_with("plays"); }));
    postponed += static_cast<std::size_t>(std::count_if(
        seen.begin(), seen.end(), [](const auto& s) { return s.starts_with("postpones"); }));
  }
  BOOST_TEST(played > 10000u); // it was no idle comparison
  BOOST_TEST(postponed > 10000u);
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/prometheus.hpp>

#include <smarm/detail/utf8_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace smarm {
namespace {

class exposition {
public:
  // Before the samples of a family.
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    add({"# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n"});
  }
  template <class Number>
  void sample(Number value) {
    add({name_, " "});
    number(value);
    text_ += '\n';
  }
  template <class Number>
  void sample(std::string_view label, std::string_view of, Number value) {
    add({name_, "{", label, "=\""});
    escaped(of);
    text_ += "\"} ";
    number(value);
    text_ += '\n';
  }
  // A family of one sample.
  template <class Number>
  void single(std::string_view name, std::string_view type, std::string_view help, Number value) {
    family(name, type, help);
    sample(value);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

private:
  void add(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      text_ += part;
    }
  }
  // A label's value.
  void escaped(std::string_view value) {
    for (const char c : detail::utf8_text(value)) {
      switch (c) {
      case '\\': text_ += "\\\\"; break;
      case '"': text_ += "\\\""; break;
      case '\n': text_ += "\\n"; break;
      default: text_ += c;
      }
    }
  }
  template <class Number>
  void number(Number value) {
    std::array<char, 32> room;
    const auto end = std::to_chars(room.data(), room.data() + room.size(), value).ptr;
    text_.append(room.data(), end);
  }

  std::string text_;
  std::string_view name_;
};

constexpr std::string_view gauge = "gauge", counter = "counter";

void write_runtime(exposition& out, const runtime_stats& s) {
  out.single("smarm_schedulers", gauge, "Scheduler threads.", s.schedulers);
  out.single("smarm_actors_spawned_total", counter, "Actors started in this run.", s.spawned);
  out.single("smarm_actors_ended_total", counter, "Actors ended in this run.", s.ended);
  out.single("smarm_switches_total", counter, "Times an actor was given a processor.", s.switches);
  out.single("smarm_overruns_total", counter, "Times a checkpoint found the slice used up.",
             s.overruns);
  out.single("smarm_ready_actors", gauge, "Actors in ready queues.", s.ready);
  out.single("smarm_armed_timers", gauge, "Timers that are armed.", s.armed_timers);
  out.single("smarm_report_sink_failures_total", counter, "Exceptions thrown by the report sink.",
             s.sink_failures);
  out.single("smarm_stacks_in_use", gauge, "Stacks that were handed out.", s.stacks_in_use);
  out.single("smarm_stacks_kept", gauge, "Warm stacks without an actor.",
             s.stacks_kept + s.stacks_spare);
  out.single("smarm_io_polls_total", counter, "Looks of busy schedulers at the event loop.",
             s.io.polls);
  out.single("smarm_io_sleeps_total", counter, "Times a scheduler waited in the event loop.",
             s.io.sleeps);
  out.single("smarm_io_handlers_total", counter, "Handlers that the event loop ran.",
             s.io.handlers);
  out.single("smarm_io_interrupts_total", counter,
             "Times a sleeper in the event loop was woken for other work.", s.io.interrupts);
  out.single("smarm_io_descriptors_waited_for", gauge, "Waits of actors for raw descriptors.",
             s.io.descriptors_waited_for);
}

void write_blocking(exposition& out, const blocking_stats& s) {
  out.single("smarm_blocking_threads", gauge, "Threads for blocking calls.", s.threads);
  out.single("smarm_blocking_threads_idle", gauge, "Of these, with nothing to do.", s.idle);
  out.single("smarm_blocking_queued", gauge, "Blocking calls that wait for a thread.", s.queued);
  out.single("smarm_blocking_running", gauge, "Blocking calls that are carried out.", s.running);
  out.single("smarm_blocking_completed_total", counter, "Blocking calls that were carried out.",
             s.completed);
  out.single("smarm_blocking_withdrawn_total", counter,
             "Blocking calls that a stop or a deadline ended before they began.", s.withdrawn);
  out.single("smarm_blocking_rejected_total", counter,
             "Blocking calls for which there was no place in the queue, or no thread.",
             s.rejected);
}

void write_schedulers(exposition& out, const std::vector<scheduler_info>& all) {
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                        auto value) {
    out.family(name, type, help);
    for (const scheduler_info& s : all) {
      out.sample("scheduler", std::to_string(s.id), value(s));
    }
  };
  each("smarm_scheduler_switches_total", counter, "Times this scheduler gave an actor the processor.",
       [](const scheduler_info& s) { return s.switches; });
  each("smarm_scheduler_overruns_total", counter,
       "Times a checkpoint on this scheduler found the slice used up.",
       [](const scheduler_info& s) { return s.overruns; });
  each("smarm_scheduler_spawned_total", counter, "Actors that were started on this scheduler.",
       [](const scheduler_info& s) { return s.spawned; });
  each("smarm_scheduler_ended_total", counter, "Actors that ended on this scheduler.",
       [](const scheduler_info& s) { return s.ended; });
  each("smarm_scheduler_sleeps_total", counter, "Times this scheduler went to sleep.",
       [](const scheduler_info& s) { return s.sleeps; });
  each("smarm_scheduler_spurious_wakes_total", counter, "Times it was woken to find nothing to do.",
       [](const scheduler_info& s) { return s.spurious; });
  each("smarm_scheduler_wakes_total", counter, "Siblings that this scheduler woke.",
       [](const scheduler_info& s) { return s.wakes; });
  each("smarm_scheduler_searches_total", counter,
       "Times this scheduler looked around for work before it slept.",
       [](const scheduler_info& s) { return s.searches; });
  each("smarm_scheduler_search_hits_total", counter, "Times it found some.",
       [](const scheduler_info& s) { return s.search_hits; });
  each("smarm_scheduler_armed_timers", gauge, "Timers on the wheel of this scheduler.",
       [](const scheduler_info& s) { return s.armed_timers; });
  each("smarm_scheduler_idle_cycles_total", counter,
       "Cycles of the time-stamp counter without anything to do.",
       [](const scheduler_info& s) { return s.idle_cycles; });
  each("smarm_scheduler_ready_actors", gauge, "Actors in the queue of this scheduler.",
       [](const scheduler_info& s) { return s.ready; });
  each("smarm_scheduler_running", gauge, "Whether this scheduler runs an actor.",
       [](const scheduler_info& s) { return s.running.is_valid() ? 1 : 0; });
}

void write_sums(exposition& out, const runtime_snapshot& all) {
  constexpr std::array states{actor_state::queued, actor_state::running, actor_state::notified,
                              actor_state::parked, actor_state::idle,    actor_state::ended};
  std::array<std::uint64_t, states.size()> counts{};
  std::uint64_t queued = 0, longest = 0, restarts = 0, cycles = 0;
  for (const actor_info& a : all.actors) {
    ++counts[static_cast<std::size_t>(a.state)];
    queued += a.inbox_depth;
    longest = std::max<std::uint64_t>(longest, a.inbox_depth);
    restarts += a.restarts;
    cycles += a.budget_cycles;
  }
  out.family("smarm_actors", gauge, "Actors by what they do.");
  for (std::size_t i = 0; i < states.size(); ++i) {
    out.sample("state", to_string(states[i]), counts[i]);
  }
  out.single("smarm_inbox_messages", gauge, "Messages in published inboxes and those of servers.",
             queued);
  out.single("smarm_inbox_messages_max", gauge, "The most of them that one actor has.", longest);
  out.single("smarm_child_restarts", gauge, "Restarts of all children that run, summed.", restarts);
  if (all.budget_accounting) {
    out.single("smarm_budget_cycles", gauge,
               "Cycles of the time-stamp counter that the actors which are there have run, summed.",
               cycles);
  }
}

void write_named(exposition& out, const runtime_snapshot& all, std::size_t most) {
  std::vector<std::pair<std::string_view, const actor_info*>> named;
  for (const actor_info& a : all.actors) {
    for (const std::string& name : a.names) {
      named.emplace_back(name, &a);
    }
  }
  std::sort(named.begin(), named.end());
  // An actor may have passed its name on while the snapshot was taken: one series for each.
  named.erase(std::unique(named.begin(), named.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; }),
              named.end());
  named.resize(std::min(named.size(), most));
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                        auto value) {
    out.family(name, type, help);
    for (const auto& [as, actor] : named) {
      out.sample("name", as, value(*actor));
    }
  };
  each("smarm_actor_inbox_messages", gauge, "Messages in the inboxes of an actor with a name.",
       [](const actor_info& a) { return a.inbox_depth; });
  each("smarm_actor_messages_received_total", counter, "Messages that it took.",
       [](const actor_info& a) { return a.messages_received; });
  each("smarm_actor_overruns_total", counter, "Times it used up its slice.",
       [](const actor_info& a) { return a.overruns; });
  if (all.budget_accounting) {
    each("smarm_actor_budget_cycles_total", counter,
         "Cycles of the time-stamp counter that it has run.",
         [](const actor_info& a) { return a.budget_cycles; });
  }
  each("smarm_actor_restarts", gauge, "How often its supervisor has started it anew.",
       [](const actor_info& a) { return a.restarts; });
}

} // namespace

std::string prometheus_text(const runtime_stats& stats,
                            const std::vector<scheduler_info>& schedulers,
                            const runtime_snapshot& actors, const prometheus_options& options) {
  exposition out;
  write_runtime(out, stats);
  write_blocking(out, stats.blocking);
  write_schedulers(out, schedulers);
  write_sums(out, actors);
  write_named(out, actors, options.most_actors);
  return out.take();
}

} // namespace smarm

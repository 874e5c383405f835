// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What only some servers have: timers, watches, info channels, pending replies, an idle window, work
// that goes on before anything else. Made at the first use, the server's own, and touched by nobody
// else; so nothing in here is atomic, and it all ends with the server.

#ifndef SMARM_DETAIL_SERVER_EXTRAS_HPP
#define SMARM_DETAIL_SERVER_EXTRAS_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/select_arm.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/tick_schedule.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/down.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/monitor.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace smarm::detail {

// Calls a handler of the server's object.
struct server_task {
  server_task() = default;
  server_task(const server_task&) = delete;
  server_task& operator=(const server_task&) = delete;
  virtual ~server_task() = default;
  virtual void run(server_core& core) = 0;
};

// Something to receive from besides the inbox.
struct server_arm {
  server_arm() = default;
  server_arm(const server_arm&) = delete;
  server_arm& operator=(const server_arm&) = delete;
  virtual ~server_arm() = default;
  [[nodiscard]] virtual select_arm arm() noexcept = 0;
  // Takes from it, or finds that it is too late, and calls the handler. Sets `over`, before the call, if
  // there will be nothing more.
  virtual void dispatch(server_core& core) = 0;
  [[nodiscard]] bool due() noexcept {
    return arm().ready() || (deadline != no_deadline && monotonic_now() >= deadline);
  }

  std::int64_t deadline = no_deadline; // when it is waited for no longer; of the monotonic clock
  bool over = false;
};

struct server_timer_entry {
  std::uint64_t id;
  std::optional<tick_schedule> ticks; // none: once
  std::unique_ptr<server_task> task;
};

class server_extras {
public:
  server_extras() { waiting_.reserve(2); } // for the downs and the inbox

  // ---- what handlers ask for; all throw std::bad_alloc

  void watch(pid target);
  bool unwatch(pid target) noexcept;
  std::uint64_t arm(std::int64_t delay, std::unique_ptr<server_task> task);
  std::uint64_t tick(const tick_schedule& ticks, std::unique_ptr<server_task> task);
  bool cancel(std::uint64_t id) noexcept;
  void idle_after(std::int64_t window) noexcept;
  void add_info(std::unique_ptr<server_arm> arm) { add_arm(infos_, std::move(arm)); }
  void add_reply(std::unique_ptr<server_arm> arm) { add_arm(replies_, std::move(arm)); }
  void continue_with(std::unique_ptr<server_task> task) { next_.push_back(std::move(task)); }

  std::optional<exit_reason> ending; // asked for by a handler

  // ---- the server's loop

  // What is to be handled before the inbox is looked at, one thing at a time. False: nothing is.
  // Before the system requests: continuations, downs.
  bool dispatch_first(server_core& core, void (*on_down)(server_core& core, down what));
  // After them: timers, replies, infos.
  bool dispatch_then(server_core& core);
  // A message was handled: the idle window begins again.
  void touched() noexcept;
  // The idle window is over; begins the next.
  [[nodiscard]] bool idle_due() noexcept;
  // Registers with everything and arms the clock, at the latest for that deadline. False: something is
  // there, or the inbox was closed.
  [[nodiscard]] bool enroll(slot& me, server_core& server, std::int64_t latest) noexcept;
  // Takes back what enroll did, whatever ended the wait.
  void withdraw() noexcept;

private:
  void add_arm(std::vector<std::unique_ptr<server_arm>>& to, std::unique_ptr<server_arm> arm);
  [[nodiscard]] bool dispatch_one_of(std::vector<std::unique_ptr<server_arm>>& arms,
                                     server_core& core);
  bool fire_due(server_core& core);
  [[nodiscard]] std::int64_t earliest() const noexcept;

  std::deque<std::unique_ptr<server_task>> next_;
  std::optional<std::pair<sender<down>, receiver<down>>> downs_;
  std::map<pid, monitor_ref> watched_;
  std::multimap<std::int64_t, server_timer_entry> timers_; // by deadline; ties in order of arming
  std::uint64_t last_timer_ = 0;
  std::uint64_t firing_ = 0; // the periodic timer whose handler runs; 0: none
  std::vector<std::unique_ptr<server_arm>> replies_;
  std::vector<std::unique_ptr<server_arm>> infos_;
  std::int64_t idle_window_ = 0; // 0: none
  std::int64_t idle_at_ = 0;
  // With what it is registered. There is room for all arms, so that going idle needs no memory.
  std::vector<select_arm> waiting_;
  bool enrolled_ = false;
  timer alarm_;
};

// The base of a server's class has them, if any.
class extras_holder {
  friend struct extras_access;
  std::unique_ptr<server_extras> extras_;
};

struct extras_access {
  [[nodiscard]] static server_extras* find(const extras_holder& h) noexcept {
    return h.extras_.get();
  }
  [[nodiscard]] static server_extras& get(extras_holder& h) {
    if (h.extras_ == nullptr) {
      h.extras_ = std::make_unique<server_extras>();
    }
    return *h.extras_;
  }
  static void drop(extras_holder& h) noexcept { h.extras_.reset(); }
};

} // namespace smarm::detail

#endif

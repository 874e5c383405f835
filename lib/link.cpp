// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Links. Which steps are taken, and in which order, so that each signal comes exactly once or not at
// all; X and Y are two actors, and X/y is the half that X keeps of the link with Y.
//
//   link by Y     puts Y/x there, then attends X and puts X/y there. If X is dead it takes Y/x away
//                 again and, if that was still there, gives itself the signal.
//   unlink by Y   takes Y/x away, then X/y. If Y/x was not there, waits for signals under way to Y.
//   the end of X  takes all of X's halves; for each, takes Y/x away and, if that was there, signals Y.
//
// A link against a death: either attending comes first, then X's end finds X/y, and Y/x, which was put
// there before; or it comes too late, and Y sees that. Whoever of the two takes Y/x away gives the
// signal, so there is one. An unlink against a death: whoever takes Y/x away first has won. If it is the
// death, the signal is given before the unlink returns: that one waits for it, which takes a few
// instructions of a scheduler that waits for nobody. Two deaths at once: each
// has its own record taken out first, so at most one of them finds the other's half, whose signal then
// goes to a dead actor, which is nothing. A link against an unlink or a second link may leave one half
// alone: that is no link, the next one completes it, and it goes with its actor.

#include <smarm/link.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/exit_delivery.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/spin.hpp>
#include <smarm/this_actor.hpp>

#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace smarm {
namespace detail {
namespace {

void insert_half(relations& record, std::unique_ptr<link_half>& half) noexcept {
  if (record.links.insert(*half).second) {
    (void)half.release();
  }
}

// Takes it away, if it is there. Called under the lock; the half is destroyed by the caller, later.
std::unique_ptr<link_half> take_half(relations& record, pid peer) noexcept {
  const auto found = record.links.find(peer);
  if (found == record.links.end()) {
    return nullptr;
  }
  link_half& half = *found;
  record.links.erase(found);
  return std::unique_ptr<link_half>(&half);
}

} // namespace

std::unique_ptr<link_half> link_half::make(pid other) {
  node* message = node::create_with(exit_signal());
  if (message == nullptr) {
    throw std::bad_alloc();
  }
  try {
    return std::make_unique<link_half>(other, *message);
  } catch (...) {
    node::destroy(message);
    throw;
  }
}

void signal_exit(runtime_state& runtime, pid to, pid from, const exit_reason& reason) noexcept {
  slot* s = runtime.slots.find(to.index());
  if (s == nullptr) {
    return;
  }
  std::unique_ptr<link_half> half;
  sender<exit_signal> trap;
  (void)visit_relations(*s, to.generation(), [&](relations& record) noexcept {
    half = take_half(record, from);
    if (half != nullptr && reason.kind() != exit_kind::normal) {
      trap = record.trap;
      ++record.signals_under_way;
    }
  });
  if (half == nullptr || reason.kind() == exit_kind::normal) {
    return;
  }
  // Who does not trap, or does not any more, is stopped.
  half->message->value = exit_signal{from, reason};
  const bool told =
      !trap.closed() && channel_access::core(trap)->deliver(*std::exchange(half->message, nullptr));
  if (!told && !reason.is_clean()) {
    (void)runtime.request(to, stop_flag::stop);
  }
  (void)visit_relations(*s, to.generation(),
                        [](relations& record) noexcept { --record.signals_under_way; });
}

bool tell_shutdown_to_trap(runtime_state&, slot& s, pid actor, pid from,
                           shutdown_asked how) noexcept {
  sender<exit_signal> trap;
  bool told = false;
  (void)visit_relations(s, actor.generation(), [&](relations& record) noexcept {
    trap = record.trap;
    told = how == shutdown_asked::by_sweep && std::exchange(record.swept, true);
  });
  if (told && !trap.closed()) {
    return true;
  }
  if (s.word.status(actor.generation()) != slot_status::live) {
    return false;
  }
  try {
    return trap.send(exit_signal{from, exit_kind::shutdown}).has_value();
  } catch (...) { // no memory: it is told by a request, then
    return false;
  }
}

new_link::new_link()
    : mine_(link_half::make(pid::none())), theirs_(link_half::make(this_actor::self())) {
  slot& me = *this_actor::impl::here("smarm::spawn_link").current;
  (void)attend(me, theirs_->peer.generation(), [](relations&) noexcept {});
}

void new_link::operator()(slot&, pid child, relations& of_child) noexcept {
  slot& me = *current_scheduler()->current;
  const pid self = theirs_->peer;
  insert_half(of_child, theirs_);
  mine_->peer = child;
  (void)visit_relations(me, self.generation(),
                        [&](relations& mine) noexcept { insert_half(mine, mine_); });
}

} // namespace detail

void link(pid other) {
  detail::slot& me = *this_actor::impl::here("smarm::link").current;
  detail::runtime_state& runtime = *me.runtime;
  const pid self = me.id();
  if (other == self) {
    return;
  }
  auto mine = detail::link_half::make(other);
  auto theirs = detail::link_half::make(self);
  (void)detail::attend(me, self.generation(), [&](detail::relations& record) noexcept {
    detail::insert_half(record, mine);
  });
  detail::slot* s = runtime.slots.find(other.index());
  bool alive = false;
  try {
    alive = s != nullptr &&
            detail::attend(*s, other.generation(), [&](detail::relations& record) noexcept {
              detail::insert_half(record, theirs);
            });
  } catch (...) {
    unlink(other);
    throw;
  }
  if (!alive) {
    detail::signal_exit(runtime, self, other, exit_kind::no_process);
  }
}

void unlink(pid other) {
  detail::slot& me = *this_actor::impl::here("smarm::unlink").current;
  const pid self = me.id();
  std::unique_ptr<detail::link_half> mine;
  std::unique_ptr<detail::link_half> theirs;
  detail::spin_until<detail::std_atomics>([&]() noexcept {
    bool under_way = false;
    (void)detail::visit_relations(me, self.generation(), [&](detail::relations& record) noexcept {
      mine = detail::take_half(record, other);
      under_way = mine == nullptr && record.signals_under_way != 0;
    });
    return !under_way;
  });
  if (detail::slot* s = me.runtime->slots.find(other.index())) {
    (void)detail::visit_relations(*s, other.generation(), [&](detail::relations& record) noexcept {
      theirs = detail::take_half(record, self);
    });
  }
}

receiver<exit_signal> trap_exit() {
  detail::slot& me = *this_actor::impl::here("smarm::trap_exit").current;
  auto [trap, exits] = channel<exit_signal>();
  (void)detail::attend(me, me.id().generation(),
                       [&, &trap = trap](detail::relations& record) noexcept {
                         std::swap(record.trap, trap);
                         record.swept = false;
                       });
  return std::move(exits); // the one before is closed here, outside of the lock
}

} // namespace smarm

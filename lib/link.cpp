// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/link.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/exit_delivery.hpp>
#include <smarm/detail/link_steps.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/spin.hpp>
#include <smarm/this_actor.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace smarm {
namespace detail {
namespace {

void insert_half(relations& known, std::unique_ptr<link_half>& half) noexcept {
  if (known.links.insert(*half).second) {
    (void)half.release();
  }
}

// Called under the lock; the half is destroyed by the caller, later.
std::unique_ptr<link_half> take_half(relations& known, pid peer) noexcept {
  const auto found = known.links.find(peer);
  if (found == known.links.end()) {
    return nullptr;
  }
  link_half& half = *found;
  known.links.erase(found);
  return std::unique_ptr<link_half>(&half);
}

// The halves of actors of one runtime, for one call of one of link_steps' functions.
struct link_place {
  runtime_state& runtime;
  exit_reason reason;                  // of the signal, if there is one
  std::unique_ptr<link_half> mine{};   // to be put there: the caller's
  std::unique_ptr<link_half> theirs{}; // and the other one's
  std::unique_ptr<link_half> taken{};
  sender<exit_signal> trap{}; // of whom `taken` was

  template <class What>
  bool visit(pid at, What&& what) noexcept {
    slot* s = runtime.slots.find(at.index());
    return s != nullptr && visit_relations(*s, at.generation(), std::forward<What>(what));
  }

  bool put(pid at, pid peer) {
    slot* s = runtime.slots.find(at.index());
    std::unique_ptr<link_half>& half = mine != nullptr && mine->peer == peer ? mine : theirs;
    return s != nullptr && attend(*s, at.generation(),
                                  [&](relations& known) noexcept { insert_half(known, half); });
  }

  bool take(pid at, pid peer, bool& pending) noexcept {
    std::unique_ptr<link_half> half;
    pending = false;
    (void)visit(at, [&](relations& known) noexcept {
      half = take_half(known, peer);
      pending = known.signals_under_way != 0;
    });
    return half != nullptr;
  }

  void await_signals(pid at) noexcept {
    spin_until<std_atomics>([&]() noexcept {
      bool pending = false;
      (void)visit(at, [&](relations& known) noexcept { pending = known.signals_under_way != 0; });
      return !pending;
    });
  }

  bool take_to_signal(pid at, pid peer) noexcept {
    (void)visit(at, [&](relations& known) noexcept {
      taken = take_half(known, peer);
      if (taken != nullptr && reason.kind() != exit_kind::normal) {
        trap = known.trap;
        ++known.signals_under_way;
      }
    });
    return taken != nullptr && reason.kind() != exit_kind::normal; // of which nobody is told
  }

  void signal(pid at, pid peer) noexcept {
    taken->message->value = exit_signal{peer, reason};
    const bool told = !trap.closed() &&
                      channel_access::core(trap)->deliver(*std::exchange(taken->message, nullptr));
    if (!told && !reason.is_clean()) { // who does not trap, or does not any more, is stopped
      (void)runtime.request(at, stop_flag::stop);
    }
    (void)visit(at, [](relations& known) noexcept { --known.signals_under_way; });
  }
};

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
  link_place place{runtime, reason};
  link_steps<link_place>::signal(place, to, from);
}

bool tell_shutdown_to_trap(slot& s, pid actor, pid from, shutdown_asked how) noexcept {
  sender<exit_signal> trap;
  bool told = false;
  (void)visit_relations(s, actor.generation(), [&](relations& known) noexcept {
    trap = known.trap;
    told = how == shutdown_asked::by_sweep && std::exchange(known.swept, true);
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
    : self_(this_actor::impl::caller("smarm::spawn_link")), mine_(link_half::make(pid::none())),
      theirs_(link_half::make(self_.id())) {
  (void)attend(self_, theirs_->peer.generation(), [](relations&) noexcept {});
}

void new_link::operator()(slot&, pid child, relations& of_child) noexcept {
  const std::uint32_t generation = theirs_->peer.generation();
  insert_half(of_child, theirs_);
  mine_->peer = child;
  (void)visit_relations(self_, generation,
                        [&](relations& known) noexcept { insert_half(known, mine_); });
}

} // namespace detail

void link(pid other) {
  detail::slot& me = this_actor::impl::caller("smarm::link");
  const pid self = me.id();
  if (other == self) {
    return;
  }
  detail::link_place place{*me.runtime, exit_kind::no_process, detail::link_half::make(other),
                           detail::link_half::make(self)};
  try {
    detail::link_steps<detail::link_place>::link(place, self, other);
  } catch (...) { // no memory for the other one's relations
    unlink(other);
    throw;
  }
}

void unlink(pid other) {
  detail::slot& me = this_actor::impl::caller("smarm::unlink");
  detail::link_place place{*me.runtime, exit_reason()};
  detail::link_steps<detail::link_place>::unlink(place, me.id(), other);
}

receiver<exit_signal> trap_exit() {
  detail::slot& me = this_actor::impl::caller("smarm::trap_exit");
  std::pair<sender<exit_signal>, receiver<exit_signal>> ends = channel<exit_signal>();
  (void)detail::attend(me, me.id().generation(), [&](detail::relations& known) noexcept {
    std::swap(known.trap, ends.first);
    known.swept = false;
  });
  return std::move(ends.second); // the one before is closed here, outside of the lock
}

} // namespace smarm

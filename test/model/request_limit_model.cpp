// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server's limited inbox: what is pushed is taken once, in order; a sender that waits for room is let
// in, turned away, or gives up, and its message goes with it; nobody sleeps past what it waits for.

#include "receiver.hpp"

#include <smarm/detail/request_limit.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace {

using namespace smarm::detail;

struct guarded {
  void lock() { inner.acquire(); }
  void unlock() { inner.release(); }
  mc::lock inner;
};

// Holds nobody off.
struct no_lock {
  void lock() { mc::world::now()->point(mc::access::anything, nullptr); }
  void unlock() { mc::world::now()->point(mc::access::anything, nullptr); }
};

struct node {
  node* next = nullptr;
  int value = 0;
  [[nodiscard]] node* following() const noexcept { return next; }
  void set_following(node* n) noexcept { next = n; }
};

template <class Lock>
struct limit_with : basic_request_limit<node, mc::ticket, Lock> {
  using base = basic_request_limit<node, mc::ticket, Lock>;
  using base::base;

  // Those that are listed stand in the order in which they began to wait, as far as that is known.
  [[nodiscard]] bool in_order(const std::array<std::uint64_t, 3>& began) noexcept {
    const std::lock_guard held(this->lock_);
    std::uint64_t last = 0;
    for (const auto* e = this->blocked_first_; e != nullptr; e = e->after) {
      const std::uint64_t mine = began[static_cast<std::size_t>(e->node->value)];
      if (mine != 0 && mine < last) {
        return false;
      }
      last = mine != 0 ? mine : last;
    }
    return true;
  }
};
using right = limit_with<guarded>;
using unlocked = limit_with<no_lock>;

struct gives_up_without_looking : right {
  using right::right;
  bool unblock(entry& e) noexcept {
    const std::lock_guard held(lock_);
    if (e.is == entry_state::listed) {
      unlist(e);
    }
    e.is = entry_state::outside;
    return true;
  }
};

struct stays_listed_when_it_gives_up : right {
  using right::right;
  bool unblock(entry& e) noexcept {
    const std::lock_guard held(lock_);
    return e.is == entry_state::listed;
  }
};

struct lets_in_without_a_wake : right {
  using right::right;
  node* take(mc::ticket&) noexcept {
    mc::ticket forgotten;
    return right::take(forgotten);
  }
};

struct looks_for_room_apart : right {
  using right::right;
  bool block(entry& e) noexcept {
    if (size() < bound_.capacity) {
      return false;
    }
    const std::lock_guard held(lock_);
    if (e.place == 0) {
      e.place = ++places_;
    }
    list(e);
    return true;
  }
};

struct goes_to_the_end : right {
  using right::right;
  bool block(entry& e) noexcept {
    e.place = 0;
    return right::block(e);
  }
};

struct waits_past_a_knock : right {
  using right::right;
  bool wait(const mc::ticket& server) noexcept {
    const std::lock_guard held(lock_);
    if (closed_ || first_ != nullptr) {
      return false;
    }
    server_ = server;
    waiting_ = true;
    only_knocks_ = false;
    return true;
  }
};

struct hears_it_for_ever : right {
  using right::right;
  bool wait(const mc::ticket& server) noexcept {
    bool knocked = false;
    {
      const std::lock_guard held(lock_);
      knocked = knocked_;
    }
    const bool waits = right::wait(server);
    const std::lock_guard held(lock_);
    knocked_ = knocked;
    return waits;
  }
};

struct hears_without_waking : right {
  using right::right;
  bool knock(mc::ticket&) noexcept {
    const std::lock_guard held(lock_);
    knocked_ = true;
    return !closed_;
  }
};

struct turns_nobody_away : right {
  using right::right;
  bool turn_away(mc::ticket&) noexcept { return false; }
};

template <class Limit>
struct server {
  Limit in{smarm::bounded{1, smarm::overflow::block}};
  mc::sleeper sleeping;
  std::array<mc::sleeper, 3> senders;
  std::array<node, 3> nodes;
  std::array<int, 3> give_ups_left{};
  std::array<int, 3> stirs_left{};          // it is woken for nothing
  std::array<std::uint64_t, 3> began{};     // the place where it stood first
  std::list<typename Limit::entry> entries; // all there ever were: a mutant may look at an old one
  std::vector<int> taken;

  server() {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].value = static_cast<int>(i);
    }
  }

  // As server_core::push_limited. False: closed, or it gave up; the node is the sender's.
  bool send(std::size_t me) {
    node& message = nodes[me];
    for (;;) {
      mc::ticket waiter;
      node* dropped = nullptr;
      const limit_result result = in.push(message, waiter, dropped);
      if (result == limit_result::closed) {
        return false;
      }
      if (result == limit_result::pushed) {
        wake_server(waiter);
        return true;
      }
      typename Limit::entry& entry = entries.emplace_back(message);
      for (;;) { // as the wait scope
        const mc::ticket wait = senders[me].open_wait();
        entry.who.number = static_cast<int>(me) * 8 + wait.number;
        if (!in.block(entry)) {
          break;
        }
        began[me] = began[me] == 0 ? entry.place : began[me];
        mc::require(in.in_order(began), "in the order of arrival");
        const bool gives_up = give_ups_left[me] > 0 && mc::choose(2) == 1;
        const bool stirs = stirs_left[me] > 0 && mc::choose(2) == 1;
        give_ups_left[me] -= gives_up;
        stirs_left[me] -= stirs;
        if (!gives_up && !stirs) {
          senders[me].sleep(wait);
        }
        if (in.state_of(entry) != Limit::entry_state::listed || !in.unblock(entry)) {
          break;
        }
        if (gives_up) {
          return false;
        }
      }
      switch (in.state_of(entry)) {
      case Limit::entry_state::let_in: return true;
      case Limit::entry_state::closed: return false;
      default: break;
      }
    }
  }

  void wake_server(const mc::ticket& waiter) {
    if (waiter.number != 0) {
      sleeping.wake(waiter);
    }
  }
  void wake_sender(const mc::ticket& who) {
    if (who.number != 0) {
      senders[static_cast<std::size_t>(who.number) / 8].wake(mc::ticket(who.number % 8));
    }
  }

  bool take() {
    mc::ticket sender;
    node* const got = in.take(sender);
    if (got == nullptr) {
      return false;
    }
    taken.push_back(got->value);
    wake_sender(sender);
    return true;
  }
};

// Two senders that wait for room, which the server makes; the last one closes. The first may be woken
// for nothing, or give up.
template <class Limit, int Stirs, int GiveUps>
void through_one_place(mc::world& world) {
  auto& s = world.make<server<Limit>>();
  auto& sent = world.make<mc::atomic<int>>(1);
  auto& left = world.make<mc::atomic<int>>(2);
  (void)s.send(0);
  s.stirs_left[1] = Stirs;
  s.give_ups_left[1] = GiveUps;
  for (std::size_t i = 1; i <= 2; ++i) {
    world.thread([&s, &sent, &left, i] {
      sent.fetch_add(s.send(i) ? 1 : 0);
      if (left.fetch_sub(1) == 1) {
        mc::ticket waiter;
        s.in.close_by_sender(waiter);
        s.wake_server(waiter);
      }
    });
  }
  world.thread([&s] {
    while (!s.in.closed() || s.in.size() > 0) {
      if (!s.take()) {
        const mc::ticket wait = s.sleeping.open_wait();
        if (s.in.wait(wait)) {
          s.sleeping.sleep(wait);
        }
      }
    }
  });
  world.finally([&s, &sent] {
    mc::require(static_cast<int>(s.taken.size()) == sent.load(), "what was let in is taken, once");
    mc::require(s.taken.front() == 0, "what came first is taken first");
  });
}

// The server sleeps; a message and a knock come.
template <class Limit>
void both_wake(mc::world& world) {
  auto& s = world.make<server<Limit>>();
  auto& asked = world.make<mc::atomic<int>>(0);
  world.thread([&s] { mc::require(s.send(0), "it is open"); });
  world.thread([&s, &asked] {
    asked.store(1);
    mc::ticket waiter;
    mc::require(s.in.knock(waiter), "it is open");
    s.wake_server(waiter);
  });
  world.thread([&s, &asked] {
    bool heard = false;
    while (!heard || s.taken.empty()) {
      if (asked.load() == 1) {
        heard = true;
      }
      if (s.take()) {
        continue;
      }
      const mc::ticket wait = s.sleeping.open_wait();
      if ((!heard || s.taken.empty()) && s.in.wait(wait)) {
        s.sleeping.sleep(wait);
        (void)s.in.cancel_wait();
      }
    }
  });
}

// The server ends while a sender waits for room.
template <class Limit>
void one_ends(mc::world& world) {
  auto& s = world.make<server<Limit>>();
  auto& sent = world.make<mc::atomic<int>>(1);
  (void)s.send(0);
  for (std::size_t i = 1; i <= 2; ++i) {
    world.thread([&s, &sent, i] { sent.fetch_add(s.send(i) ? 1 : 0); });
  }
  world.thread([&s] {
    (void)s.take();
    s.in.close();
    mc::ticket sender;
    while (s.in.turn_away(sender)) {
      s.wake_sender(sender);
    }
    while (s.take()) {
    }
  });
  world.finally([&s, &sent] {
    mc::require(static_cast<int>(s.taken.size()) == sent.load(), "what was let in is taken, once");
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options few{.preemptions = 3};
  mc::suite suite("request_limit", argc, argv);

  suite.model("through_one_place", few, &through_one_place<right, 0, 0>);
  suite.mutation("unlocked", few, &through_one_place<unlocked, 0, 0>);
  suite.mutation("lets_in_without_a_wake", few, &through_one_place<lets_in_without_a_wake, 0, 0>);
  suite.mutation("looks_for_room_apart", few, &through_one_place<looks_for_room_apart, 0, 0>);

  suite.model("one_stirs", few, &through_one_place<right, 1, 0>);
  suite.mutation("goes_to_the_end", few, &through_one_place<goes_to_the_end, 1, 0>, "order");

  suite.model("one_gives_up", few, &through_one_place<right, 0, 1>);
  suite.mutation("gives_up_without_looking", few,
                 &through_one_place<gives_up_without_looking, 0, 1>);
  suite.mutation("stays_listed_when_it_gives_up", few,
                 &through_one_place<stays_listed_when_it_gives_up, 0, 1>);

  suite.model("both_wake", few, &both_wake<right>);
  suite.mutation("waits_past_a_knock", few, &both_wake<waits_past_a_knock>);
  suite.mutation("hears_it_for_ever", few, &both_wake<hears_it_for_ever>);
  suite.mutation("hears_without_waking", few, &both_wake<hears_without_waking>);

  suite.model("one_ends", few, &one_ends<right>);
  suite.mutation("turns_nobody_away", few, &one_ends<turns_nobody_away>);
  return suite.result();
}

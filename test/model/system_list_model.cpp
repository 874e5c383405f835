// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The requests that pass a server's inbox by, with the knock that tells of them: each gets exactly one
// answer, from the server or from who finds that it has ended; those of one caller in order; and no
// server sleeps past one, whether it waits for anything or, suspended, for knocks only.

#include "receiver.hpp"

#include <smarm/detail/inbox.hpp>
#include <smarm/detail/system_list.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace smarm::detail;

struct request {
  request* following = nullptr;
  mc::atomic<int> answers{0};
  int order = 0; // 0: not served

  void answer() { mc::require(answers.fetch_add(1) == 0, "a request is answered once"); }
  void await() {
    mc::block(answers, [](int n) { return n > 0; });
  }
};

using right = basic_system_list<request, mc::atomics>;

// ---- lists with one thing wrong

struct pushes_in_two_steps : right {
  bool push(request& r) {
    const auto first = first_.load();
    if (first == closed) {
      return false;
    }
    r.following = reinterpret_cast<request*>(first);
    first_.store(reinterpret_cast<std::uintptr_t>(&r));
    return true;
  }
};

struct takes_in_two_steps : right {
  request* take_all() {
    const auto all = first_.load();
    first_.store(none);
    return oldest_first(all);
  }
};

struct closes_in_two_steps : right {
  request* close() {
    const auto all = first_.load();
    first_.store(closed);
    return oldest_first(all);
  }
};

struct newest_first : right {
  request* take_all() { return reinterpret_cast<request*>(first_.exchange(none)); }
};

// ---- the server, as server_core and its loop

enum class wrong {
  nothing,
  knocks_first,              // and adds the request then
  leaves_it_when_it_is_late, // who knocks in vain does not close the list
  looks_before_it_closes,    // whether there is a list, and closes the inbox then
  sleeps_on_a_knock,         // removes one on its walk and waits
};

template <class List, wrong Wrong>
struct server {
  struct node : inbox_node<mc::atomics> {
    bool is_knock = true;
  };
  using inbox_type = basic_inbox<node, mc::ticket, mc::atomics>;

  // False: refused at once.
  bool submit(request& r, node& knock) {
    bool heard = false;
    there.exchange(1); // who looks first makes it
    if (Wrong == wrong::knocks_first) {
      heard = push(knock);
    }
    if (!list.push(r)) {
      return false;
    }
    if (Wrong != wrong::knocks_first) {
      heard = push(knock);
    }
    if (!heard && Wrong != wrong::leaves_it_when_it_is_late) {
      refuse(list.close());
    }
    return true;
  }

  bool push(node& n) {
    mc::ticket waiter;
    const push_result result = inbox.push(n, waiter);
    if (result == push_result::pushed_and_wake) {
      sleeping.wake(waiter);
    }
    return result != push_result::closed;
  }

  // Until it has served so many.
  void serve(int count) {
    while (served < count) {
      if (serve_list()) {
        continue;
      }
      if (inbox.front() != nullptr) {
        (void)inbox.erase_after(inbox.before_front());
        continue;
      }
      const mc::ticket wait = sleeping.open_wait();
      if (inbox.wait(wait)) {
        sleeping.sleep(wait);
      } else {
        (void)inbox.await_front(); // it is on its way
      }
    }
  }

  // The same while it handles nothing else.
  void serve_suspended(int count) {
    auto* at = &inbox.before_front();
    while (served < count) {
      if (serve_list()) {
        continue;
      }
      bool knocked = false;
      while (node* next = inbox.await_after(*at)) {
        if (next->is_knock) {
          knocked = true;
          (void)inbox.erase_after(*at);
        } else {
          at = next;
        }
      }
      if (knocked && Wrong != wrong::sleeps_on_a_knock) {
        continue;
      }
      const mc::ticket wait = sleeping.open_wait();
      if (inbox.wait_after(*at, wait)) {
        sleeping.sleep(wait);
      }
    }
  }

  bool serve_list() {
    request* rest = list.empty() ? nullptr : list.take_all();
    const bool any = rest != nullptr;
    while (rest != nullptr) {
      request* const one = rest;
      rest = rest->following;
      one->order = ++served;
      one->answer();
    }
    return any;
  }

  void end() {
    const bool seen = Wrong == wrong::looks_before_it_closes && there.load() == 1;
    inbox.close();
    if (Wrong == wrong::looks_before_it_closes ? seen : there.load() == 1) {
      refuse(list.close());
    }
    while (inbox.await_front() != nullptr) {
      (void)inbox.erase_after(inbox.before_front());
    }
  }

  static void refuse(request* rest) {
    while (rest != nullptr) {
      request* const one = rest;
      rest = rest->following;
      one->answer();
    }
  }

  inbox_type inbox;
  mc::atomic<int> there{0}; // whether the list is
  List list;
  mc::sleeper sleeping;
  int served = 0;
};

// ---- scenarios

template <class List, wrong Wrong>
struct setting {
  server<List, Wrong> of;
  std::array<request, 3> requests;
  std::array<typename server<List, Wrong>::node, 4> nodes;
};

template <class List, wrong Wrong = wrong::nothing>
void all_are_served(mc::world& world) {
  auto& s = world.make<setting<List, Wrong>>();
  world.thread([&s] {
    mc::require(s.of.submit(s.requests[0], s.nodes[0]), "it has not ended");
    mc::require(s.of.submit(s.requests[1], s.nodes[1]), "it has not ended");
    s.requests[0].await();
    s.requests[1].await();
  });
  world.thread([&s] {
    mc::require(s.of.submit(s.requests[2], s.nodes[2]), "it has not ended");
    s.requests[2].await();
  });
  world.thread([&s] { s.of.serve(3); });
  world.finally([&s] {
    mc::require(s.requests[0].order < s.requests[1].order, "in the order in which they came");
  });
}

// A cast arrives, too, and stays where it is.
template <class List, wrong Wrong = wrong::nothing>
void a_suspended_one_serves(mc::world& world) {
  auto& s = world.make<setting<List, Wrong>>();
  s.nodes[3].is_knock = false;
  world.thread([&s] { mc::require(s.of.push(s.nodes[3]), "it has not ended"); });
  world.thread([&s] {
    mc::require(s.of.submit(s.requests[0], s.nodes[0]), "it has not ended");
    s.requests[0].await();
    mc::require(s.of.submit(s.requests[1], s.nodes[1]), "it has not ended");
    s.requests[1].await();
  });
  world.thread([&s] { s.of.serve_suspended(2); });
  world.finally([&s] {
    auto* at = s.of.inbox.await_front();
    while (at != nullptr && at->is_knock) {
      at = s.of.inbox.await_after(*at);
    }
    mc::require(at == &s.nodes[3], "what was queued is queued");
  });
}

template <class List, std::size_t Callers, wrong Wrong = wrong::nothing>
void one_ends(mc::world& world) {
  auto& s = world.make<setting<List, Wrong>>();
  for (std::size_t i = 0; i < Callers; ++i) {
    world.thread([&s, i] {
      if (s.of.submit(s.requests[i], s.nodes[i])) {
        s.requests[i].await();
      }
    });
  }
  world.thread([&s] {
    if (s.of.there.load() == 1) {
      (void)s.of.serve_list();
    }
    s.of.end();
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options two{.preemptions = 2};
  const mc::options buffered{.store_buffers = true, .reduced = true};
  mc::suite suite("system_list", argc, argv);

  suite.model("all_are_served", two, &all_are_served<right>);
  suite.mutation("pushes_in_two_steps", two, &all_are_served<pushes_in_two_steps>);
  suite.mutation("takes_in_two_steps", two, &all_are_served<takes_in_two_steps>);
  suite.mutation("newest_first", two, &all_are_served<newest_first>, "order");
  suite.mutation("knocks_first", two, &all_are_served<right, wrong::knocks_first>);

  suite.model("a_suspended_one_serves", two, &a_suspended_one_serves<right>);
  suite.mutation("sleeps_on_a_knock", two,
                 &a_suspended_one_serves<right, wrong::sleeps_on_a_knock>);

  suite.model("one_ends", two, &one_ends<right, 2>);
  suite.model("one_ends_buffered", buffered, &one_ends<right, 1>);
  suite.mutation("closes_in_two_steps", two, &one_ends<closes_in_two_steps, 2>);
  suite.mutation("leaves_it_when_it_is_late", buffered,
                 &one_ends<right, 1, wrong::leaves_it_when_it_is_late>);
  suite.mutation("looks_before_it_closes", buffered,
                 &one_ends<right, 1, wrong::looks_before_it_closes>);
  return suite.result();
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The queue of a pool of threads: a job is carried out once or withdrawn, never both and never neither,
// though the one thread that could do it is just falling asleep or has had enough of waiting.

#include "mc_futex.hpp"
#include "waiting_env.hpp"

#include <smarm/detail/job_queue.hpp>
#include <smarm/detail/parker.hpp>

namespace {

using smarm::detail::admission;
using smarm::detail::assignment;

struct job : smarm::detail::queued_job {
  mc::atomic<int> done{0};
  mc::atomic<int> gone{0}; // with the frame of who posted it
};

using worker =
    smarm::detail::basic_worker<mc::atomics,
                                smarm::detail::basic_parker<mc::atomics, mc::futex>>;

struct env {
  using lock = mc::step_lock<mc::lock_excludes::yes>;
  struct worker : ::worker {};
  using worker_base = ::worker;
};

using right = smarm::detail::basic_job_queue<env, job>;

// ---- queues with one thing wrong

struct withdraws_what_is_taken : right {
  using right::right;
  bool withdraw(job& j) {
    (void)right::withdraw(j);
    return true;
  }
};

struct takes_in_two_steps : right {
  using right::right;
  assignment next(env::worker& me, bool done, job*& out, std::int64_t now) {
    lock_.lock();
    job* const first = jobs_.empty() ? nullptr : &jobs_.front();
    lock_.unlock();
    if (first == nullptr) {
      return right::next(me, done, out, now);
    }
    lock_.lock();
    if (first->smarm::detail::job_hook::is_linked()) {
      jobs_.erase(jobs_.iterator_to(*first));
    }
    me.called.store(false);
    lock_.unlock();
    out = first;
    return assignment::job;
  }
};

struct falls_asleep_without_another_look : right {
  using right::right;
  assignment next(env::worker& me, bool done, job*& out, std::int64_t now) {
    lock_.lock();
    const bool nothing = jobs_.empty() && !closed_ && !me.called.load();
    lock_.unlock();
    if (!nothing) {
      return right::next(me, done, out, now);
    }
    lock_.lock();
    idle_.push_front(me);
    lock_.unlock();
    return assignment::idle;
  }
};

struct leaves_in_two_steps : right {
  using right::right;
  bool give_up(env::worker& me) {
    lock_.lock();
    const bool free = !me.called.load();
    if (free) {
      idle_.erase(idle_.iterator_to(me));
    }
    lock_.unlock();
    if (free) {
      lock_.lock();
      leave(me);
      lock_.unlock();
    }
    return free;
  }
};

struct leaves_though_called : right {
  using right::right;
  bool give_up(env::worker& me) {
    if (!right::give_up(me)) {
      lock_.lock();
      leave(me);
      lock_.unlock();
    }
    return true;
  }
};

// ---- the pool

enum class patience { none, endless };

template <class Queue, patience Patience>
struct pool {
  mc::kernel kernel;
  mc::undestroyed<Queue> queue{std::size_t{1}, std::size_t{8}};
  mc::undestroyed<env::worker> workers[2];
  mc::atomic<int> wanted{1}; // threads that were to be made so far, the first of them before
  mc::atomic<int> over{0};
  mc::atomic<int> time{0}; // somebody else does something: only then does a sleep run out, see mc_futex
  job jobs[2];

  pool() {
    // As if a job had brought it along and were done.
    env::worker* called = nullptr;
    mc::require(queue->post(jobs[1], called, 0) == admission::wants_worker, "there is room");
    mc::require(queue->withdraw(jobs[1]), "it is there");
  }

  void post(job& j) {
    env::worker* called = nullptr;
    switch (queue->post(j, called, 0)) {
    case admission::wants_worker: wanted.fetch_add(1); break;
    case admission::queued:
      if (called != nullptr) {
        called->parker.unpark();
      }
      break;
    case admission::refused: mc::require(false, "the queue is not full");
    }
  }

  void work(int which) {
    mc::block([this, which] { return wanted.load() > which || over.load() != 0; });
    if (wanted.load() <= which) {
      return;
    }
    env::worker& me = *workers[which];
    queue->begin();
    bool has_done = false;
    for (;;) {
      job* next = nullptr;
      switch (queue->next(me, has_done, next, 0)) {
      case assignment::job:
        mc::require(next->gone.load() == 0, "a job is touched while it is there");
        mc::require(next->done.fetch_add(1) == 0, "a job is done once");
        has_done = true;
        continue;
      case assignment::idle:
        has_done = false;
        while (!me.called.load()) {
          if (!me.parker.park(Patience == patience::none ? 1 : smarm::detail::no_deadline) &&
              queue->give_up(me)) {
            return;
          }
        }
        continue;
      case assignment::leave: return;
      }
    }
  }

  void close() {
    over.store(1);
    while (env::worker* const one = queue->close()) {
      one->parker.unpark();
    }
  }
};

// A worker that is impatient, and a job that comes about then.
template <class Queue>
void one_leaves(mc::world& world) {
  auto& p = world.make<pool<Queue, patience::none>>();
  world.thread([&p] { p.work(0); });
  world.thread([&p] { p.work(1); });
  world.thread([&p] {
    p.time.store(1);
    p.post(p.jobs[0]);
    mc::block(p.jobs[0].done, [](int done) { return done != 0; });
    p.close();
  });
}

// The same with one that waits as long as it takes.
template <class Queue>
void one_falls_asleep(mc::world& world) {
  auto& p = world.make<pool<Queue, patience::endless>>();
  world.thread([&p] { p.work(0); });
  world.thread([&p] {
    p.post(p.jobs[0]);
    mc::block(p.jobs[0].done, [](int done) { return done != 0; });
    p.close();
  });
}

// The caller of a job is stopped.
template <class Queue>
void one_is_withdrawn(mc::world& world) {
  auto& p = world.make<pool<Queue, patience::endless>>();
  world.thread([&p] { p.work(0); });
  world.thread([&p] {
    p.post(p.jobs[0]);
    if (p.queue->withdraw(p.jobs[0])) {
      p.jobs[0].gone.store(1);
    } else {
      mc::block(p.jobs[0].done, [](int done) { return done != 0; });
    }
    p.close();
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::options some = all;
  some.preemptions = 3;
  mc::suite suite("job_queue", argc, argv);

  suite.model("one_leaves", some, &one_leaves<right>);
  suite.mutation("leaves_in_two_steps", some, &one_leaves<leaves_in_two_steps>);
  suite.mutation("leaves_though_called", some, &one_leaves<leaves_though_called>);

  suite.model("one_falls_asleep", all, &one_falls_asleep<right>);
  suite.mutation("falls_asleep_without_another_look", all,
                 &one_falls_asleep<falls_asleep_without_another_look>);

  suite.model("one_is_withdrawn", all, &one_is_withdrawn<right>);
  suite.mutation("withdraws_what_is_taken", all, &one_is_withdrawn<withdraws_what_is_taken>);
  suite.mutation("takes_in_two_steps", all, &one_is_withdrawn<takes_in_two_steps>);
  return suite.result();
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The set of descriptors itself, step by step. Everything in it but the collecting of events is done under
// one lock, so what threads can do to each other is an order of steps: all that matters is what comes
// between an event's collection and its delivery, and these orders are tried here, by hand and at random
// against a model.

#define BOOST_TEST_MODULE descriptor_set
#include <boost/test/unit_test.hpp>

#include "../lib/descriptor_set.hpp"

#include <smarm/detail/thread_slot.hpp>
#include <smarm/error.hpp>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <string>

using smarm::errc;
using smarm::detail::descriptor_set;
using smarm::detail::descriptor_waiter;
using smarm::detail::enrolment;
using smarm::detail::io_direction;
using smarm::detail::ready_now;
using error_code = boost::system::error_code;

namespace smarm::detail {

// Enrols a waiter in a set that is no runtime's, for a wait that is over already: waking it does nothing.
struct descriptor_set_access {
  static error_code enroll(descriptor_set& set, descriptor_waiter& w) {
    slot& me = this_thread_slot();
    w.who_ = {&me, me.word.begin_wait()};
    (void)me.word.retire();
    w.error_ = {};
    return set.enroll(w);
  }
};

} // namespace smarm::detail

namespace {

using access = smarm::detail::descriptor_set_access;

error_code of_system(int e) { return {e, boost::system::system_category()}; }

// Both ends of a connection, the first one under a number of the test's choice, so that it can be another
// one's later.
struct connection {
  int number;
  int peer = -1;

  explicit connection(int n) : number(n) { open(); }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection() {
    close();
  }
  void open() {
    int ends[2] = {-1, -1};
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    BOOST_REQUIRE(::dup3(ends[0], number, O_CLOEXEC) == number);
    ::close(ends[0]);
    peer = ends[1];
  }
  void close() {
    if (peer >= 0) {
      ::close(number);
      ::close(peer);
      peer = -1;
    }
  }
  void put() const { (void)!::send(peer, "x", 1, MSG_NOSIGNAL); }
  void fill() const {
    const std::array<char, 4096> block{};
    while (::send(number, block.data(), block.size(), MSG_NOSIGNAL) > 0) {
    }
  }
  void drain(int fd) const {
    std::array<char, 4096> block;
    while (::read(fd, block.data(), block.size()) > 0) {
    }
  }
};

constexpr int first_number = 200;

} // namespace

BOOST_AUTO_TEST_CASE(an_event_of_a_descriptor_that_was_closed_is_not_the_next_ones) {
  descriptor_set set;
  connection c(first_number);
  descriptor_waiter first(c.number, io_direction::in);
  BOOST_TEST(!access::enroll(set, first));
  c.put();
  const auto on_its_way = set.collect();
  BOOST_TEST(on_its_way.count == 1);
  BOOST_TEST(set.withdraw(first));
  c.close();
  c.open(); // another one, under the same number
  descriptor_waiter second(c.number, io_direction::in);
  BOOST_TEST(!access::enroll(set, second));
  set.deliver(on_its_way);
  BOOST_TEST(!second.satisfied());
  set.dispatch();
  BOOST_TEST(!second.satisfied());
  c.put();
  set.dispatch();
  BOOST_TEST(second.satisfied());
}

BOOST_AUTO_TEST_CASE(an_event_that_is_dropped_comes_again) {
  descriptor_set set;
  connection c(first_number);
  c.fill();
  descriptor_waiter in(c.number, io_direction::in), out(c.number, io_direction::out);
  BOOST_TEST(!access::enroll(set, in));
  BOOST_TEST(!access::enroll(set, out));
  c.put();
  const auto on_its_way = set.collect();
  BOOST_TEST(on_its_way.count == 1);
  BOOST_TEST(set.withdraw(out)); // registers the other one anew
  set.deliver(on_its_way);
  BOOST_TEST(!in.satisfied());
  set.dispatch();
  BOOST_TEST(in.satisfied());
}

BOOST_AUTO_TEST_CASE(who_waits_for_the_other_direction_is_left_alone) {
  descriptor_set set;
  connection c(first_number);
  c.fill();
  descriptor_waiter in(c.number, io_direction::in), out(c.number, io_direction::out);
  BOOST_TEST(!access::enroll(set, in));
  BOOST_TEST(!access::enroll(set, out));
  c.put();
  set.dispatch();
  BOOST_TEST(in.satisfied());
  BOOST_TEST(!out.satisfied());
  c.drain(c.peer);
  set.dispatch();
  BOOST_TEST(out.satisfied());
}

// One hangs up: both directions are told, since both calls have something to say.
BOOST_AUTO_TEST_CASE(a_hang_up_is_told_to_both_directions) {
  descriptor_set set;
  connection c(first_number);
  c.fill();
  descriptor_waiter in(c.number, io_direction::in), out(c.number, io_direction::out);
  BOOST_TEST(!access::enroll(set, in));
  BOOST_TEST(!access::enroll(set, out));
  ::close(c.peer);
  set.dispatch();
  BOOST_TEST(in.satisfied());
  BOOST_TEST(out.satisfied());
  ::close(c.number);
  c.peer = -1;
}

// What is ready and is never read is told once for each wait, not for as long as it is so.
BOOST_AUTO_TEST_CASE(what_nobody_waits_for_is_no_event) {
  descriptor_set set;
  connection c(first_number);
  descriptor_waiter w(c.number, io_direction::in);
  BOOST_TEST(!access::enroll(set, w));
  c.put();
  set.dispatch();
  BOOST_TEST(w.satisfied());
  BOOST_TEST(set.collect().count == 0);
  BOOST_TEST(!access::enroll(set, w));
  BOOST_TEST(set.withdraw(w));
  BOOST_TEST(!set.withdraw(w));
  BOOST_TEST(set.collect().count == 0);
}

namespace {

// A descriptor of the model: who waits, and whether the system knows of it.
struct modelled {
  std::array<std::unique_ptr<descriptor_waiter>, 2> waiters;
  bool open = true;
  bool told = false; // the system has been asked to watch it since it was opened
};

constexpr std::array directions{io_direction::in, io_direction::out};

std::size_t index(io_direction d) { return static_cast<std::size_t>(d); }

class random_walk {
public:
  explicit random_walk(unsigned seed) : random_(seed) {}

  void go(int steps) {
    for (step_ = 0; step_ < steps && failure_.empty(); ++step_) {
      one();
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (const io_direction d : directions) {
        if (state_[i].waiters[index(d)] != nullptr) {
          (void)set_.withdraw(*state_[i].waiters[index(d)]);
        }
      }
    }
  }
  [[nodiscard]] const std::string& failure() const { return failure_; }

private:
  static constexpr std::size_t count = 4;

  unsigned draw(unsigned below) { return random_() % below; }
  void require(bool so, const char* what) {
    if (!so && failure_.empty()) {
      failure_ = "step " + std::to_string(step_) + ": " + what;
    }
  }
  // The waiter has been taken out, for that reason.
  void out(modelled& m, io_direction d, error_code why) {
    auto& w = m.waiters[index(d)];
    require(w->satisfied(), "a waiter was left in");
    require(w->error() == why, "a waiter got another error");
    w.reset();
  }
  // What a change of one direction's waiter means for the other one's.
  void registered_anew(modelled& m, io_direction changed) {
    const io_direction other = directions[1 - index(changed)];
    if (m.waiters[index(other)] != nullptr && !m.open) {
      out(m, other, of_system(EBADF));
    }
    m.told = m.open;
  }

  void one() {
    const auto i = static_cast<std::size_t>(draw(count));
    modelled& m = state_[i];
    connection& c = *connections_[i];
    const io_direction d = directions[draw(2)];
    auto& w = m.waiters[index(d)];
    switch (draw(12)) {
    case 0:
    case 1: {
      auto next = std::make_unique<descriptor_waiter>(c.number, d);
      const error_code refused = access::enroll(set_, *next);
      if (w != nullptr) {
        require(refused == errc::already_waiting, "a second waiter was let in");
      } else if (!m.open) {
        require(refused == of_system(EBADF), "a closed descriptor was enrolled");
        registered_anew(m, d);
      } else {
        require(!refused, "a waiter was refused");
        w = std::move(next);
        m.told = true;
      }
      break;
    }
    case 2:
      if (w != nullptr) {
        require(set_.withdraw(*w), "a waiter was not in");
        w.reset();
        registered_anew(m, d);
      }
      break;
    case 3:
      if (m.open) {
        c.put();
      }
      break;
    case 4:
      if (m.open) {
        c.drain(c.number);
      }
      break;
    case 5:
      if (m.open) {
        c.fill();
      }
      break;
    case 6:
      if (m.open) {
        c.drain(c.peer);
      }
      break;
    case 7: // behind the set's back
      if (m.open) {
        c.close();
        m.open = m.told = false;
      } else {
        c.open();
        m.open = true;
      }
      break;
    case 8:
      if (m.open) {
        (void)::shutdown(c.peer, SHUT_WR);
      }
      break;
    case 9:
      set_.forget(c.number);
      for (const io_direction each : directions) {
        if (m.waiters[index(each)] != nullptr) {
          out(m, each, make_error_code(errc::closed));
        }
      }
      break;
    case 10:
      if (!late_) { // each collection is delivered, sooner or later
        late_ = set_.collect();
      }
      break;
    case 11:
      set_.deliver(late_.value_or(descriptor_set::events{}));
      late_.reset();
      compare(); // what was late may be right still, but not wrong
      set_.dispatch();
      compare();
      complete();
      break;
    }
  }
  // Nobody was taken out who has nothing to be told.
  void compare() {
    for (std::size_t i = 0; i < count; ++i) {
      for (const io_direction d : directions) {
        auto& w = state_[i].waiters[index(d)];
        if (w == nullptr || !w->satisfied()) {
          continue;
        }
        // An event that was collected in time may tell of what is over since. If that was the end of
        // the descriptor, the other direction's waiter is told so.
        require(w->error() == error_code() || (!state_[i].open && w->error() == of_system(EBADF)),
                "a waiter got an error");
        w.reset();
      }
    }
  }
  // Nobody was left in who has something to be told.
  void complete() {
    for (std::size_t i = 0; i < count; ++i) {
      for (const io_direction d : directions) {
        if (state_[i].waiters[index(d)] != nullptr && state_[i].open && state_[i].told) {
          require(!*ready_now(connections_[i]->number, d), "an event was lost");
        }
      }
    }
  }

  std::minstd_rand random_;
  descriptor_set set_;
  std::array<std::unique_ptr<connection>, count> connections_{
      std::make_unique<connection>(first_number), std::make_unique<connection>(first_number + 1),
      std::make_unique<connection>(first_number + 2),
      std::make_unique<connection>(first_number + 3)};
  std::array<modelled, count> state_;
  std::optional<descriptor_set::events> late_;
  std::string failure_;
  int step_ = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(random_steps_are_as_the_model_says) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    random_walk walk(seed);
    walk.go(400);
    BOOST_TEST_CONTEXT("seed " << seed) { BOOST_TEST(walk.failure() == ""); }
  }
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server for the tests of what can be seen of a server and done to it from outside.

#ifndef SMARM_TEST_LOOKED_AT_HPP
#define SMARM_TEST_LOOKED_AT_HPP

#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/server_options.hpp>

#include <chrono>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace smarm_test {

class till : public smarm::gen_server<till> {
public:
  struct add {
    int amount;
  };
  struct total {};
  struct later {};
  struct hold {
    smarm::receiver<int> gate;
  }; // blocks the handler, until somebody sends
  struct fail {};
  struct leave {
    smarm::exit_reason why;
  };
  struct remind {
    std::chrono::nanoseconds delay;
  };
  struct watch_it {
    smarm::pid who;
  };
  struct run {
    std::function<void(till&)> what;
  };

  explicit till(recorder& to) : to_(to) {}
  ~till() { to_.note("destroyed"); }

  void describe(std::ostream& out) const {
    out << "total " << total_;
    if (describe_throws) {
      throw std::runtime_error("no more to say");
    }
  }
  void terminate(const smarm::exit_reason& why) {
    to_.note(std::string("terminate ") + smarm::to_string(why.kind()));
    total_ = 0;
  }
  void handle_cast(add a) {
    to_.note("add " + std::to_string(a.amount));
    total_ += a.amount;
  }
  void handle_cast(hold h) {
    to_.note("holds");
    (void)h.gate.recv();
  }
  void handle_cast(fail) { throw std::runtime_error("told to"); }
  void handle_cast(leave l) { stop(std::move(l.why)); }
  void handle_cast(remind r) { (void)arm_after(r.delay, 7); }
  void handle_cast(watch_it w) { watch(w.who); }
  void handle_cast(const run& r) { r.what(*this); }
  int handle_call(total) const { return total_; }
  void handle_call(later, smarm::reply_to<int> r) { r.reply(total_); }
  void handle_call(fail) { throw std::runtime_error("told to"); }
  void handle_timer(int) { to_.note("timer"); }
  void handle_down(const smarm::down&) { to_.note("down"); }

  int total_ = 0;
  bool describe_throws = false;

private:
  recorder& to_;
};

using till_ref = smarm::server_ref<till>;

inline till_ref start_till(recorder& to) { return smarm::start_server<till>(std::ref(to)).value(); }

// The server in a handler that waits until somebody sends to the result.
inline smarm::sender<int> hold(const till_ref& server, const recorder& to) {
  auto [open, gate] = smarm::channel<int>();
  const auto before = to.count("holds");
  (void)server.cast(till::hold{std::move(gate)});
  until([&] { return to.count("holds") > before; });
  return std::move(open);
}

} // namespace smarm_test

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tests of supervisors share: a child that says what happens to it, and does as it is told.

#ifndef SMARM_TEST_SUPERVISION_HPP
#define SMARM_TEST_SUPERVISION_HPP

#include "recorder.hpp"

#include <smarm/child_spec.hpp>
#include <smarm/config.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/report.hpp>
#include <smarm/runtime.hpp>
#include <smarm/stop.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace smarm {
inline std::ostream& operator<<(std::ostream& out, errc code) {
  return out << (code == errc() ? "no error" : make_error_code(code).message());
}
} // namespace smarm

namespace smarm_test {

// What a result says went wrong.
template <class T>
smarm::errc code(const boost::system::result<T>& r) {
  return r ? smarm::errc() : static_cast<smarm::errc>(r.error().value());
}

// What the children of one test have in common.
struct nursery {
  recorder seen;
  // How many of the next starts of that child fail; negative: all from the second one on.
  std::map<std::string, int> failing;
  std::mutex lock;
  std::map<std::string, int> alive;

  void fail_next(const std::string& id, int times) {
    const std::lock_guard guard(lock);
    failing[id] = times;
  }
  bool fails(const std::string& id) {
    const std::lock_guard guard(lock);
    int& left = failing[id];
    if (left > 0) {
      --left;
      return true;
    }
    return false;
  }
  void count(const std::string& id, int by) {
    const std::lock_guard guard(lock);
    if ((alive[id] += by) > 1) {
      seen.note(id + " is there twice");
    }
  }
  int living() {
    const std::lock_guard guard(lock);
    int all = 0;
    for (const auto& [id, n] : alive) {
      all += n;
    }
    return all;
  }
};

class ward : public smarm::gen_server<ward> {
public:
  struct end {
    smarm::exit_reason why;
  };
  struct ping {};

  ward(nursery& all, std::string id) : all_(all), id_(std::move(id)) { all_.count(id_, 1); }
  ~ward() { all_.count(id_, -1); }
  void init() {
    if (all_.fails(id_)) {
      all_.seen.note(id_ + " fails to start");
      throw std::runtime_error("cannot start");
    }
    all_.seen.note(id_ + " starts");
  }
  void terminate(const smarm::exit_reason& why) {
    all_.seen.note(id_ + " ends, " + smarm::to_string(why.kind()));
  }
  void handle_cast(end e) { stop(std::move(e.why)); }
  std::string handle_call(ping) const { return id_; }

private:
  nursery& all_;
  std::string id_;
};

inline smarm::child_spec child(nursery& all, std::string id,
                               smarm::restart restart = smarm::restart::permanent) {
  return {.id = id, .start = smarm::server<ward>(std::ref(all), id), .restart = restart};
}

inline smarm::exit_reason failure(const char* text = "told to") {
  return smarm::exit_reason::failed(std::make_exception_ptr(std::runtime_error(text)));
}

// Ends a child, and returns when its supervisor has seen to that.
inline void end_child(const smarm::supervisor_ref& sup, const std::string& id,
                      smarm::exit_reason why) {
  auto server = sup.find_child<ward>(id).value();
  smarm::monitor_ref m = smarm::monitor(server.id());
  (void)server.cast(ward::end{std::move(why)});
  (void)m.recv();
  // Its end reaches the supervisor before this does: ends come before calls.
  (void)sup.count_children();
}

// Reports, as "kind label".
inline smarm::config with_reports(recorder& to, unsigned schedulers = 1) {
  return {.schedulers = schedulers, .reports = [&to](const smarm::report& r) {
            to.note(std::string(smarm::to_string(r.kind)) + ' ' + r.label);
          }};
}

} // namespace smarm_test

#endif

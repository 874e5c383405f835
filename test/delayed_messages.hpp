// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tests of messages that are sent later share.

#ifndef SMARM_TEST_DELAYED_MESSAGES_HPP
#define SMARM_TEST_DELAYED_MESSAGES_HPP

#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/error.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send_after.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <functional>
#include <utility>
#include <vector>

namespace smarm_test {

// Does something when it is destroyed, wherever that is.
class at_end {
public:
  explicit at_end(std::function<void()> what) : what_(std::move(what)) {}
  at_end(at_end&& other) noexcept : what_(std::exchange(other.what_, nullptr)) {}
  at_end& operator=(at_end&& other) noexcept {
    std::swap(what_, other.what_);
    return *this;
  }
  ~at_end() {
    if (what_) {
      what_();
    }
  }

private:
  std::function<void()> what_;
};

// Counts those that are there, and how often one with a value was destroyed.
struct counted {
  explicit counted(int v) : value(v) { ++alive; }
  counted(counted&& other) noexcept : value(std::exchange(other.value, -1)) { ++alive; }
  counted& operator=(counted&& other) noexcept {
    std::swap(value, other.value);
    return *this;
  }
  ~counted() {
    --alive;
    ends += value >= 0;
  }
  int value;
  static inline std::atomic<int> alive{0};
  static inline std::atomic<int> ends{0};
};

// Lets the schedulers work until nothing is armed.
inline void until_all_fired() {
  smarm::detail::runtime_state& rt = this_runtime();
  until([&] { return rt.stats().armed_timers == 0; });
}

inline std::vector<smarm::report> reports_of(const std::function<void()>& body) {
  basic_recorder<smarm::report> seen;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) { seen.note(r); }});
  rt.run(body);
  return seen.all();
}

inline boost::system::error_code refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code();
  }
  return {};
}

// Nothing is asked of a destination but try_send.
struct other_destination {
  std::vector<int>* got;
  smarm::errc answer = {};
  boost::system::result<void> try_send(int&& value) const {
    got->push_back(value);
    if (answer != smarm::errc{}) {
      return smarm::make_error_code(answer);
    }
    return {};
  }
};

} // namespace smarm_test

namespace smarm::detail {
template <>
struct message_of<smarm_test::other_destination> {
  using type = int;
};
} // namespace smarm::detail

#endif

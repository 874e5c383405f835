// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where actors and threads say what happened, in the order in which it did, so that the test's main
// thread can compare it with what should have: assertions are made there and nowhere else.

#ifndef SMARM_TEST_RECORDER_HPP
#define SMARM_TEST_RECORDER_HPP

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace smarm_test {

template <class T>
class basic_recorder {
public:
  void note(T what) {
    const std::lock_guard guard(lock_); // held for no longer than this, and never across a wait
    seen_.push_back(std::move(what));
  }

  [[nodiscard]] std::vector<T> all() const {
    const std::lock_guard guard(lock_);
    return seen_;
  }
  [[nodiscard]] std::size_t size() const { return all().size(); }
  [[nodiscard]] std::size_t count(const T& what) const {
    const std::lock_guard guard(lock_);
    return static_cast<std::size_t>(std::count(seen_.begin(), seen_.end(), what));
  }

private:
  mutable std::mutex lock_;
  std::vector<T> seen_;
};

using recorder = basic_recorder<std::string>;
using strings = std::vector<std::string>;

// Says so when it ends: for destructors that must run.
class noted_end {
public:
  noted_end(recorder& to, std::string what) : to_(&to), what_(std::move(what)) {}
  noted_end(noted_end&& other) noexcept
      : to_(std::exchange(other.to_, nullptr)), what_(std::move(other.what_)) {}
  noted_end& operator=(noted_end&&) = delete;
  ~noted_end() {
    if (to_ != nullptr) {
      to_->note(what_);
    }
  }

private:
  recorder* to_;
  std::string what_;
};

} // namespace smarm_test

// Two lists, element by element.
#define CHECK_LIST(seen, ...)                                                                      \
  BOOST_TEST((seen) == (std::vector<std::decay_t<decltype((seen).front())>> __VA_ARGS__),          \
             boost::test_tools::per_element())

#endif

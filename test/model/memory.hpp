// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the explored threads see of memory: one value per word, and per thread the stores that have
// not reached it yet, oldest first, which the thread itself sees already. Thread -1 is nobody: the
// code that prepares a scenario.

#ifndef SMARM_TEST_MODEL_MEMORY_HPP
#define SMARM_TEST_MODEL_MEMORY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mc {

class memory {
public:
  void reset(std::size_t threads) { views_.assign(threads, {}); }

  [[nodiscard]] std::uint64_t read(int by, const std::uint64_t* word) const {
    if (by >= 0) {
      const auto& waiting = views_[by].waiting;
      for (auto i = waiting.rbegin(); i != waiting.rend(); ++i) {
        if (i->first == word) {
          return i->second;
        }
      }
    }
    return *word;
  }
  void write_late(int by, std::uint64_t* word, std::uint64_t value) {
    views_[by].waiting.emplace_back(word, value);
  }
  // A write that everybody sees at once, and with it all earlier ones of the thread.
  void write(int by, std::uint64_t* word, std::uint64_t value) {
    drain(by);
    if (by >= 0 && *word != value) {
      ++views_[by].changes;
    }
    *word = value;
  }
  [[nodiscard]] bool waiting(int by) const { return !views_[by].waiting.empty(); }
  [[nodiscard]] std::size_t waiting_count(int by) const { return views_[by].waiting.size(); }
  [[nodiscard]] const std::uint64_t* waiting_word(int by, std::size_t i) const {
    return views_[by].waiting[i].first;
  }
  [[nodiscard]] bool waits_for(int by, const std::uint64_t* word) const {
    const auto& waiting = views_[by].waiting;
    return std::any_of(waiting.begin(), waiting.end(), [word](auto& s) { return s.first == word; });
  }
  // Lets the oldest waiting store reach memory; returns where.
  const std::uint64_t* flush(int by) {
    auto& v = views_[by];
    const auto [word, value] = v.waiting.front();
    v.waiting.erase(v.waiting.begin());
    v.changes += *word != value;
    *word = value;
    return word;
  }
  void drain(int by) {
    while (by >= 0 && waiting(by)) {
      flush(by);
    }
  }
  // The word ends.
  void forget(const std::uint64_t* word) {
    for (auto& v : views_) {
      std::erase_if(v.waiting, [word](const auto& store) { return store.first == word; });
    }
  }

  // How often others than this thread have changed a word.
  [[nodiscard]] long changes_by_others(int by) const {
    long sum = -views_[by].changes;
    for (const auto& v : views_) {
      sum += v.changes;
    }
    return sum;
  }

private:
  struct view {
    std::vector<std::pair<std::uint64_t*, std::uint64_t>> waiting;
    long changes = 0;
  };
  std::vector<view> views_;
};

} // namespace mc

#endif

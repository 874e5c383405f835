// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a thread is about to do, so far as others could notice. Of two steps that no thread can tell
// the order of, only one order needs to be explored.

#ifndef SMARM_TEST_MODEL_STEP_HPP
#define SMARM_TEST_MODEL_STEP_HPP

#include "memory.hpp"

#include <algorithm>
#include <cstdint>

namespace mc {

enum class access : std::uint8_t {
  load,
  late_store, // into the store buffer
  store,      // this and what follows lets earlier stores of the thread reach memory
  modify,
  fence,
  anything // blocks, pauses: never commutes
};

struct step {
  // `by` is a thread, or ~thread: the oldest waiting store of that thread reaches memory.
  static step of(int by, access how, const std::uint64_t* word, const memory& m) {
    step s;
    s.by = by;
    if (by < 0) {
      s.written[s.writes++] = m.waiting_word(~by, 0);
      return s;
    }
    s.drains = how >= access::store;
    s.anything = how == access::anything || (s.drains && m.waiting_count(by) > 2);
    if (how == access::load) {
      s.loaded = word;
      s.read = m.waits_for(by, word) ? nullptr : word;
    }
    if (how == access::store || how == access::modify) {
      s.written[s.writes++] = word;
    }
    for (std::size_t i = 0; s.drains && !s.anything && i < m.waiting_count(by); ++i) {
      s.written[s.writes++] = m.waiting_word(by, i);
    }
    return s;
  }

  [[nodiscard]] bool commutes(const step& other) const {
    if (anything || other.anything) {
      return false;
    }
    const int thread = std::max(by, ~by);
    if (thread == std::max(other.by, ~other.by)) {
      // A waiting store and what its thread does next. A load that is answered by the waiting
      // store is another one once that is gone: others can overwrite it then.
      const step& store = by < 0 ? *this : other;
      const step& next = by < 0 ? other : *this;
      return next.by >= 0 && store.by < 0 && !next.drains && next.loaded != store.written[0];
    }
    return !other.touches_what(*this) && !touches_what(other);
  }

  int by = 0;

private:
  // Does it read or write a word that the other one writes?
  [[nodiscard]] bool touches_what(const step& other) const {
    return std::any_of(other.written, other.written + other.writes, [this](auto* word) {
      return word == read || std::find(written, written + writes, word) != written + writes;
    });
  }

  bool anything = false;
  bool drains = false;
  const std::uint64_t* loaded = nullptr;
  const std::uint64_t* read = nullptr; // loaded, and not from the own store buffer
  const std::uint64_t* written[3] = {};
  int writes = 0;
};

} // namespace mc

#endif

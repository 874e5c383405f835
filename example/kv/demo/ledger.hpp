// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// What one client knows of its keys, which nobody else writes: what the store has told that it has, and
// what it may have besides, since it has told that it does not know. Every value that is seen is held
// against it.
//
// Keys with even numbers are set to rising numbers, the others are counted up; so what may be there is
// always a range of numbers.

#ifndef KV_DEMO_LEDGER_HPP
#define KV_DEMO_LEDGER_HPP

#include "line.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kv_demo {

enum class operation : unsigned char { get, write };

class ledger {
public:
  ledger(std::size_t client, std::size_t keys);

  [[nodiscard]] std::size_t keys() const noexcept { return known_.size(); }
  [[nodiscard]] std::string key(std::size_t number) const;

  // Appends the request to what will be sent.
  void ask(operation what, std::size_t number, std::string& requests);
  // Its reply. Replies come in the order of the requests.
  void answered(operation what, std::size_t number, const reply& r);

  std::uint64_t acknowledged = 0; // writes
  std::uint64_t uncertain = 0;    // requests of which the store said that it does not know
  std::uint64_t refused = 0;      // of which it said that they were not done
  std::uint64_t lost = 0;         // values that were there before, by its own word
  std::uint64_t invented = 0;     // values that cannot be
  std::string first_trouble;

private:
  struct entry {
    std::int64_t least = 0, most = 0; // what it may be
    std::int64_t next = 0;            // what it is set to next
    std::vector<std::int64_t> sent;   // not answered yet, the oldest at `first_sent`
    std::size_t first_sent = 0;
  };
  [[nodiscard]] static bool counts(std::size_t number) noexcept { return number % 2 != 0; }
  void seen(std::size_t number, std::int64_t value, std::int64_t least, std::int64_t most);

  std::size_t client_;
  std::vector<entry> known_;
};

} // namespace kv_demo

#endif

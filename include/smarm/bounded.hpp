// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The bound of a channel: how many messages it holds, what a send does when it is full, and how
// often that happened. For channel(bounded) of channel.hpp.

#ifndef SMARM_BOUNDED_HPP
#define SMARM_BOUNDED_HPP

#include <cstddef>
#include <cstdint>

namespace smarm {

//[bounded_outline
// What `send` does when the channel is full.
enum class overflow : unsigned char {
  block,       // waits for room: the sender is slowed down to the receiver's pace
  fail,        // fails with errc::queue_full; the value stays with the sender
  drop_newest, // succeeds, and the message is thrown away
  drop_oldest  // succeeds, and the message that has waited longest is thrown away
};

struct bounded {
  std::size_t capacity = 0; // messages, 1 to 2^32; what most policies need is allocated at once
  overflow when_full = overflow::block;
};

// How often a channel was full. Each counter belongs to a policy; the others stay zero, and all of
// them do for an unbounded channel.
struct overflow_counts {
  std::uint64_t blocked = 0;        // sends that had to wait for room
  std::uint64_t refused = 0;        // sends and tries that failed with errc::queue_full
  std::uint64_t dropped_newest = 0; // messages thrown away as they came
  std::uint64_t dropped_oldest = 0; // messages thrown away to make room
};
//]

} // namespace smarm

#endif

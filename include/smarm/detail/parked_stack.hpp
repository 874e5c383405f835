// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Looking at an actor that waits: nobody can resume it meanwhile, and its frames are found by the
// unwinder that exceptions use, which starts where the context was saved and only reads.

#ifndef SMARM_DETAIL_PARKED_STACK_HPP
#define SMARM_DETAIL_PARKED_STACK_HPP

#include <smarm/detail/context.hpp>
#include <smarm/detail/slot_word.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace smarm::detail {

struct slot;

// Keeps a parked actor where it is for as long as it lives, see slot_word::hold. Who makes one keeps the
// actor's runtime from going, and makes no two of the same actor.
class held_actor {
public:
  explicit held_actor(slot& s) noexcept;
  held_actor(const held_actor&) = delete;
  held_actor& operator=(const held_actor&) = delete;
  ~held_actor();

  // False: it is not parked.
  [[nodiscard]] explicit operator bool() const noexcept { return held_; }
  [[nodiscard]] const slot_snapshot& was() const noexcept { return was_; }

private:
  slot& slot_;
  slot_snapshot was_{};
  const bool held_;
};

using frame_addresses = std::vector<void*>;

// Of a saved context that stays as it is meanwhile, innermost first. Empty on processors for which
// this is not written. Throws std::bad_alloc.
[[nodiscard]] frame_addresses frames_of(fcontext_t saved);
// Of the caller, without the innermost `skipped` ones and this function itself.
[[nodiscard]] frame_addresses frames_here(std::size_t skipped = 0);

// As "name + 0x12 (module+0x34)", what is not known left out.
[[nodiscard]] std::string frame_text(void* address);

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The actor-local values of one actor: found by the number of their variable, and kept in the order
// in which they were made. Only the actor itself, or what it runs on the thread's stack, comes
// here: no lock.

#ifndef SMARM_DETAIL_LOCAL_VALUES_HPP
#define SMARM_DETAIL_LOCAL_VALUES_HPP

#include <smarm/detail/config.hpp>

#include <boost/intrusive/list.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace smarm::detail {

struct slot;

// Numbers variables, from 1 on; a number is never given twice.
using local_key = std::uint32_t;

struct local_value : boost::intrusive::list_base_hook<> {
  // Destroys the value, which may throw, and frees the rest in any case.
  void (*destroy)(local_value& self) = nullptr;
  local_key key = 0;
};

using local_list = boost::intrusive::list<local_value, boost::intrusive::constant_time_size<false>>;

class local_values {
public:
  // Null: not made yet.
  [[nodiscard]] local_value* find(local_key key) const noexcept {
    return SMARM_LIKELY(key < by_key_.size()) ? by_key_[key] : nullptr;
  }

  // Room for one, so that keep() cannot fail. Throws std::bad_alloc.
  void reserve(local_key key) {
    if (key >= by_key_.size()) {
      by_key_.resize(std::size_t{key} + 1);
    }
  }
  // The newest of all.
  void keep(local_value& value) noexcept {
    by_key_[value.key] = &value;
    in_order_.push_back(value);
  }
  void remove(local_value& value) noexcept {
    by_key_[value.key] = nullptr;
    in_order_.erase(local_list::s_iterator_to(value));
  }

  // Those that are there now, oldest first; each can still be found until it is forgotten.
  void take_all(local_list& into) noexcept { into.swap(in_order_); }
  void forget(const local_value& value) noexcept { by_key_[value.key] = nullptr; }
  [[nodiscard]] bool empty() const noexcept { return in_order_.empty(); }

  // Whose factories run right now, the innermost first.
  struct in_the_making {
    local_key key;
    in_the_making* outer;
  };
  in_the_making* making = nullptr;

private:
  std::vector<local_value*> by_key_;
  local_list in_order_;
};

// The actor ends: destroys its values, on its own stack and while it is still an actor.
void destroy_locals(slot& me) noexcept;

} // namespace smarm::detail

#endif

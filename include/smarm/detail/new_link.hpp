// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A link of the caller with an actor that is about to be spawned.

#ifndef SMARM_DETAIL_NEW_LINK_HPP
#define SMARM_DETAIL_NEW_LINK_HPP

#include <smarm/detail/link_set.hpp>
#include <smarm/detail/relations.hpp>
#include <smarm/pid.hpp>

#include <memory>

namespace smarm::detail {

struct slot;

class new_link {
public:
  // Everything that may fail. Throws std::bad_alloc, system_error(errc::not_in_actor).
  new_link();
  // Before the new actor can run.
  void operator()(slot& s, pid child, relations& of_child) noexcept;

private:
  slot& self_;
  std::unique_ptr<link_half> mine_;
  std::unique_ptr<link_half> theirs_;
};

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A scope keeps the groups of one part of a program apart from those of another: the same name in
// two scopes means two groups.
//
//     inline constexpr smarm::group_scope billing("billing");
//     inline constexpr smarm::process_group<worker> pool("pool", billing);

#ifndef SMARM_GROUP_SCOPE_HPP
#define SMARM_GROUP_SCOPE_HPP

#include <string>
#include <string_view>
#include <vector>

namespace smarm {

class runtime_handle;

class group_scope {
public:
  // The scope of groups that name none.
  constexpr group_scope() noexcept = default;
  // The text is not copied: a literal, or something that lives as long.
  explicit constexpr group_scope(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  // The names of its groups that have members, sorted, each once. In the caller's runtime, from
  // actors and in scheduler context; throws system_error(errc::not_in_actor) on a plain thread,
  // where the form with a handle works: that one finds nothing where the runtime is gone. Both
  // throw std::bad_alloc. Neither suspends nor is a stop point. Linear in the number of the
  // runtime's groups.
  [[nodiscard]] std::vector<std::string> which_groups() const;
  [[nodiscard]] std::vector<std::string> which_groups(const runtime_handle& in) const;

  friend constexpr bool operator==(const group_scope&, const group_scope&) noexcept = default;

private:
  std::string_view text_;
};

} // namespace smarm

#endif

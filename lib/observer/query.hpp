// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The target of a request, taken apart: a path, and fields of which each may be there once.

#ifndef SMARM_LIB_OBSERVER_QUERY_HPP
#define SMARM_LIB_OBSERVER_QUERY_HPP

#include <smarm/pid.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace smarm::observer_http_detail {

// What is wrong with a request, for whoever made it.
struct bad_request : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class query {
public:
  // Throws bad_request.
  explicit query(std::string_view target);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  // These take a field out. Throw bad_request if it is not what it should be.
  [[nodiscard]] std::string text(const char* name);
  [[nodiscard]] std::size_t number(const char* name, std::size_t otherwise, std::size_t most);
  [[nodiscard]] bool flag(const char* name);
  [[nodiscard]] std::optional<pid> actor(const char* name);
  // Lastly: throws bad_request if any is left.
  void done() const;

private:
  std::string path_;
  std::map<std::string, std::string, std::less<>> fields_;
};

} // namespace smarm::observer_http_detail

#endif

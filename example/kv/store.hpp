// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The whole: the partitions, then the listener, each a tree of its own under the application.

#ifndef KV_STORE_HPP
#define KV_STORE_HPP

#include "settings.hpp"

#include <smarm/application.hpp>

#include <memory>
#include <vector>

namespace kv {

// Makes the directory what it must be, and keeps others from using it. Throws std::runtime_error if it
// belongs to another process, or was made with another number of partitions.
class store_directory {
public:
  explicit store_directory(const settings& how);
  store_directory(const store_directory&) = delete;
  ~store_directory();

private:
  int lock_ = -1;
};

// To be run while the directory is held.
[[nodiscard]] std::vector<smarm::application_root> roots(const settings& how);

} // namespace kv

#endif

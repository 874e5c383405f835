// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which descriptors the process has open, for tests that none is left behind.

#ifndef SMARM_TEST_DESCRIPTORS_OF_PROCESS_HPP
#define SMARM_TEST_DESCRIPTORS_OF_PROCESS_HPP

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace smarm_test {

inline std::set<int> open_descriptors() {
  std::set<int> all;
  if (DIR* const folder = ::opendir("/proc/self/fd")) {
    while (const dirent* entry = ::readdir(folder)) {
      if (entry->d_name[0] != '.') {
        all.insert(std::atoi(entry->d_name));
      }
    }
    all.erase(::dirfd(folder));
    ::closedir(folder);
  }
  return all;
}

// Whether none is open but those. One of these may be closed since: a thread that starts has one for a moment.
inline bool none_open_but(const std::set<int>& those) {
  const std::set<int> now = open_descriptors();
  return std::includes(those.begin(), those.end(), now.begin(), now.end());
}

} // namespace smarm_test

#endif

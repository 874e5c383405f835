// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the system says about an address: for tests of stacks and their guards.

#ifndef SMARM_TEST_MEMORY_HPP
#define SMARM_TEST_MEMORY_HPP

#include <sys/syscall.h>
#include <unistd.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace smarm_test {

// Whether a byte can be read, asked of the kernel: no signal is raised.
inline bool readable(const void* address) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const long written = ::syscall(SYS_write, ends[1], address, std::size_t{1});
  ::close(ends[0]);
  ::close(ends[1]);
  return written == 1;
}

// A figure in KiB of the mapping that holds the address ("Rss", "LazyFree").
inline std::size_t smaps_kib(const void* address, const char* name) {
  std::ifstream smaps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2) {
      const auto at = reinterpret_cast<std::uintptr_t>(address);
      inside = begin <= at && at < end;
    } else if (inside && line.compare(0, std::strlen(name), name) == 0 &&
               line[std::strlen(name)] == ':') {
      return std::stoul(line.substr(std::strlen(name) + 1));
    }
  }
  return 0;
}

} // namespace smarm_test

#endif

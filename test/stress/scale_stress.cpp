// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A million actors at once, each asleep on a stack of its own: 4.3 GiB of memory. Skipped, and says
// so, where there is less, where the kernel's guards would split too many mappings, and where a
// sanitizer would need several times that.

#include <smarm/detail/config.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using namespace std::chrono_literals;

constexpr std::size_t gib = std::size_t{1} << 30;

std::size_t available_memory() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("MemAvailable:", 0) == 0) {
      return std::stoull(line.substr(13)) * 1024;
    }
  }
  return 0;
}

bool has_guard_regions() {
  bool has = false;
  smarm::run([&] {
    has = smarm::detail::current_scheduler()->runtime.stacks.guard() ==
          smarm::detail::guard_method::guard_region;
  });
  return has;
}

const char* why_not() {
  if (SMARM_ASAN || SMARM_TSAN) {
    return "the build has a sanitizer";
  }
  if (!has_guard_regions()) {
    return "the kernel has no guard regions";
  }
  if (available_memory() < 8 * gib) {
    return "less than 8 GiB of memory are available";
  }
  return nullptr;
}

} // namespace

int main() {
  constexpr std::size_t actors = 1'000'000;
  if (const char* reason = why_not()) {
    std::printf("SKIPPED: a million actors at once: %s\n", reason);
    return EXIT_SUCCESS;
  }
  std::atomic<std::size_t> asleep{0};
  std::size_t stacks = 0;
  std::size_t started = actors;
  // Where fresh memory comes at a tenth of a millisecond a page, a million would take the test's time.
  const auto patience = std::chrono::steady_clock::now() + 100s;
  smarm::runtime rt({.schedulers = 2,
                     .max_actors = 2 * actors,
                     .stack_size = 64 * 1024,
                     .warm_stacks = actors});
  rt.run([&] {
    for (std::size_t i = 0; i < actors; ++i) {
      smarm::spawn([&] {
        ++asleep;
        smarm::this_actor::sleep_for(24h);
      }).detach();
      if (i % 256 == 255) {
        smarm::this_actor::yield(); // lets them start while they are few
        if (std::chrono::steady_clock::now() > patience) {
          started = i + 1;
          break;
        }
      }
    }
    while (asleep != started) {
      smarm::this_actor::yield();
    }
    stacks = rt.stats().stacks_in_use;
  });
  if (started != actors) {
    std::printf("SKIPPED: a million actors at once: memory comes too slowly, %zu were\n", started);
  }
  std::printf("%zu asleep at once on %zu stacks, %llu ended\n", asleep.load(), stacks,
              static_cast<unsigned long long>(rt.stats().ended));
  return stacks >= started && rt.stats().ended == started + 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "store.hpp"

#include "listener.hpp"
#include "partition.hpp"

#include <smarm/child_start.hpp>
#include <smarm/dynamic_supervisor.hpp>
#include <smarm/partition_supervisor.hpp>
#include <smarm/supervisor.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace kv {

using namespace std::chrono_literals;

store_directory::store_directory(const settings& how) {
  if (how.directory.empty()) {
    return;
  }
  const std::filesystem::path directory(how.directory);
  std::filesystem::create_directories(directory);
  lock_ = ::open((directory / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    throw std::runtime_error(how.directory + " is in use by another process, or not writable");
  }
  // A key is in the log of its partition, so their number is the directory's for ever.
  const std::filesystem::path note = directory / "partitions";
  std::size_t noted = 0;
  if (std::ifstream(note) >> noted) {
    if (noted != how.partitions) {
      throw std::runtime_error(how.directory + " was made with --partitions " +
                               std::to_string(noted));
    }
    return;
  }
  const std::filesystem::path fresh = directory / "partitions.new";
  if (!(std::ofstream(fresh) << how.partitions << '\n').flush()) {
    throw std::runtime_error("cannot write " + fresh.string());
  }
  std::filesystem::rename(fresh, note);
}

store_directory::~store_directory() {
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

std::vector<smarm::application_root> roots(const settings& how) {
  const auto stores = partitions::with_index(
      {.partitions = how.partitions,
       // One that is abandoned could still write to the log of its successor.
       .child = {.id = "partition", .shutdown = smarm::infinity, .grace = smarm::infinity},
       .supervisor = {.intensity = 100, .period = 10s}},
      [how](std::size_t index) { return smarm::server<partition>(how, index); });
  const auto front = smarm::server<listener>(how, stores, std::make_shared<server_status>());
  // In this order, and ended in the other one: first nobody comes any more, then the clients go.
  return {{.id = "partitions", .start = stores.as_child()},
          {.id = "clients",
           .start = smarm::dynamic_supervisor(
               {.max_children = how.most_connections, .name = clients_name})},
          {.id = "front",
           .start =
               smarm::supervision_tree({}, {{.id = "listener", .start = front, .shutdown = 10s}})}};
}

} // namespace kv

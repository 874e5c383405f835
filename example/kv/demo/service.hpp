// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// The store with all that it needs in this process: a runtime, a directory that goes with it, a port.

#ifndef KV_DEMO_SERVICE_HPP
#define KV_DEMO_SERVICE_HPP

#include "../store.hpp"
#include "screen.hpp"

#include <smarm/application.hpp>
#include <smarm/runtime.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace kv_demo {

class temporary_directory {
public:
  // Throws std::system_error.
  temporary_directory();
  temporary_directory(const temporary_directory&) = delete;
  ~temporary_directory();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  std::string path_;
};

class service {
public:
  // Its port and directory are found here. Throws std::exception's if it cannot be started.
  explicit service(kv::settings how);
  ~service() { (void)end(); }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] const std::string& directory() const noexcept { return directory_.path(); }
  // For each partition a key that belongs to it.
  [[nodiscard]] std::vector<std::string> a_key_of_each() const;
  // Of actors that crashed, and snapshots that took the place of a log.
  [[nodiscard]] std::uint64_t crashes() const noexcept { return crashes_; }
  [[nodiscard]] std::uint64_t compactions() const noexcept { return compactions_; }

  // Who started whom, and how often anew.
  void show_tree(screen& to) const;
  // In good order, once. False: it was not.
  bool end();

private:
  [[nodiscard]] kv::settings completed(kv::settings how);

  // Written by the store's actors, read when it is over or just to be shown.
  std::atomic<std::uint64_t> crashes_{0}, compactions_{0};
  std::uint16_t port_ = 0; // written before the start returns
  temporary_directory directory_;
  kv::settings how_;
  kv::store_directory held_;
  smarm::runtime runtime_;
  smarm::application store_;
  bool runs_ = false;
};

} // namespace kv_demo

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// A file as the logs and snapshots need it: everything at a place, whole or not at all, with errors that
// are values. All calls block, and want to be made by smarm::blocking.

#ifndef KV_LOG_FILE_HPP
#define KV_LOG_FILE_HPP

#include "disk_step.hpp"

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kv {

// One descriptor, which may be shared with whoever makes the file durable.
class log_file {
public:
  enum class mode : unsigned char { read, append, fresh }; // fresh: there may be none yet

  // Throws boost::system::system_error, with a text that names the file.
  log_file(std::string path, mode how, disk_hook in_place_of = {});
  log_file(const log_file&) = delete;
  ~log_file();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const disk_hook& hook() const noexcept { return in_place_of_; }
  [[nodiscard]] std::uint64_t size() const;                        // throws, too
  void read(std::uint64_t from, char* to, std::size_t size) const; // throws, too

  // These as one record, see log_record.hpp, at that place. Who calls asks the hook.
  [[nodiscard]] boost::system::error_code write(std::uint64_t at, std::string_view content) const;
  // Whether there is room for so much at that place: it is written, and taken away again.
  [[nodiscard]] boost::system::error_code try_room(std::uint64_t at, std::size_t size) const;
  [[nodiscard]] boost::system::error_code truncate(std::uint64_t size) const;
  // Waits until what was written is on the disk.
  [[nodiscard]] boost::system::error_code sync(disk_step step = disk_step::sync) const;

private:
  std::string path_;
  disk_hook in_place_of_;
  int descriptor_;
};

// A file's name is found again after a crash of the machine only if its directory was written.
[[nodiscard]] boost::system::error_code sync_directory_of(const std::string& path,
                                                          const disk_hook& in_place_of);

[[nodiscard]] boost::system::error_code last_error() noexcept; // errno

} // namespace kv

#endif

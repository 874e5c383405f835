// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// A snapshot while it is being written: a file of records, see log_record.hpp, under a name that nobody
// looks for. It gets its own name when all of it is on the disk.
//
// All calls block, and want to be made by smarm::blocking.

#ifndef KV_SNAPSHOT_FILE_HPP
#define KV_SNAPSHOT_FILE_HPP

#include "log_file.hpp"

#include <boost/system/error_code.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kv {

class snapshot_file {
public:
  static constexpr std::string_view unfinished = ".new"; // behind its name

  // Throws boost::system::system_error, with a text that names it.
  snapshot_file(std::string path, const disk_hook& in_place_of);
  // Removes what was not published.
  ~snapshot_file();
  snapshot_file(const snapshot_file&) = delete;

  [[nodiscard]] boost::system::error_code write(std::string_view changes);
  // The last record, and waits until all of it is on the disk.
  [[nodiscard]] boost::system::error_code finish();
  // From now on it is what a recovery begins with. If that fails it may be so or not.
  [[nodiscard]] boost::system::error_code publish();

  [[nodiscard]] std::uint64_t size() const noexcept { return end_; }

private:
  std::string path_;
  log_file file_;
  std::uint64_t end_ = 0;
  bool published_ = false;
};

} // namespace kv

#endif

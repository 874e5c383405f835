// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// The file that a partition's changes are appended to, see log_record.hpp.
//
// All calls block, and want to be made by smarm::blocking.

#ifndef KV_APPEND_LOG_HPP
#define KV_APPEND_LOG_HPP

#include "log_file.hpp"
#include "log_reader.hpp"

#include <boost/system/error_code.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kv {

class append_log {
public:
  // Makes the file if there is none. Throws boost::system::system_error, with a text that names it.
  explicit append_log(const std::string& path, const disk_hook& in_place_of = {});

  // Makes the changes that it holds, and cuts off a torn tail. Throws as kv::replay.
  replayed recover(keyspace& into);

  // Writes these changes as one record, and waits until it is on the disk if that is wanted. If that
  // fails, nothing of it stays.
  [[nodiscard]] boost::system::error_code write(std::string_view changes, bool sync);
  // Whether so much could be written now.
  [[nodiscard]] boost::system::error_code try_room(std::size_t size) const {
    return file_->try_room(end_, size);
  }
  // Is written no more, and all that was is on the disk.
  [[nodiscard]] boost::system::error_code finish() const;

  [[nodiscard]] const std::shared_ptr<log_file>& file() const noexcept { return file_; }
  [[nodiscard]] const std::string& path() const noexcept { return file_->path(); }
  [[nodiscard]] std::uint64_t size() const noexcept { return end_; }

private:
  std::shared_ptr<log_file> file_;
  std::uint64_t end_ = 0; // of the last whole record
};

} // namespace kv

#endif

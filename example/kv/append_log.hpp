// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The file that a partition's changes are appended to. It is made of records, each of them all that was
// written at once:
//
//     length of the changes (8 bytes) | their CRC-32 (4) | CRC-32 of these 12 bytes (4) | the changes
//
// with the changes as commands, as a client would send them. A crash may leave a last record that is not
// whole; nobody was told that what is in it was done, and it is cut off. A record that is damaged, with
// something behind it, is no crash's doing: the file is left alone, and an error says where.
//
// All calls block, and want to be made by smarm::blocking.

#ifndef KV_APPEND_LOG_HPP
#define KV_APPEND_LOG_HPP

#include "keyspace.hpp"

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kv {

// A descriptor that is shared with whoever makes its file durable.
class log_file {
public:
  explicit log_file(int descriptor) noexcept : descriptor_(descriptor) {}
  log_file(const log_file&) = delete;
  ~log_file();
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  // Waits until what was written is on the disk.
  [[nodiscard]] boost::system::error_code sync() const noexcept;

private:
  int descriptor_;
};

struct recovery {
  std::uint64_t commands = 0, bytes = 0, torn_bytes = 0;
};

class append_log {
public:
  // Makes the file if there is none. Throws boost::system::system_error, with a text that names it.
  explicit append_log(std::string path);

  // Makes the changes that it holds, and cuts off a torn tail. Throws boost::system::system_error: what
  // the system says, or bad_message for a file that is damaged.
  recovery recover(keyspace& into);

  // Writes these changes as one record, and waits until it is on the disk if that is wanted. If that
  // fails, nothing of it stays.
  [[nodiscard]] boost::system::error_code write(std::string_view changes, bool sync);

  [[nodiscard]] const std::shared_ptr<log_file>& file() const noexcept { return file_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  [[noreturn]] void damaged(std::uint64_t at, const char* how) const;
  // Whether nothing but zeros is from there on: a file that had grown before its data was written.
  [[nodiscard]] bool blank(std::uint64_t from, std::uint64_t size) const;
  boost::system::error_code take_back();
  void read(std::uint64_t from, char* to, std::size_t size) const;

  std::string path_;
  std::shared_ptr<log_file> file_;
  std::uint64_t end_ = 0; // of the last whole record
};

} // namespace kv

#endif

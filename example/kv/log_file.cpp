// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "log_file.hpp"

#include "log_record.hpp"

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

namespace kv {

using boost::system::error_code;
using boost::system::system_error;

namespace {

error_code write_all(int descriptor, std::uint64_t at, std::array<iovec, 2> parts) {
  for (std::size_t first = 0; first < parts.size();) {
    const ssize_t put = ::pwritev(descriptor, &parts[first], static_cast<int>(parts.size() - first),
                                  static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      return last_error();
    }
    at += static_cast<std::uint64_t>(put);
    auto left = static_cast<std::size_t>(put);
    for (; first < parts.size() && left >= parts[first].iov_len; ++first) {
      left -= parts[first].iov_len;
    }
    if (first < parts.size()) {
      parts[first].iov_base = static_cast<char*>(parts[first].iov_base) + left;
      parts[first].iov_len -= left;
    }
  }
  return {};
}

} // namespace

error_code last_error() noexcept { return {errno, boost::system::system_category()}; }

log_file::log_file(std::string path, mode how, disk_hook in_place_of)
    : path_(std::move(path)), in_place_of_(std::move(in_place_of)),
      descriptor_(::open(path_.c_str(),
                         O_CLOEXEC | (how == mode::read     ? O_RDONLY
                                      : how == mode::append ? O_RDWR
                                                            : O_RDWR | O_CREAT),
                         0644)) {
  if (descriptor_ < 0) {
    throw system_error(last_error(), path_);
  }
}

log_file::~log_file() { ::close(descriptor_); }

std::uint64_t log_file::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    throw system_error(last_error(), path_);
  }
  return static_cast<std::uint64_t>(status.st_size);
}

void log_file::read(std::uint64_t from, char* to, std::size_t size) const {
  while (size != 0) {
    const ssize_t got = ::pread(descriptor_, to, size, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      throw system_error(got < 0 ? last_error() : make_error_code(boost::system::errc::io_error),
                         path_);
    }
    from += static_cast<std::uint64_t>(got);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

error_code log_file::write(std::uint64_t at, std::string_view content) const {
  record_header head = header_of(content);
  return write_all(
      descriptor_, at,
      {{{head.data(), head.size()}, {const_cast<char*>(content.data()), content.size()}}});
}

error_code log_file::try_room(std::uint64_t at, std::size_t size) const {
  if (const auto outcome = instead(in_place_of_, disk_step::write)) {
    return *outcome;
  }
  // Zeros at the end are a torn tail, if it should crash now.
  const std::vector<char> zeros(size);
  const error_code failed =
      write_all(descriptor_, at, {{{const_cast<char*>(zeros.data()), size}, {nullptr, 0}}});
  const error_code truncated = truncate(at);
  return failed ? failed : truncated;
}

error_code log_file::truncate(std::uint64_t size) const {
  return ::ftruncate(descriptor_, static_cast<off_t>(size)) == 0 ? error_code() : last_error();
}

error_code log_file::sync(disk_step step) const {
  if (const auto outcome = instead(in_place_of_, step)) {
    return *outcome;
  }
  return ::fdatasync(descriptor_) == 0 ? error_code() : last_error();
}

error_code sync_directory_of(const std::string& path, const disk_hook& in_place_of) {
  if (const auto outcome = instead(in_place_of, disk_step::sync_directory)) {
    return *outcome;
  }
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const int opened =
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) {
    return last_error();
  }
  const error_code done = ::fsync(opened) == 0 ? error_code() : last_error();
  ::close(opened);
  return done;
}

} // namespace kv

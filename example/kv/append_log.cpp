// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "append_log.hpp"

#include "resp_parser.hpp"

#include <boost/crc.hpp>
#include <boost/endian/conversion.hpp>
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

namespace kv {

namespace {

using boost::system::error_code;
using boost::system::system_error;

constexpr std::size_t header_size = 16;
using header = std::array<char, header_size>;

std::uint32_t checksum(const char* data, std::size_t size) {
  boost::crc_32_type crc;
  crc.process_bytes(data, size);
  return crc.checksum();
}

template <class T>
T number_at(const header& h, std::size_t at) {
  return boost::endian::endian_load<T, sizeof(T), boost::endian::order::little>(
      reinterpret_cast<const unsigned char*>(h.data() + at));
}

template <class T>
void put_number(header& h, std::size_t at, T value) {
  boost::endian::endian_store<T, sizeof(T), boost::endian::order::little>(
      reinterpret_cast<unsigned char*>(h.data() + at), value);
}

header header_of(std::string_view changes) {
  header h{};
  put_number<std::uint64_t>(h, 0, changes.size());
  put_number<std::uint32_t>(h, 8, checksum(changes.data(), changes.size()));
  put_number<std::uint32_t>(h, 12, checksum(h.data(), 12));
  return h;
}

error_code last_error() { return {errno, boost::system::system_category()}; }

// A new file is found again after a crash of the machine only if its directory was written.
void sync_directory_of(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const log_file opened(
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.descriptor() < 0 || ::fsync(opened.descriptor()) != 0) {
    throw system_error(last_error(), directory);
  }
}

} // namespace

log_file::~log_file() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

error_code log_file::sync() const noexcept {
  return ::fdatasync(descriptor_) == 0 ? error_code() : last_error();
}

append_log::append_log(std::string path) : path_(std::move(path)) {
  file_ = std::make_shared<log_file>(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file_->descriptor() < 0) {
    throw system_error(last_error(), path_);
  }
  sync_directory_of(path_);
}

void append_log::damaged(std::uint64_t at, const char* how) const {
  throw system_error(make_error_code(boost::system::errc::bad_message),
                     path_ + " is damaged at byte " + std::to_string(at) + " (" + how +
                         "); restore it, or truncate it there to give up what is behind");
}

void append_log::read(std::uint64_t from, char* to, std::size_t size) const {
  while (size != 0) {
    const ssize_t got = ::pread(file_->descriptor(), to, size, static_cast<off_t>(from));
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

bool append_log::blank(std::uint64_t from, std::uint64_t size) const {
  std::string room;
  while (from < size) {
    room.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size - from, 65'536)));
    read(from, room.data(), room.size());
    if (room.find_first_not_of('\0') != std::string::npos) {
      return false;
    }
    from += room.size();
  }
  return true;
}

recovery append_log::recover(keyspace& into) {
  struct stat status {};
  if (::fstat(file_->descriptor(), &status) != 0) {
    throw system_error(last_error(), path_);
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  recovery done;
  std::string window; // what was read ahead, from window_at on
  std::uint64_t window_at = 0;
  const auto bytes = [&](std::uint64_t from, std::uint64_t count) -> std::string_view {
    constexpr std::uint64_t ahead = std::uint64_t{1} << 20;
    if (from < window_at || from + count > window_at + window.size()) {
      window.resize(static_cast<std::size_t>(std::min(std::max(count, ahead), size - from)));
      read(from, window.data(), window.size());
      window_at = from;
    }
    return std::string_view(window).substr(static_cast<std::size_t>(from - window_at),
                                           static_cast<std::size_t>(count));
  };

  end_ = 0;
  while (size - end_ >= header_size) {
    header h;
    std::ranges::copy(bytes(end_, header_size), h.begin());
    if (number_at<std::uint32_t>(h, 12) != checksum(h.data(), 12)) {
      if (!blank(end_ + header_size, size)) {
        damaged(end_, "a record's beginning");
      }
      break;
    }
    const auto length = number_at<std::uint64_t>(h, 0);
    if (length > size - end_ - header_size) {
      break;
    }
    std::string_view changes = bytes(end_ + header_size, length);
    const std::uint64_t behind = end_ + header_size + length;
    if (number_at<std::uint32_t>(h, 8) != checksum(changes.data(), changes.size())) {
      if (!blank(behind, size)) {
        damaged(end_, "a record's content");
      }
      break;
    }
    resp_parser parser;
    while (!changes.empty()) {
      const command* what = nullptr;
      if (parser.parse(changes) != resp_parser::outcome::command ||
          (what = find_command(parser.parsed().front())) == nullptr ||
          !takes(*what, parser.parsed().size())) {
        damaged(end_, "no command that this version knows");
      }
      into.replay(*what, parser.parsed());
      changes.remove_prefix(parser.consumed());
      ++done.commands;
    }
    end_ = behind;
  }
  done.bytes = end_;
  done.torn_bytes = size - end_;
  if (done.torn_bytes != 0 && (::ftruncate(file_->descriptor(), static_cast<off_t>(end_)) != 0 ||
                               ::fdatasync(file_->descriptor()) != 0)) {
    throw system_error(last_error(), path_);
  }
  return done;
}

error_code append_log::take_back() {
  const error_code why = last_error();
  (void)!::ftruncate(file_->descriptor(), static_cast<off_t>(end_)); // else it is a torn tail
  return why;
}

error_code append_log::write(std::string_view changes, bool sync) {
  header head = header_of(changes);
  std::array<iovec, 2> parts{
      {{head.data(), head.size()}, {const_cast<char*>(changes.data()), changes.size()}}};
  std::uint64_t at = end_;
  for (std::size_t first = 0; first < parts.size();) {
    const ssize_t put = ::pwritev(file_->descriptor(), &parts[first],
                                  static_cast<int>(parts.size() - first), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      return take_back();
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
  if (sync && ::fdatasync(file_->descriptor()) != 0) {
    return take_back();
  }
  end_ = at;
  return {};
}

} // namespace kv

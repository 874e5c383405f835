// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "log_reader.hpp"

#include "checksum.hpp"
#include "log_record.hpp"
#include "resp_parser.hpp"

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace kv {

void throw_damaged(const std::string& path, std::uint64_t at, const char* how) {
  throw boost::system::system_error(
      make_error_code(boost::system::errc::bad_message),
      path + " is damaged at byte " + std::to_string(at) + " (" + how +
          "); restore it, or truncate it there to give up what is behind");
}

namespace {

class reader {
public:
  reader(const log_file& file, keyspace& into, file_end end)
      : file_(file), into_(into), end_(end), size_(file.size()) {}

  replayed all() {
    bool marked = false;
    while (!marked && size_ - done_.bytes >= record_header_size) {
      record_header h;
      std::ranges::copy(bytes(done_.bytes, h.size()), h.begin());
      const std::uint64_t content = done_.bytes + h.size();
      const auto shape = read_header(h);
      if (!shape) {
        if (!blank(content)) {
          damaged("a record's beginning");
        }
        break;
      }
      if (shape->length > size_ - content) {
        break;
      }
      const std::string_view changes = bytes(content, shape->length);
      if (shape->checksum != checksum(changes)) {
        if (!blank(content + shape->length)) {
          damaged("a record's content");
        }
        break;
      }
      make(changes);
      marked = shape->length == 0 && end_ == file_end::marked;
      done_.bytes = content + shape->length;
    }
    done_.torn_bytes = size_ - done_.bytes;
    if (end_ == file_end::marked && !marked) {
      damaged("a snapshot's end is missing");
    }
    if (end_ != file_end::may_be_torn && done_.torn_bytes != 0) {
      damaged("what is behind it is no record");
    }
    return done_;
  }

private:
  // Read ahead; until the next call.
  std::string_view bytes(std::uint64_t from, std::uint64_t count) {
    constexpr std::uint64_t ahead = std::uint64_t{1} << 20;
    if (from < window_at_ || from + count > window_at_ + window_.size()) {
      window_.resize(static_cast<std::size_t>(std::min(std::max(count, ahead), size_ - from)));
      file_.read(from, window_.data(), window_.size());
      window_at_ = from;
    }
    return std::string_view(window_).substr(static_cast<std::size_t>(from - window_at_),
                                            static_cast<std::size_t>(count));
  }

  // Whether nothing but zeros is from there on: a file that had grown before its data was written.
  bool blank(std::uint64_t from) {
    while (from < size_) {
      const std::string_view some = bytes(from, std::min<std::uint64_t>(size_ - from, 65'536));
      if (some.find_first_not_of('\0') != some.npos) {
        return false;
      }
      from += some.size();
    }
    return true;
  }

  void make(std::string_view changes) {
    while (!changes.empty()) {
      const command* what = nullptr;
      if (parser_.parse(changes) != resp_parser::outcome::command ||
          (what = find_command(parser_.parsed().front())) == nullptr ||
          !takes(*what, parser_.parsed().size())) {
        damaged("no command that this version knows");
      }
      into_.replay(*what, parser_.parsed());
      changes.remove_prefix(parser_.consumed());
      ++done_.commands;
    }
  }

  [[noreturn]] void damaged(const char* how) const {
    throw_damaged(file_.path(), done_.bytes, how);
  }

  const log_file& file_;
  keyspace& into_;
  file_end end_;
  std::uint64_t size_;
  replayed done_;
  resp_parser parser_;
  std::string window_; // what was read ahead, from window_at_ on
  std::uint64_t window_at_ = 0;
};

} // namespace

replayed replay(const log_file& from, keyspace& into, file_end end) {
  return reader(from, into, end).all();
}

} // namespace kv

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "append_log.hpp"

#include "log_record.hpp"

#include <boost/system/system_error.hpp>

namespace kv {

using boost::system::error_code;

append_log::append_log(const std::string& path, const disk_hook& in_place_of)
    : file_(std::make_shared<log_file>(path, log_file::mode::fresh, in_place_of)) {}

replayed append_log::recover(keyspace& into) {
  const replayed found = replay(*file_, into, file_end::may_be_torn);
  end_ = found.bytes;
  if (found.torn_bytes != 0) {
    error_code failed = file_->truncate(end_);
    if (!failed) {
      failed = file_->sync();
    }
    if (failed) {
      throw boost::system::system_error(failed, path());
    }
  }
  return found;
}

error_code append_log::write(std::string_view changes, bool sync) {
  if (const auto outcome = instead(file_->hook(), disk_step::write)) {
    return *outcome;
  }
  error_code failed = file_->write(end_, changes);
  if (!failed && sync) {
    failed = file_->sync();
  }
  if (failed) {
    (void)file_->truncate(end_); // else it is a torn tail, and written over
    return failed;
  }
  end_ += record_header_size + changes.size();
  return {};
}

error_code append_log::finish() const {
  const error_code failed = file_->truncate(end_);
  return failed ? failed : file_->sync();
}

} // namespace kv

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "snapshot_file.hpp"

#include "log_record.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace kv {

using boost::system::error_code;

namespace {
// One that was left behind by a crash is another file, which an actor that is gone may still write.
std::string made_anew(std::string path) {
  (void)::unlink(path.c_str());
  return path;
}
} // namespace

snapshot_file::snapshot_file(std::string path, const disk_hook& in_place_of)
    : path_(std::move(path)),
      file_(made_anew(path_ + std::string(unfinished)), log_file::mode::fresh, in_place_of) {}

snapshot_file::~snapshot_file() {
  if (!published_) {
    (void)::unlink(file_.path().c_str());
  }
}

error_code snapshot_file::write(std::string_view changes) {
  if (const auto outcome = instead(file_.hook(), disk_step::write_snapshot)) {
    return *outcome;
  }
  const error_code failed = file_.write(end_, changes);
  if (!failed) {
    end_ += record_header_size + changes.size();
  }
  return failed;
}

error_code snapshot_file::finish() {
  const error_code failed = write({});
  return failed ? failed : file_.sync(disk_step::sync_snapshot);
}

error_code snapshot_file::publish() {
  if (const auto outcome = instead(file_.hook(), disk_step::publish)) {
    return *outcome;
  }
  if (std::rename(file_.path().c_str(), path_.c_str()) != 0) {
    return last_error();
  }
  published_ = true;
  return sync_directory_of(path_, file_.hook());
}

} // namespace kv

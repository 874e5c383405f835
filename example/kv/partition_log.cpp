// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "partition_log.hpp"

#include "number.hpp"

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace kv {

using boost::system::error_code;
using boost::system::system_error;

namespace {

constexpr std::string_view log_kind = ".log", snapshot_kind = ".snapshot";

} // namespace

partition_log::partition_log(std::string directory, std::size_t partition, disk_hook in_place_of)
    : directory_(std::move(directory)), partition_(partition),
      in_place_of_(std::move(in_place_of)) {}

std::string partition_log::path_of(generation g, std::string_view kind) const {
  return (std::filesystem::path(directory_) /
          ("partition-" + std::to_string(partition_) + '.' + std::to_string(g) + std::string(kind)))
      .string();
}

partition_log::files partition_log::find() const {
  files found;
  const std::string ours = "partition-" + std::to_string(partition_) + '.';
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(ours)) {
      continue;
    }
    if (name.ends_with(snapshot_file::unfinished)) {
      found.unfinished.push_back(entry.path().string());
      continue;
    }
    for (const auto kind : {log_kind, snapshot_kind}) {
      if (name.ends_with(kind) && name.size() > ours.size() + kind.size()) {
        const std::string_view middle =
            std::string_view(name).substr(ours.size(), name.size() - ours.size() - kind.size());
        if (const auto g = number<generation>(middle)) {
          (kind == log_kind ? found.logs : found.snapshots).push_back(*g);
        }
      }
    }
  }
  std::ranges::sort(found.logs);
  std::ranges::sort(found.snapshots);
  return found;
}

recovery partition_log::recover(keyspace& into) {
  const files found = find();
  base_ = found.snapshots.empty() ? 0 : found.snapshots.back();
  current_ = std::max(base_, found.logs.empty() ? 0 : found.logs.back());
  older_bytes_ = snapshot_bytes_ = 0;
  recovery done;
  if (!found.snapshots.empty()) {
    const replayed all = replay(log_file(path_of(base_, snapshot_kind), log_file::mode::read), into,
                                file_end::marked);
    done.commands += all.commands;
    snapshot_bytes_ = all.bytes;
  }
  const bool is_new = found.snapshots.empty() && found.logs.empty();
  for (generation g = base_; g <= current_; ++g) {
    if (!is_new && !std::ranges::binary_search(found.logs, g)) {
      throw system_error(make_error_code(boost::system::errc::no_such_file_or_directory),
                         path_of(g, log_kind) + " is missing; restore it");
    }
    if (g != current_) {
      const replayed all =
          replay(log_file(path_of(g, log_kind), log_file::mode::read), into, file_end::whole);
      done.commands += all.commands;
      older_bytes_ += all.bytes;
    }
  }
  log_.emplace(path_of(current_, log_kind), in_place_of_);
  const replayed all = log_->recover(into);
  done.commands += all.commands;
  done.torn_bytes = all.torn_bytes;
  done.torn_at = all.bytes;
  if (const error_code failed = sync_directory_of(path(), in_place_of_)) {
    throw system_error(failed, directory_);
  }
  // All that is needed was read.
  std::vector<std::string> useless = older_than(base_);
  useless.insert(useless.end(), found.unfinished.begin(), found.unfinished.end());
  (void)remove_files(useless, in_place_of_);
  return done;
}

error_code partition_log::write(std::string_view changes, bool sync) {
  return log_->write(changes, sync);
}

std::vector<std::string> partition_log::older_than(generation first) const {
  std::vector<std::string> paths;
  const files found = find();
  for (const auto& [generations, kind] :
       {std::pair(&found.snapshots, snapshot_kind), std::pair(&found.logs, log_kind)}) {
    for (const generation g : *generations) {
      if (g < first) {
        paths.push_back(path_of(g, kind));
      }
    }
  }
  return paths;
}

error_code partition_log::begin_snapshot(bool unsafe, std::shared_ptr<snapshot_file>& snapshot) {
  const error_code unfinished = log_->finish();
  if (unfinished && !unsafe) {
    return unfinished;
  }
  const generation next = current_ + 1;
  const std::string path = path_of(next, log_kind);
  try {
    snapshot = std::make_shared<snapshot_file>(path_of(next, snapshot_kind), in_place_of_);
    if (const auto outcome = instead(in_place_of_, disk_step::create); outcome && *outcome) {
      return *outcome;
    }
    append_log fresh(path, in_place_of_);
    if (const error_code failed = sync_directory_of(path, in_place_of_)) {
      // With that name there, a torn tail of the present log would be damage.
      if (::unlink(path.c_str()) != 0) {
        throw system_error(failed, directory_);
      }
      return failed;
    }
    older_bytes_ += log_->size();
    log_.emplace(std::move(fresh));
  } catch (const system_error& failed) {
    if (::access(path.c_str(), F_OK) == 0) {
      throw;
    }
    return failed.code();
  }
  current_ = next;
  return {};
}

error_code partition_log::publish(snapshot_file& snapshot, std::vector<std::string>& replaced) {
  if (const error_code failed = snapshot.publish()) {
    return failed;
  }
  base_ = current_;
  older_bytes_ = 0;
  snapshot_bytes_ = snapshot.size();
  replaced = older_than(base_);
  return {};
}

bool remove_files(const std::vector<std::string>& paths, const disk_hook& in_place_of) {
  bool gone = true;
  for (const std::string& path : paths) {
    if (instead(in_place_of, disk_step::remove) ||
        (::unlink(path.c_str()) != 0 && errno != ENOENT)) {
      gone = false;
    }
  }
  return gone;
}

} // namespace kv

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// All files of a partition. They have generations: the snapshot of a generation holds all that the
// generations before it had come to, and its log what has happened since.
//
//     partition-0.3.snapshot  partition-0.3.log  partition-0.4.log  partition-0.4.snapshot.new
//
// A compaction goes in steps, and a crash behind any of them loses nothing:
//
//     1. the log is made durable, and the next generation's is begun      recovery reads both logs
//     2. the snapshot is written under a name that nobody looks for       recovery removes it
//     3. it is made durable, and renamed                                  recovery begins with it
//     4. what is older is removed                                         recovery does that
//
// One that fails leaves one log more, and the next one takes that, too. All calls block, and want to be
// made by smarm::blocking.

#ifndef KV_PARTITION_LOG_HPP
#define KV_PARTITION_LOG_HPP

#include "append_log.hpp"
#include "keyspace.hpp"
#include "snapshot_file.hpp"

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct recovery {
  std::uint64_t commands = 0;
  std::uint64_t torn_bytes = 0; // cut off
  std::uint64_t torn_at = 0;
};

class partition_log {
public:
  partition_log(std::string directory, std::size_t partition, disk_hook in_place_of = {});

  // To be called first. Throws as kv::replay, and for a log that is not there; leaves all as it is then.
  recovery recover(keyspace& into);

  // As append_log's.
  [[nodiscard]] boost::system::error_code write(std::string_view changes, bool sync);
  [[nodiscard]] boost::system::error_code try_room(std::size_t size) const {
    return log_->try_room(size);
  }
  // Shared with whoever makes it durable.
  [[nodiscard]] const std::shared_ptr<log_file>& file() const noexcept { return log_->file(); }
  [[nodiscard]] const std::string& path() const noexcept { return log_->path(); }

  // What the next snapshot takes the place of; and the size of the last one.
  [[nodiscard]] std::uint64_t log_bytes() const noexcept { return older_bytes_ + log_->size(); }
  [[nodiscard]] std::uint64_t snapshot_bytes() const noexcept { return snapshot_bytes_; }

  // Step 1, and the file for 2. If it fails, all is as it was. `unsafe`: the log cannot be made durable any
  // more, and that is why there shall be a snapshot. Throws boost::system::system_error if nothing is sure.
  [[nodiscard]] boost::system::error_code begin_snapshot(bool unsafe,
                                                         std::shared_ptr<snapshot_file>& snapshot);
  // Step 3, once it has been written and finished. Gives the paths for step 4, which may be done by anybody
  // at any time. If it fails the snapshot may be there or not; as nothing is removed, both will do.
  [[nodiscard]] boost::system::error_code publish(snapshot_file& snapshot,
                                                  std::vector<std::string>& replaced);

private:
  using generation = std::uint64_t;
  struct files {
    std::vector<generation> snapshots, logs; // in order
    std::vector<std::string> unfinished;
  };
  [[nodiscard]] std::string path_of(generation g, std::string_view kind) const;
  [[nodiscard]] files find() const;
  [[nodiscard]] std::vector<std::string> older_than(generation first) const;

  std::string directory_;
  std::size_t partition_;
  disk_hook in_place_of_;
  generation base_ = 0, current_ = 0; // of the snapshot, and of the log that is written
  std::optional<append_log> log_;
  std::uint64_t older_bytes_ = 0; // of logs between the snapshot and the one that is written
  std::uint64_t snapshot_bytes_ = 0;
};

// Removes them if they are there. True: all are gone.
bool remove_files(const std::vector<std::string>& paths, const disk_hook& in_place_of);

} // namespace kv

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// Servers that wait for the disk while a partition goes on.

#ifndef KV_DISK_WORKERS_HPP
#define KV_DISK_WORKERS_HPP

#include "log_file.hpp"
#include "partition_log.hpp"
#include "snapshot_file.hpp"

#include <smarm/blocking.hpp>
#include <smarm/gen_server.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kv {

using disk_outcome = boost::system::result<boost::system::error_code>;

class log_syncer : public smarm::gen_server<log_syncer> {
public:
  struct sync {
    std::shared_ptr<log_file> file;
  };
  boost::system::error_code handle_call(sync what) {
    return smarm::blocking([&] { return what.file->sync(); });
  }
};

class snapshot_writer : public smarm::gen_server<snapshot_writer> {
public:
  struct write {
    std::shared_ptr<snapshot_file> file;
    std::string piece;
    bool last;
  };
  struct remove {
    std::vector<std::string> paths;
    disk_hook in_place_of;
  };
  boost::system::error_code handle_call(write what) {
    return smarm::blocking([&] {
      boost::system::error_code failed;
      if (!what.piece.empty()) {
        failed = what.file->write(what.piece);
      }
      return failed || !what.last ? failed : what.file->finish();
    });
  }
  // A large file takes its time. What stays is removed by the next one, or when the store is started.
  void handle_cast(remove what) {
    smarm::blocking([&] { (void)remove_files(what.paths, what.in_place_of); });
  }
};

} // namespace kv

#endif

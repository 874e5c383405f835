// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A key-value store in memory that speaks the protocol of Redis, and keeps a log of what was changed.
//
//     kv --port 6379 --dir DIRECTORY --partitions 2 --schedulers 2 --appendfsync everysec
//     redis-cli -p 6379 set key value

#include "descriptor_limit.hpp"
#include "settings.hpp"
#include "store.hpp"

#include <smarm/application.hpp>

#include <boost/program_options.hpp>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <string>

namespace options = boost::program_options;

namespace {

void print(std::string_view line) {
  std::string text(line);
  std::cout << (text += '\n') << std::flush;
}

} // namespace

int main(int argc, char** argv) {
  kv::settings how;
  unsigned schedulers = 0;
  std::string fsync = "everysec";
  options::options_description known("kv, a key-value store");
  known.add_options()("help", "this");
  auto add = known.add_options();
  add("port", options::value(&how.port)->default_value(6379), "0: one that is free");
  add("dir", options::value(&how.directory), "where the logs are; without, nothing is kept");
  add("partitions", options::value(&how.partitions)->default_value(2), "1 to 65536");
  add("schedulers", options::value(&schedulers)->default_value(0), "0: one for each core");
  add("appendfsync", options::value(&fsync)->default_value(fsync), "always, everysec or no");
  add("maxclients", options::value(&how.most_connections)->default_value(10'000), "at once");
  try {
    options::variables_map given;
    options::store(options::parse_command_line(argc, argv, known), given);
    options::notify(given);
    if (given.count("help") != 0) {
      std::cout << known;
      return EXIT_SUCCESS;
    }
    const std::map<std::string, kv::fsync_policy> policies = {
        {"always", kv::fsync_policy::always},
        {"everysec", kv::fsync_policy::everysec},
        {"no", kv::fsync_policy::no}};
    const auto policy = policies.find(fsync);
    if (policy == policies.end()) {
      throw options::validation_error(options::validation_error::invalid_option_value,
                                      "appendfsync", fsync);
    }
    how.fsync = policy->second;
    how.log = print;
    // Who comes above that is told so, which is better than waiting in the system's queue.
    const std::size_t fit = kv::make_room_for_connections(how.most_connections);
    if (fit < how.most_connections) {
      print("--maxclients is " + std::to_string(fit) +
            " here: the process may have no more descriptors");
      how.most_connections = fit;
    }

    const kv::store_directory directory(how);
    smarm::application store({.name = "kv", .stop_signals = {SIGTERM, SIGINT}, .log = print},
                             kv::roots(how));
    return store.run({.schedulers = schedulers});
  } catch (const std::exception& wrong) {
    std::cerr << "kv: " << wrong.what() << '\n';
    return 2;
  }
}

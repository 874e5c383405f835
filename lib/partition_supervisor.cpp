// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/partition_specs.hpp>
#include <smarm/detail/scheduler_count.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

namespace smarm::detail {
namespace {

constexpr std::size_t most_partitions = 65536;

[[noreturn]] void refuse(const std::string& why) {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    "smarm::partition_supervisor: " + why);
}

} // namespace

std::size_t partition_count(std::size_t wanted) {
  if (wanted > most_partitions) {
    refuse("partitions is " + std::to_string(wanted) + ", but must be from 0 to " +
           std::to_string(most_partitions));
  }
  return wanted != 0 ? wanted : scheduler_count();
}

std::string partition_id(const std::string& child, const std::string& supervisor,
                         std::size_t index) {
  const std::string& base = child.empty() ? supervisor : child;
  return base.empty() ? std::to_string(index) : base + '/' + std::to_string(index);
}

void check_partition(const child_start& start, type_key server_class, const std::string& id) {
  if (!start || start.launcher()->server_class() != server_class) {
    refuse("what with_index was given for \"" + id +
           "\" starts no server of the supervisor's class; return smarm::server<that class>(...)");
  }
}

} // namespace smarm::detail

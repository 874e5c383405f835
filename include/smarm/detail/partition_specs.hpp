// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a partition_supervisor tells its supervisor.

#ifndef SMARM_DETAIL_PARTITION_SPECS_HPP
#define SMARM_DETAIL_PARTITION_SPECS_HPP

#include <smarm/child_start.hpp>
#include <smarm/detail/launch_server.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/server_options.hpp>
#include <smarm/spawn_options.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace smarm::detail {

// That many, or the default. Throws boost::system::system_error, errc::invalid_config.
[[nodiscard]] std::size_t partition_count(std::size_t wanted);
[[nodiscard]] std::string partition_id(const std::string& child, const std::string& supervisor,
                                       std::size_t index);
// Throws boost::system::system_error, errc::invalid_config, if that starts no server of that class.
void check_partition(const child_start& start, type_key server_class, const std::string& id);

// As smarm::server, with a name that may be empty.
template <class S, class... Arguments>
[[nodiscard]] child_start named_server(std::string name, const Arguments&... arguments) {
  return child_start(make_server_launcher<S>(nullptr, std::move(name), arguments...));
}
template <class S, class... Arguments>
[[nodiscard]] child_start named_server(std::string name, const spawn_options& options,
                                       const Arguments&... arguments) {
  return child_start(make_server_launcher<S>(&options, std::move(name), arguments...));
}
template <class S, class... Arguments>
[[nodiscard]] child_start named_server(std::string name, const server_options& options,
                                       const Arguments&... arguments) {
  return child_start(make_server_launcher<S>(&options, std::move(name), arguments...));
}

} // namespace smarm::detail

#endif

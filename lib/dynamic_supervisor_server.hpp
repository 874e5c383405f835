// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The server behind a dynamic_supervisor_ref: children without an order, ended all at once.

#ifndef SMARM_LIB_DYNAMIC_SUPERVISOR_SERVER_HPP
#define SMARM_LIB_DYNAMIC_SUPERVISOR_SERVER_HPP

#include "basic_supervisor.hpp"

#include <smarm/any_server.hpp>
#include <smarm/child_info.hpp>
#include <smarm/detail/launch_server.hpp>
#include <smarm/dynamic_supervisor.hpp>

#include <boost/system/result.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace smarm::detail {

class dynamic_supervisor_server final : public basic_supervisor<dynamic_supervisor_server> {
public:
  template <class T>
  using result = boost::system::result<T>;

  struct start_child {
    child_spec spec;
  };
  // Of the child as it was started.
  struct started {
    pid actor; // none: its init chose not to run
    any_server server;
  };
  struct start_answer {
    result<started> child;
    std::string refused; // if not empty the spec cannot be right, and that is why
  };
  struct terminate_child {
    pid actor;
  };
  struct find_server {
    pid actor;
    type_key server_class;
  };
  struct which_children {};
  struct count_children {};

  explicit dynamic_supervisor_server(dynamic_supervisor_options options);

  void terminate(const exit_reason& why) noexcept;
  void describe(std::ostream& out) const;

  start_answer handle_call(start_child&& request);
  result<void> handle_call(const terminate_child& request);
  result<any_server> handle_call(const find_server& request);
  std::vector<child_info> handle_call(which_children) const { return infos(); }
  child_count handle_call(count_children) const { return count(); }


private:
  friend basic_supervisor<dynamic_supervisor_server>;

  [[nodiscard]] result<started> start(child_spec spec);
  // See basic_supervisor: nobody has to do with anybody else.
  void end_group(supervised_child&) noexcept {}
  void end_again(supervised_child&) noexcept {}
  void start_group(supervised_child& c);
  void ended_for_good(supervised_child& c) noexcept;

  const std::size_t max_children_;
  std::size_t present_ = 0; // children, running or waiting for their restart
};

template <>
inline constexpr child_type type_of_child<dynamic_supervisor_server> = child_type::supervisor;

} // namespace smarm::detail

#endif

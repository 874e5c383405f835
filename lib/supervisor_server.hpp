// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The server behind a supervisor_ref: children with ids, in an order, and the three strategies.

#ifndef SMARM_LIB_SUPERVISOR_SERVER_HPP
#define SMARM_LIB_SUPERVISOR_SERVER_HPP

#include "basic_supervisor.hpp"

#include <smarm/child_info.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/init_result.hpp>
#include <smarm/supervisor_options.hpp>

#include <boost/system/result.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace smarm::detail {

class supervisor_server final : public basic_supervisor<supervisor_server> {
public:
  template <class T>
  using result = boost::system::result<T>;

  struct start_child {
    child_spec spec;
  };
  struct start_answer {
    result<pid> child;
    std::string refused; // if not empty the spec cannot be right, and that is why
  };
  struct terminate_child {
    std::string id;
  };
  struct restart_child {
    std::string id;
  };
  struct delete_child {
    std::string id;
  };
  struct get_childspec {
    std::string id;
  };
  struct find_server {
    std::string id;
    type_key server_class;
  };
  struct which_children {};
  struct count_children {};

  supervisor_server(supervisor_options options, std::vector<child_spec> specs);

  init_result init();
  void terminate(const exit_reason& why) noexcept;
  void describe(std::ostream& out) const;

  start_answer handle_call(start_child&& request);
  result<void> handle_call(const terminate_child& request);
  result<pid> handle_call(const restart_child& request);
  result<void> handle_call(const delete_child& request);
  result<child_spec> handle_call(const get_childspec& request);
  result<any_server> handle_call(const find_server& request);
  std::vector<child_info> handle_call(which_children) const { return infos(); }
  child_count handle_call(count_children) const { return count(); }


private:
  friend basic_supervisor<supervisor_server>;

  [[nodiscard]] supervised_child* find_id(std::string_view id) noexcept;
  [[nodiscard]] result<pid> start(child_spec spec);
  supervised_child& insert(child_spec spec);
  void forget(supervised_child& c) noexcept;

  // See basic_supervisor.
  void end_group(supervised_child& c);
  void end_again(supervised_child& c);
  void start_group(supervised_child& c);
  void ended_for_good(supervised_child& c);

  // It will not be started anew: whoever waits for it is not to wait for ever.
  void pass_retry_on(supervised_child& c);
  enum class whom : bool { everybody, who_runs };
  void end_in_reverse(child_list::iterator first, supervised_child* spared, whom who);
  [[nodiscard]] child_list::iterator first_of_group(supervised_child& c) noexcept;

  std::vector<child_spec> specs_; // until init
  boost::unordered_flat_map<std::string_view, supervised_child*> by_id_;
};

template <>
inline constexpr child_type type_of_child<supervisor_server> = child_type::supervisor;

} // namespace smarm::detail

#endif

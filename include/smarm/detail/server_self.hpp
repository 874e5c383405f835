// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server's own ref, for its callbacks.

#ifndef SMARM_DETAIL_SERVER_SELF_HPP
#define SMARM_DETAIL_SERVER_SELF_HPP

#include <smarm/detail/server_loop.hpp>
#include <smarm/error.hpp>
#include <smarm/server_ref.hpp>

#include <boost/system/system_error.hpp>

#include <memory>

namespace smarm::detail {

// Of the server that the caller is, and whose object that is; Base is its gen_server or gen_statem.
// Throws boost::system::system_error, errc::not_in_actor, for anybody else.
template <class S, class Base>
[[nodiscard]] server_ref<S> ref_of_self(const Base& object, const char* call) {
  auto* const core = server_loop<S>::of_caller();
  if (core == nullptr || static_cast<const Base*>(std::addressof(core->object)) != &object) {
    throw boost::system::system_error(make_error_code(errc::not_in_actor), call);
  }
  core->add_own_ref();
  return server_ref_access::make(*core);
}

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/executor.hpp>

#include "asio_driver.hpp"

#include <smarm/detail/runtime_state.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

namespace smarm {
namespace detail {

// Its instance for this build's choices comes with asio_choices.
template <int BoostVersion, class Tracking, class Backend>
void asio_built_with<BoostVersion, Tracking, Backend>::here() noexcept {}

} // namespace detail

executor get_executor(const runtime_handle& of) {
  const auto state = detail::runtime_access::state(of).lock();
  if (state == nullptr) {
    throw boost::system::system_error(make_error_code(errc::runtime_down), "smarm::get_executor");
  }
  return detail::asio_driver_of(*state).loop().context().get_executor();
}

executor this_actor::get_executor() {
  const detail::scheduler* here = detail::current_scheduler();
  if (here == nullptr) {
    throw boost::system::system_error(make_error_code(errc::not_in_actor),
                                      "this_actor::get_executor");
  }
  return detail::asio_driver_of(here->runtime).loop().context().get_executor();
}

} // namespace smarm

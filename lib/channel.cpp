// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/channel.hpp>

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

namespace smarm::detail {

void refuse_second_receiver() {
  throw boost::system::system_error(make_error_code(errc::already_waiting),
                                    "smarm::receiver: somebody else waits for this channel; one "
                                    "actor or thread at a time may receive from it");
}

} // namespace smarm::detail

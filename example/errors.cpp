// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How errors and endings are told apart: by their exact code, by their general condition, and by the
// kind of an exit reason.
//
// prints: ^nothing yet$
// prints: ^gave up: .*closed
// prints: ^<7[.]2> failed: std::runtime_error: no route to host, restarted$

//[errors_program
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

#include <boost/system/result.hpp>

#include <exception>
#include <iostream>
#include <stdexcept>

using smarm::errc;

// An expected failure is a value; the caller sees in the signature that there may be one.
boost::system::result<int> take(bool open) {
  if (!open) {
    return errc::closed;
  }
  return errc::empty;
}

void tell(const boost::system::result<int>& taken) {
  if (taken.has_value()) {
    std::cout << "took " << *taken << '\n';
  } else if (taken.error() == errc::empty) { // the exact reason
    std::cout << "nothing yet\n";
  } else if (taken.error() == boost::system::errc::broken_pipe) { // the general one
    std::cout << "gave up: " << taken.error().message() << '\n';
  }
}

// What a supervisor asks of an ending.
bool restarts_transient(const smarm::exit_reason& reason) { return !reason.is_clean(); }

int main() {
  tell(take(true));
  tell(take(false));

  const smarm::pid worker(7, 2);
  const auto crash = smarm::exit_reason::failed(
      std::make_exception_ptr(std::runtime_error("no route to host")));
  std::cout << worker << ' ' << crash << (restarts_transient(crash) ? ", restarted\n" : "\n");
}
//]

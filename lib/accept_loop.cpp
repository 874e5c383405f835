// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/accept_loop.hpp>

#include <smarm/detail/hears_urgent_stops.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/error.hpp>
#include <smarm/report.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/result.hpp>
#include <boost/system/system_error.hpp>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <string>

namespace smarm::detail {
namespace {

boost::system::error_code of_system(int error) noexcept {
  return {error, boost::system::system_category()};
}

// Reads errno, and is therefore not inlined into what waits.
SMARM_NOINLINE int accept_one(int listening, int& error) noexcept {
  int fd = -1;
  do {
    fd = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  error = fd < 0 ? errno : 0;
  return fd;
}

// Of one client, which is not in the queue any more: gone before it was accepted, behind a network that
// has gone, or forbidden by a firewall. accept(2) has the list.
bool concerns_one_client(int error) noexcept {
  switch (error) {
  case ECONNABORTED:
  case EPROTO:
  case EPERM:
  case ENETDOWN:
  case ENOPROTOOPT:
  case EHOSTDOWN:
  case ENONET:
  case EHOSTUNREACH:
  case ENETUNREACH:
  case ETIMEDOUT: return true;
  default: return false;
  }
}

bool comes_back(int error) noexcept {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

std::string remedy_for(boost::system::error_code why) {
  if (why == of_system(EMFILE)) {
    return "; let the process have more descriptors (RLIMIT_NOFILE), or accept fewer connections at "
           "once (accept_options::limit)";
  }
  return {};
}

} // namespace

bool room_comes_back(boost::system::error_code why) noexcept {
  return why == errc::too_many_actors || why == errc::out_of_stacks || why == errc::out_of_memory;
}

void close_on_exec(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFD);
  if (flags >= 0) {
    (void)::fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
  }
}

void close_descriptor(int fd) noexcept { (void)::close(fd); }

accept_loop::accept_loop(std::size_t limit, std::chrono::nanoseconds drain)
    : tasks_(limit), drain_(drain) {
  (void)this_actor::impl::here("smarm::accept_each");
}

task_place accept_loop::add() {
  for (;;) {
    try {
      return tasks_.add();
    } catch (const std::bad_alloc&) { // which has given the place back
    }
    back_off(make_error_code(errc::out_of_memory));
    tasks_.acquire_place();
  }
}

accept_outcome accept_loop::accept(int listening, int& accepted) {
  this_actor::checkpoint(); // a queue that is never empty is no reason to keep others waiting
  int error = 0;
  accepted = accept_one(listening, error);
  if (accepted >= 0) {
    backoff_.succeeded();
    return accept_outcome::accepted;
  }
  if (error == EAGAIN || error == EWOULDBLOCK) {
    return accept_outcome::none_waits;
  }
  if (concerns_one_client(error)) {
    return accept_outcome::again;
  }
  if (!comes_back(error)) {
    throw boost::system::system_error(of_system(error), "smarm::accept_each");
  }
  back_off(of_system(error));
  return accept_outcome::again;
}

void accept_loop::back_off(boost::system::error_code why) {
  const auto answer = backoff_.failed(std::chrono::nanoseconds(monotonic_now()));
  if (answer.report) {
    const disable_stop masked; // a sink may wait
    scheduler& here = *current_scheduler();
    here.runtime.tell_made([&] {
      return report{.kind = report_kind::accept_failed,
                    .actor = here.current.load()->id(),
                    .parent = {},
                    .label = this_actor::label(),
                    .reason = {},
                    .text = "cannot accept connections, and goes on trying: " + why.message() +
                            remedy_for(why)};
    });
  }
  this_actor::sleep_for(answer.wait);
}

// Who was not asked to end before may be asked now: to shut down, which changes nothing, or to stop.
bool accept_loop::drained_unless_asked(std::int64_t deadline) {
  try {
    (void)tasks_.wait_until(deadline);
    return true;
  } catch (const stop_unwind&) {
    return false;
  }
}

void accept_loop::drain() {
  if (drain_ <= drain_.zero()) {
    return;
  }
  const std::int64_t deadline = deadline_after(drain_);
  slot& me = *current_scheduler()->current;
  if (!me.stop.requested() && drained_unless_asked(deadline)) {
    return;
  }
  if (me.stop.requested(stop_flag::stop)) {
    return;
  }
  const disable_stop masked;
  const hears_urgent_stops until_all_have_ended(me);
  (void)tasks_.wait_until(deadline);
}

} // namespace smarm::detail

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "descriptor_set.hpp"

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <new>
#include <tuple>
#include <utility>

namespace smarm::detail {
namespace {

int new_epoll() {
  const int fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (fd < 0) {
    throw boost::system::system_error(errno, boost::system::system_category(),
                                      "smarm: the set of file descriptors");
  }
  return fd;
}

constexpr std::size_t index(io_direction d) noexcept { return static_cast<std::size_t>(d); }

// An error or a hang-up is for both: their next call says what it is.
bool concerns(std::uint32_t events, io_direction d) noexcept {
  constexpr std::uint32_t both = EPOLLERR | EPOLLHUP;
  return (events & (both | (d == io_direction::in ? EPOLLIN | EPOLLRDHUP : EPOLLOUT))) != 0;
}

boost::system::error_code of_system(int error) noexcept {
  return {error, boost::system::system_category()};
}

void wake_if_any(const registration& wait) noexcept {
  if (wait.who != nullptr) {
    wake(wait);
  }
}

} // namespace

descriptor_set::descriptor_set() : epoll_(new_epoll()) {}

descriptor_set::~descriptor_set() { (void)::close(epoll_); }

descriptor_set::entry* descriptor_set::find(int fd) noexcept {
  const auto i = static_cast<std::size_t>(fd);
  return i < entries_.size() ? entries_[i].get() : nullptr;
}

// Registers what is waited for now, under a new number. The descriptor may have been closed, which takes
// it out of the set, and its number may belong to another by now.
int descriptor_set::arm(int fd, entry& e) noexcept {
  epoll_event event{};
  if (e.waiters[index(io_direction::in)] != nullptr) {
    event.events |= EPOLLIN | EPOLLRDHUP;
  }
  if (e.waiters[index(io_direction::out)] != nullptr) {
    event.events |= EPOLLOUT;
  }
  ++e.number;
  if (event.events == 0) {
    if (e.registered) {
      (void)::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
      e.registered = false;
    }
    return 0;
  }
  event.events |= EPOLLONESHOT;
  event.data.u64 = std::uint64_t{e.number} << 32 | static_cast<std::uint32_t>(fd);
  int operation = e.registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  int failed = ::epoll_ctl(epoll_, operation, fd, &event);
  if (failed != 0 && (errno == ENOENT || errno == EEXIST)) {
    operation = operation == EPOLL_CTL_ADD ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    failed = ::epoll_ctl(epoll_, operation, fd, &event);
  }
  e.registered = failed == 0;
  return failed != 0 ? errno : 0;
}

registration descriptor_set::take_out(entry& e, io_direction direction,
                                      boost::system::error_code why) noexcept {
  descriptor_waiter* const who = std::exchange(e.waiters[index(direction)], nullptr);
  const registration wait = who->who_;
  waited_for_.fetch_sub(1, std::memory_order_relaxed);
  who->error_ = why;
  who->enrolled_.store(false, std::memory_order_release); // lastly: it may be gone then
  return wait;
}

registration descriptor_set::arm_the_rest(int fd, entry& e) noexcept {
  const int error = arm(fd, e);
  if (error != 0) {
    for (const io_direction d : {io_direction::in, io_direction::out}) {
      if (e.waiters[index(d)] != nullptr) {
        return take_out(e, d, of_system(error)); // the descriptor is gone, and it would wait for ever
      }
    }
  }
  return {};
}

boost::system::error_code descriptor_set::enroll(descriptor_waiter& who) noexcept {
  const int fd = who.descriptor();
  if (fd < 0) {
    return of_system(EBADF);
  }
  const quiet_allocation quiet;
  std::unique_lock guard(lock_);
  try {
    const auto i = static_cast<std::size_t>(fd);
    if (i >= entries_.size()) {
      entries_.resize(i + 1);
    }
    if (entries_[i] == nullptr) {
      entries_[i] = std::make_unique<entry>();
    }
  } catch (const std::bad_alloc&) {
    return make_error_code(errc::out_of_memory);
  }
  entry& e = *find(fd);
  descriptor_waiter*& place = e.waiters[index(who.direction())];
  if (place != nullptr) {
    return make_error_code(errc::already_waiting);
  }
  place = &who;
  who.enrolled_.store(true, std::memory_order_relaxed);
  if (const int error = arm(fd, e)) {
    place = nullptr;
    who.enrolled_.store(false, std::memory_order_relaxed);
    const registration other = arm_the_rest(fd, e);
    guard.unlock();
    wake_if_any(other);
    return of_system(error);
  }
  waited_for_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

bool descriptor_set::withdraw(descriptor_waiter& who) noexcept {
  registration other;
  {
    const std::lock_guard guard(lock_);
    if (!who.enrolled_.load(std::memory_order_relaxed)) {
      return false;
    }
    entry& e = *find(who.descriptor());
    (void)take_out(e, who.direction(), {});
    other = arm_the_rest(who.descriptor(), e);
  }
  wake_if_any(other);
  return true;
}

void descriptor_set::forget(int fd) noexcept {
  std::array<registration, 2> waits;
  {
    const std::lock_guard guard(lock_);
    entry* const e = fd >= 0 ? find(fd) : nullptr;
    if (e == nullptr) {
      return;
    }
    for (const io_direction d : {io_direction::in, io_direction::out}) {
      if (e->waiters[index(d)] != nullptr) {
        waits[index(d)] = take_out(*e, d, make_error_code(errc::closed));
      }
    }
    (void)arm(fd, *e); // of nobody
  }
  for (const registration& wait : waits) {
    wake_if_any(wait);
  }
}

descriptor_set::events descriptor_set::collect() const noexcept {
  events found;
  found.count = ::epoll_wait(epoll_, found.all.data(), static_cast<int>(found.all.size()), 0);
  return found;
}

void descriptor_set::deliver(const events& happened) noexcept {
  std::array<registration, 2 * std::tuple_size_v<decltype(happened.all)>> waits;
  std::size_t woken = 0;
  {
    const std::lock_guard guard(lock_);
    for (int i = 0; i < happened.count; ++i) {
      const std::uint64_t data = happened.all[static_cast<std::size_t>(i)].data.u64;
      const std::uint32_t what = happened.all[static_cast<std::size_t>(i)].events;
      const int fd = static_cast<int>(static_cast<std::uint32_t>(data));
      entry* const e = find(fd);
      if (e == nullptr || e->number != static_cast<std::uint32_t>(data >> 32)) {
        continue;
      }
      for (const io_direction d : {io_direction::in, io_direction::out}) {
        if (e->waiters[index(d)] != nullptr && concerns(what, d)) {
          waits[woken++] = take_out(*e, d, {});
        }
      }
      const registration other = arm_the_rest(fd, *e);
      if (other.who != nullptr) {
        waits[woken++] = other;
      }
    }
  }
  for (std::size_t i = 0; i < woken; ++i) {
    wake(waits[i]);
  }
}

} // namespace smarm::detail

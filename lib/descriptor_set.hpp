// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The file descriptors that actors of a runtime wait for by themselves, without Asio: an epoll set of
// their own, so that a descriptor may be an Asio object's as well. Nothing stays registered that nobody
// waits for. One waits for each direction of a descriptor.
//
// A registration carries a number, and so does its event: one that was on its way when the registration
// was changed is told by an old number, and is dropped. What was changed has been registered anew, so
// the system tells of it again.

#ifndef SMARM_LIB_DESCRIPTOR_SET_HPP
#define SMARM_LIB_DESCRIPTOR_SET_HPP

#include <smarm/detail/descriptor_waiter.hpp>

#include <boost/system/error_code.hpp>

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace smarm::detail {

class descriptor_set {
public:
  // Throws boost::system::system_error if the system has no descriptors left.
  descriptor_set();
  descriptor_set(const descriptor_set&) = delete;
  descriptor_set& operator=(const descriptor_set&) = delete;
  ~descriptor_set();

  // That of the epoll set: readable when there is something to dispatch.
  [[nodiscard]] int native_handle() const noexcept { return epoll_; }

  // An error: it is not enrolled.
  [[nodiscard]] boost::system::error_code enroll(descriptor_waiter& who) noexcept;
  // False: it was taken out before.
  bool withdraw(descriptor_waiter& who) noexcept;
  // Wakes who waits for the descriptor, with errc::closed.
  void forget(int fd) noexcept;

  // How many wait now. Anybody.
  [[nodiscard]] std::size_t waited_for() const noexcept {
    return waited_for_.load(std::memory_order_relaxed);
  }

  // Wakes whoever waits for what has happened, of so many descriptors at most.
  void dispatch() noexcept { deliver(collect()); }

  // The two steps of that. In between a registration may change.
  struct events {
    std::array<epoll_event, 64> all;
    int count = 0;
  };
  [[nodiscard]] events collect() const noexcept;
  void deliver(const events& what) noexcept;

private:
  struct entry {
    std::array<descriptor_waiter*, 2> waiters{};
    std::uint32_t number = 0; // of the last registration
    bool registered = false;
  };

  // All under the lock.
  [[nodiscard]] entry* find(int fd) noexcept;
  [[nodiscard]] int arm(int fd, entry& e) noexcept; // 0, or the system's error
  [[nodiscard]] registration take_out(entry& e, io_direction direction,
                                      boost::system::error_code why) noexcept;
  // The same for who still waits, if anybody; where that fails it is the one to wake.
  [[nodiscard]] registration arm_the_rest(int fd, entry& e) noexcept;

  const int epoll_;
  std::mutex lock_; // the innermost one: nothing is called, woken or waited for while it is held
  std::vector<std::unique_ptr<entry>> entries_; // by number of the descriptor
  std::atomic<std::size_t> waited_for_{0}; // written under the lock, read by anybody; a figure
};

// That of a runtime, which gets one at the first call. Throws as its constructor does.
[[nodiscard]] descriptor_set& descriptors_of(runtime_state& owner);
// The same, or null if it has none.
[[nodiscard]] descriptor_set* descriptors_if_any(runtime_state& owner) noexcept;

} // namespace smarm::detail

#endif

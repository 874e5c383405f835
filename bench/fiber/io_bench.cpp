// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// idle_connections of ../connections_bench.cpp with fibers of Boost.Fiber: one for each connection, on a
// stack of its own as an actor of smarm's is, of the size that Boost.Fiber takes by default. The thread
// waits in epoll while no fiber is ready.
//
//     io_bench 1

#include "../held_connections.hpp"

#include <boost/fiber/all.hpp>

#include <fcntl.h>
#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace fibers = boost::fibers;

// Whose descriptor is readable is ready; who sleeps is woken by the time-out.
class epoll_scheduling : public fibers::algo::round_robin {
public:
  struct waiter {
    fibers::context* who = nullptr;
  };

  epoll_scheduling() { here = this; }
  void add(int fd, waiter& what) const {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
    event.data.ptr = &what;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) {
      std::perror("epoll_ctl");
      std::_Exit(EXIT_FAILURE);
    }
  }
  void suspend_until(const std::chrono::steady_clock::time_point& until) noexcept override {
    using std::chrono::milliseconds;
    int limit = -1;
    if (until != std::chrono::steady_clock::time_point::max()) {
      const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
      limit = left > milliseconds::zero() ? static_cast<int>(left.count()) : 0;
    }
    std::array<epoll_event, 128> events;
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), limit);
    for (int i = 0; i < count; ++i) {
      auto& what = *static_cast<waiter*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (fibers::context* who = std::exchange(what.who, nullptr)) {
        fibers::context::active()->schedule(who);
      }
    }
  }
  void notify() noexcept override {} // there is one thread

  static inline epoll_scheduling* here = nullptr;

private:
  const int epoll_ = ::epoll_create1(0);
};

class descriptor {
public:
  explicit descriptor(int fd) : fd_(fd) {
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
    epoll_scheduling::here->add(fd_, waiter_);
  }
  descriptor(descriptor&&) = delete;
  ~descriptor() { ::close(fd_); }

  // The outcome of the call, which is made again while it would block.
  template <class Call>
  auto wait_for(Call call) {
    for (;;) {
      const auto got = call(fd_);
      if (got >= 0 || errno != EAGAIN) {
        return got;
      }
      waiter_.who = fibers::context::active();
      waiter_.who->suspend();
    }
  }

private:
  int fd_;
  epoll_scheduling::waiter waiter_;
};

void stay(int fd) {
  descriptor connection(fd);
  std::array<char, 64> room;
  while (connection.wait_for([&](int d) { return ::recv(d, room.data(), room.size(), 0); }) > 0) {
  }
}

int main(int argc, char** argv) {
  if (argc > 1 && std::atoi(argv[1]) != 1) {
    return 0; // one thread has all of them
  }
  if (argc > 2 && std::string_view(argv[2]) != "idle_connections") {
    return 0;
  }
  constexpr std::uint64_t n = 10'000;
  constexpr int seconds = 3;
  smarm_bench::raise_descriptor_limit();
  const smarm_bench::held_connections others(n);
  fibers::use_scheduling_algorithm<epoll_scheduling>();

  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  if (::bind(listening, reinterpret_cast<sockaddr*>(&here), size) != 0 ||
      ::listen(listening, 4096) != 0 ||
      ::getsockname(listening, reinterpret_cast<sockaddr*>(&here), &size) != 0) {
    std::perror("listen");
    return EXIT_FAILURE;
  }
  descriptor acceptor(listening);
  std::vector<fibers::fiber> all;
  all.reserve(n);
  smarm_bench::idle_measure idle;
  idle.begin();
  const auto begin = std::chrono::steady_clock::now();
  others.connect_to(ntohs(here.sin_port));
  for (std::uint64_t i = 0; i < n; ++i) {
    const int fd = acceptor.wait_for([](int d) { return ::accept(d, nullptr, nullptr); });
    all.emplace_back([fd] { stay(fd); });
  }
  const double us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  boost::this_fiber::sleep_for(std::chrono::milliseconds(100)); // all read by then
  idle.settled();
  boost::this_fiber::sleep_for(std::chrono::seconds(seconds));
  idle.print("fiber", 1, n, us, seconds);
  std::fflush(stdout);
  std::_Exit(EXIT_SUCCESS); // they wait for ever
}

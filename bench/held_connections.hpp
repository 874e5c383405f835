// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Connections whose other ends a process of its own holds, silently, so that neither their memory nor their
// descriptors are counted with what is measured.

#ifndef SMARM_BENCH_HELD_CONNECTIONS_HPP
#define SMARM_BENCH_HELD_CONNECTIONS_HPP

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace smarm_bench {

inline void raise_descriptor_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

[[nodiscard]] inline std::int64_t resident_bytes() {
  long total = 0, resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &total, &resident) != 2) {
      resident = 0;
    }
    std::fclose(f);
  }
  return static_cast<std::int64_t>(resident) * ::sysconf(_SC_PAGESIZE);
}

// Made while the process has one thread; ends the other process when it goes.
class held_connections {
public:
  explicit held_connections(std::uint64_t count) {
    int ends[2];
    if (::pipe(ends) != 0) {
      std::perror("pipe");
      std::_Exit(EXIT_FAILURE);
    }
    holder_ = ::fork();
    if (holder_ == 0) {
      ::close(ends[1]);
      hold(ends[0], count);
    }
    ::close(ends[0]);
    to_ = ends[1];
  }
  held_connections(const held_connections&) = delete;
  held_connections& operator=(const held_connections&) = delete;
  ~held_connections() {
    ::close(to_);
    ::waitpid(holder_, nullptr, 0);
  }

  void connect_to(std::uint16_t port) const {
    if (::write(to_, &port, sizeof port) != sizeof port) {
      std::perror("the holder of connections");
      std::_Exit(EXIT_FAILURE);
    }
  }

private:
  [[noreturn]] static void hold(int from, std::uint64_t count) {
    std::uint16_t port = 0;
    if (::read(from, &port, sizeof port) == sizeof port) {
      sockaddr_in there{};
      there.sin_family = AF_INET;
      there.sin_port = htons(port);
      there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      for (std::uint64_t i = 0; i < count; ++i) {
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) {
          std::perror("connect");
          std::_Exit(EXIT_FAILURE);
        }
      }
      char nothing = 0;
      (void)!::read(from, &nothing, 1);
    }
    std::_Exit(EXIT_SUCCESS);
  }

  int to_ = -1;
  pid_t holder_ = -1;
};

// Where the process stands before and after, and what it uses while nothing happens.
class idle_measure {
public:
  void begin() { before_ = resident_bytes(); }
  void settled() {
    after_ = resident_bytes();
    cpu_ = cpu_us();
  }
  // After so many seconds of silence.
  void print(const char* peer, unsigned threads, std::uint64_t count, double us, int seconds) const {
    std::printf("BENCH,%s,idle_connections,%u,n=%llu,%.1f,%.1f,%llu,%.2f,"
                "bytes_per_connection=%.0f;idle_cpu_ms=%.1f;secs=%d\n",
                peer, threads, static_cast<unsigned long long>(count), us, us,
                static_cast<unsigned long long>(count), us * 1e3 / static_cast<double>(count),
                static_cast<double>(after_ - before_) / static_cast<double>(count),
                (cpu_us() - cpu_) / 1e3, seconds);
    std::fflush(stdout);
  }

private:
  static double cpu_us() {
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e6 +
           static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
  }

  std::int64_t before_ = 0;
  std::int64_t after_ = 0;
  double cpu_ = 0;
};

} // namespace smarm_bench

#endif

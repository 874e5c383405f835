// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A client that is a plain thread and uses the system's calls, as one in another process would.

#ifndef SMARM_TEST_PLAIN_CLIENT_HPP
#define SMARM_TEST_PLAIN_CLIENT_HPP

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace smarm_test {

class plain_client {
public:
  explicit plain_client(unsigned short port)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int failed = 0;
    do {
      failed = ::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    } while (failed != 0 && errno == EINTR);
    if (failed != 0) {
      close();
    }
  }
  plain_client(plain_client&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  plain_client& operator=(plain_client&&) = delete;
  ~plain_client() { close(); }

  [[nodiscard]] bool connected() const noexcept { return fd_ >= 0; }
  [[nodiscard]] int descriptor() const noexcept { return fd_; }
  void send(const std::string& text) const {
    (void)!::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  // So many bytes, fewer at the end.
  [[nodiscard]] std::string receive(std::size_t count) const {
    std::string text(count, ' ');
    std::size_t have = 0;
    while (have < count) {
      const ssize_t got = ::recv(fd_, &text[have], count - have, 0);
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got <= 0) {
        break;
      }
      have += static_cast<std::size_t>(got);
    }
    text.resize(have);
    return text;
  }
  [[nodiscard]] std::string ask(const std::string& text) const {
    send(text);
    return receive(text.size());
  }
  void half_close() const { (void)::shutdown(fd_, SHUT_WR); }
  // The peer sees a reset, not an end.
  void reset() {
    const linger at_once{1, 0};
    (void)::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }
  void close() {
    if (fd_ >= 0) {
      ::close(std::exchange(fd_, -1));
    }
  }

private:
  int fd_;
};

} // namespace smarm_test

#endif

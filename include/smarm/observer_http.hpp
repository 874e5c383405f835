// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A page in the browser that shows the actors of a runtime while it works, the same as JSON, and its
// figures for Prometheus:
//
//     smarm::runtime rt;
//     const smarm::observer_http page(rt.handle(), {.port = 8089}); // http://127.0.0.1:8089/
//     rt.run(...);
//
// It has a thread of its own, so that it answers when all schedulers are busy or stuck, which is when one
// looks. It only reads. Programs that use it link smarm_observer besides. See the manual for its URLs.

#ifndef SMARM_OBSERVER_HTTP_HPP
#define SMARM_OBSERVER_HTTP_HPP

#include <smarm/runtime.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace smarm {

//[observer_http_options
struct observer_http_options {
  std::string address = "127.0.0.1"; // to listen at, a number
  std::uint16_t port = 0;            // 0: any that is free
  // Whoever reaches the port sees labels, names and classes. So an address that others reach is refused
  // unless this is set, and requests for another host than this machine's own names are, too.
  bool allow_remote = false;
  std::size_t max_connections = 64; // one more is closed at once
  // For one request to arrive and for its answer to be sent; and to come after the last one.
  std::chrono::milliseconds request_limit{5000};
  std::chrono::milliseconds idle_limit{30'000};
  // Two requests within this time are answered from one snapshot.
  std::chrono::milliseconds refresh{250};
  // How often the load of the schedulers is noted, and how many of these are kept.
  std::chrono::milliseconds sample_interval{1000};
  std::size_t samples = 300;
};
//]

class observer_http {
public:
  // Listens, and has begun to answer. Throws boost::system::system_error: errc::invalid_config with a
  // text that names the field; or what the system says of address and port.
  explicit observer_http(runtime_handle of, const observer_http_options& options = {});
  observer_http(const observer_http&) = delete;
  observer_http& operator=(const observer_http&) = delete;
  // Closes what is open and ends the thread. Blocks until that is so: a snapshot's time at most. From a
  // plain thread, or an actor, whose thread it blocks.
  ~observer_http();

  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::string url() const; // "http://127.0.0.1:8089/"

private:
  class impl;
  std::unique_ptr<impl> impl_;
};

} // namespace smarm

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/observer_http.hpp>

#include "http_session.hpp"
#include "runtime_view.hpp"

#include <smarm/error.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>

namespace smarm {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace observer_http_detail;

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw boost::system::system_error(make_error_code(errc::invalid_config), "observer_http: " + why);
}

tcp::endpoint endpoint_of(const observer_http_options& o) {
  error_code error;
  const auto address = asio::ip::make_address(o.address, error);
  if (error) {
    refuse("address = \"" + o.address + "\" is not an IP address in numbers");
  }
  if (!address.is_loopback() && !o.allow_remote) {
    refuse("address = " + o.address +
           " can be reached by others; set allow_remote if that is meant");
  }
  const auto positive = [](std::chrono::milliseconds value, const char* name) {
    if (value.count() <= 0) {
      refuse(std::string(name) + " must be positive");
    }
  };
  positive(o.request_limit, "request_limit");
  positive(o.idle_limit, "idle_limit");
  positive(o.sample_interval, "sample_interval");
  if (o.refresh.count() < 0) {
    refuse("refresh must not be negative");
  }
  if (o.max_connections == 0) {
    refuse("max_connections must be positive");
  }
  return {address, o.port};
}

// In a handler: the flag is set as long as the handler waits to be called. A handler may go without that, if
// what was to come before the call finds no memory.
class pending {
public:
  explicit pending(bool& flag) noexcept : flag_(&flag) { flag = true; }
  pending(pending&& other) noexcept : flag_(std::exchange(other.flag_, nullptr)) {}
  pending& operator=(pending&&) = delete;
  ~pending() { over(); }
  void over() noexcept {
    if (bool* const flag = std::exchange(flag_, nullptr)) {
      *flag = false;
    }
  }

private:
  bool* flag_;
};

} // namespace

class observer_http::impl {
public:
  impl(runtime_handle of, const observer_http_options& options)
      : options_(options), view_(std::move(of), options_),
        acceptor_(context_, endpoint_of(options_)), ticks_(context_) {
    port_ = acceptor_.local_endpoint().port();
    accept();
    tick();
    // Signals are for the program's own threads, but for those that a thread makes itself.
    sigset_t all, before;
    ::sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      ::sigdelset(&all, own);
    }
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { run(); });
    } catch (...) {
      ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~impl() {
    context_.stop();
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] std::string url() const {
    const bool six = options_.address.find(':') != std::string::npos;
    return "http://" + (six ? '[' + options_.address + ']' : options_.address) + ':' +
           std::to_string(port_) + '/';
  }

private:
  // Whatever a handler throws, for want of memory, the endpoint stays. What could not be begun again for that
  // reason is tried again.
  void run() noexcept {
    ::pthread_setname_np(::pthread_self(), "smarm-observer");
    for (;;) {
      try {
        if (!accepts_) {
          accept();
        }
        if (!ticks_on_) {
          tick();
        }
        context_.run();
        return;
      } catch (...) {
        std::this_thread::sleep_for(retry_interval);
      }
    }
  }

  void accept() {
    acceptor_.async_accept([this, mark = pending(accepts_)](error_code error,
                                                            tcp::socket socket) mutable {
      mark.over();
      if (!error && *open_ < options_.max_connections) {
        try {
          std::make_shared<http_session>(std::move(socket), view_, options_, open_)
              ->read_request(options_.request_limit);
        } catch (const std::bad_alloc&) { // it is closed; others may have more luck
        }
      }
      if (error) { // no descriptors left: those that are open get their time to end
        retry_.expires_after(retry_interval);
        retry_.async_wait([this, next = pending(accepts_)](error_code stopped) mutable {
          next.over();
          if (!stopped) {
            accept();
          }
        });
      } else {
        accept();
      }
    });
  }

  void tick() {
    ticks_.expires_after(options_.sample_interval);
    ticks_.async_wait([this, mark = pending(ticks_on_)](error_code stopped) mutable {
      mark.over();
      if (!stopped) {
        tick();
      }
    });
    view_.sample(); // last, for it may throw
  }

  static constexpr std::chrono::milliseconds retry_interval{100};

  const observer_http_options options_;
  runtime_view view_;
  const std::shared_ptr<std::size_t> open_ = std::make_shared<std::size_t>(0);
  // An accept is under way, or the wait before the next one; the clock is. Before the context, which has the
  // handlers that say so.
  bool accepts_ = false;
  bool ticks_on_ = false;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer ticks_;
  asio::steady_timer retry_{context_};
  std::uint16_t port_ = 0;
  std::thread thread_;
};

observer_http::observer_http(runtime_handle of, const observer_http_options& options)
    : impl_(std::make_unique<impl>(std::move(of), options)) {}
observer_http::~observer_http() = default;

std::uint16_t observer_http::port() const noexcept { return impl_->port(); }
std::string observer_http::url() const { return impl_->url(); }

} // namespace smarm

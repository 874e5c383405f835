// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/config.hpp>

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

namespace smarm::detail {
namespace {

[[noreturn]] void refuse(errc code, std::string_view field, const std::string& value,
                         std::string_view allowed) {
  throw boost::system::system_error(make_error_code(code),
                                    "config::" + std::string(field) + " = " + value +
                                        ": allowed is " + std::string(allowed));
}

template <class Number>
void require(std::string_view field, Number value, Number least, Number most,
             std::string_view allowed, errc code = errc::invalid_config) {
  if (value < least || value > most) {
    refuse(code, field, std::to_string(value), allowed);
  }
}

void require(std::string_view field, std::chrono::nanoseconds value, std::chrono::nanoseconds least,
             std::chrono::nanoseconds most, std::string_view allowed) {
  if (value < least || value > most) {
    refuse(errc::invalid_config, field, std::to_string(value.count()) + " ns", allowed);
  }
}

} // namespace

config validated(config c) {
  using namespace std::chrono_literals;
  constexpr auto most_cycles = ~std::uint64_t{0} / 2;
  constexpr unsigned most_schedulers = 64; // one bit each in the idle mask

  if (c.schedulers == 0) {
    c.schedulers = std::clamp(std::thread::hardware_concurrency(), 1U, most_schedulers);
  }
  require("schedulers", c.schedulers, 1U, most_schedulers, "1 to 64, or 0 for all hardware threads",
          errc::too_many_schedulers);
  require<std::size_t>("max_actors", c.max_actors, 1, 0xffff'fffe, "1 to 4294967294");
  require("stack_size", c.stack_size, least_stack_size, most_stack_size, "16384 (16 KiB) to 1 GiB");
  require("guard_size", c.guard_size, least_guard_size, most_guard_size, "4096 (4 KiB) to 1 GiB");
  require<std::size_t>("warm_stacks", c.warm_stacks, 0, std::size_t{1} << 24, "0 to 16777216");
  require<std::uint64_t>("timeslice_cycles", c.timeslice_cycles, 1000, most_cycles,
                         "1000 to 2^63 - 1");
  require<std::uint64_t>("poll_cycles", c.poll_cycles, 1000, most_cycles, "1000 to 2^63 - 1");
  require("search_time", c.search_time, 0ns, 1ms, "0 to 1 ms");
  require("standby_interval", c.standby_interval, 10us, 1s, "10 us to 1 s");
  require("timer_slack", c.timer_slack, 0ns, 10ms, "0 to 10 ms");
  require("blocking_threads", c.blocking_threads, 1U, 4096U, "1 to 4096");
  require<std::size_t>("blocking_queue", c.blocking_queue, 1, PTRDIFF_MAX, "1 to 2^63 - 1");
  require("blocking_idle_time", c.blocking_idle_time, 0ns, 24h * 365, "0 to a year");
  require<std::size_t>("kept_reports", c.kept_reports, 0, 65536, "0 to 65536");
  require("destructor_grace", c.destructor_grace, 0ns, 24h * 365, "0 to a year");
  if (c.watchdog) {
    c.watchdog = validated(*c.watchdog);
  }
  if (c.thread_name.size() > 11) {
    refuse(errc::invalid_config, "thread_name", '"' + c.thread_name + '"', "at most 11 bytes");
  }
  return c;
}

} // namespace smarm::detail

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/select.hpp>

#include <smarm/detail/select_source.hpp>
#include <smarm/detail/thread_slot.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace smarm::detail {
namespace {

using arm_list = std::span<const select_arm>;

using source_of_all = select_source<select_arm, registration>;

[[noreturn]] void refuse(arm_list arms) {
  std::string what = "smarm::select: somebody else waits for one of the arms";
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (arms[i].arm != nullptr && arms[i].does->refusal != nullptr) {
      const boost::system::error_code why = arms[i].does->refusal(arms[i].arm);
      if (why && why != errc::already_waiting) {
        throw boost::system::system_error(why, "smarm::select: arm " + std::to_string(i));
      }
    }
    for (std::size_t k = i + 1; k < arms.size(); ++k) {
      if (arms[i].arm != nullptr && arms[i].arm == arms[k].arm) {
        what = "smarm::select: arms " + std::to_string(i) + " and " + std::to_string(k) +
               " are the same";
      }
    }
  }
  throw boost::system::system_error(make_error_code(errc::already_waiting), what);
}

} // namespace

// The multiples of the golden ratio, without their integral part, are spread evenly, and so is every
// second or third of them: a caller with several fair selects in a loop has them begin everywhere,
// too. A count modulo the number of arms would begin each of them at the same arm for ever.
std::size_t first_of(std::size_t arms, select_from start) noexcept {
  if (start == select_from::front) {
    return 0;
  }
  scheduler* here = current_scheduler();
  slot& me = here != nullptr ? *here->current : this_thread_slot();
  constexpr std::uint32_t golden = 0x9e3779b9; // of 2^32
  return static_cast<std::size_t>(std::uint64_t{me.fair_selects++ * golden} * arms >> 32);
}

boost::system::result<std::size_t> select_arms(arm_list arms, std::size_t first, bool timed,
                                               std::int64_t deadline) {
  receive_point();
  source_of_all source(arms);
  const selection got =
      select_from_source(source, first, [timed, deadline](source_of_all& all) {
        return timed ? wait_for_source<true>(all, wait_kind::select, deadline)
                     : wait_for_source<false>(all, wait_kind::select);
      });
  if (got.which != no_arm) {
    return got.which;
  }
  switch (got.end) {
  case wait_end::timed_out: return make_error_code(errc::timed_out);
  case wait_end::would_block: return make_error_code(errc::would_block_scheduler);
  case wait_end::ready: break;
  }
  refuse(arms);
}

boost::system::result<std::size_t> try_select_arms(arm_list arms, std::size_t first) noexcept {
  const std::size_t which = source_of_all(arms).settled_arm(first);
  if (which == no_arm) {
    return make_error_code(errc::empty);
  }
  return which;
}

std::size_t selected(const boost::system::result<std::size_t>& which) {
  if (!which) {
    throw boost::system::system_error(which.error(), "smarm::select");
  }
  return *which;
}

} // namespace smarm::detail

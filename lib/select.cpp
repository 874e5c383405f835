// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/select.hpp>

#include <smarm/detail/thread_slot.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace smarm::detail {
namespace {

using arm_list = std::span<const select_arm>;

constexpr std::size_t none = ~std::size_t{0};

// The first arm that is ready, from `first` on and around.
template <bool Settled>
std::size_t find_ready(arm_list arms, std::size_t first) noexcept {
  for (std::size_t n = 0; n < arms.size(); ++n) {
    const std::size_t i = first + n < arms.size() ? first + n : first + n - arms.size();
    const select_arm& one = arms[i];
    if (one.arm != nullptr && (Settled ? one.does->settled : one.does->ready)(one.arm)) {
      return i;
    }
  }
  return none;
}

// All arms as one source: registered with the same ticket, so that one waker wins.
struct all_arms {
  arm_list arms;
  std::size_t enrolled = 0; // so many of the first arms have the registration
  bool refused = false;     // an arm did not take it, lastly

  enrolment enroll(const registration& who) noexcept {
    refused = false;
    for (; enrolled < arms.size(); ++enrolled) {
      const select_arm& one = arms[enrolled];
      if (one.arm == nullptr) {
        continue;
      }
      const enrolment got = one.does->enroll(one.arm, who);
      if (got != enrolment::enrolled) {
        refused = true;
        const bool alone = withdraw_all();
        return alone && got == enrolment::ready ? enrolment::ready : enrolment::overtaken;
      }
    }
    return enrolment::enrolled;
  }

  // The losers are withdrawn before anything else happens, whatever ended the wait. An arm that had
  // been taken by its waker is ready, or will be in a moment.
  bool satisfied() noexcept { return !withdraw_all() || find_ready<false>(arms, 0) != none; }

  static bool withdraw() noexcept { return true; } // satisfied() did

  bool withdraw_all() noexcept {
    bool alone = true;
    while (enrolled > 0) {
      const select_arm& one = arms[--enrolled];
      if (one.arm != nullptr && !one.does->withdraw(one.arm)) {
        alone = false;
      }
    }
    return alone;
  }
};

[[noreturn]] void refuse(arm_list arms) {
  std::string what = "smarm::select: somebody else waits for one of the arms";
  for (std::size_t i = 0; i < arms.size(); ++i) {
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
  std::size_t which = find_ready<false>(arms, first);
  all_arms source{arms};
  while (which == none) {
    const wait_end end = timed ? wait_for_source<true>(source, wait_kind::select, deadline)
                               : wait_for_source<false>(source, wait_kind::select);
    which = find_ready<true>(arms, first);
    if (which != none) {
      break;
    }
    switch (end) {
    case wait_end::timed_out: return make_error_code(errc::timed_out);
    case wait_end::would_block: return make_error_code(errc::would_block_scheduler);
    case wait_end::ready: break;
    }
    if (source.refused) {
      refuse(arms);
    }
  }
  return which;
}

boost::system::result<std::size_t> try_select_arms(arm_list arms, std::size_t first) noexcept {
  const std::size_t which = find_ready<true>(arms, first);
  if (which == none) {
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

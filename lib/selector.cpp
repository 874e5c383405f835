// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/selector.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace smarm {

std::size_t selector::add_arm(detail::select_arm arm) {
  std::size_t place = arms_.size();
  for (std::size_t i = arms_.size(); i-- > 0;) {
    if (arms_[i].arm == arm.arm) {
      throw boost::system::system_error(make_error_code(errc::already_waiting),
                                        "smarm::selector: that arm has index " + std::to_string(i));
    }
    if (arms_[i].arm == nullptr) {
      place = i;
    }
  }
  if (place == arms_.size()) {
    arms_.push_back(arm);
  } else {
    arms_[place] = arm;
  }
  ++count_;
  return place;
}

void selector::remove(std::size_t index) noexcept {
  if (index < arms_.size() && arms_[index].arm != nullptr) {
    arms_[index] = {};
    --count_;
  }
}

// Arms may have gone since.
std::size_t selector::first() const noexcept {
  return order_ == order::fair && last_ + 1 < arms_.size() ? last_ + 1 : 0;
}

boost::system::result<std::size_t>
selector::won(boost::system::result<std::size_t> which) noexcept {
  if (which) {
    last_ = *which;
  }
  return which;
}

std::size_t selector::wait() {
  if (empty()) {
    throw boost::system::system_error(make_error_code(errc::empty),
                                      "smarm::selector: there is no arm to wait for");
  }
  return detail::selected(won(detail::select_arms(arms_, first())));
}

boost::system::result<std::size_t> selector::wait_timed(std::int64_t deadline) {
  return won(detail::select_arms(arms_, first(), true, deadline));
}

boost::system::result<std::size_t> selector::try_wait() noexcept {
  return won(detail::try_select_arms(arms_, first()));
}

} // namespace smarm

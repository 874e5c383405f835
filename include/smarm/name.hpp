// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A name that an actor can be registered under, and what those who hold it take: a constant that two
// parts of a program share instead of a pid.
//
//     inline constexpr smarm::name<job> the_printer{"printer"};
//     (void)the_printer.send(job{...});
//
// Each use looks up anew who has the name; so it reaches the successor, too.

#ifndef SMARM_NAME_HPP
#define SMARM_NAME_HPP

#include <smarm/detail/name_table.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/timed_destination.hpp>

#include <boost/system/result.hpp>

#include <string_view>
#include <utility>

namespace smarm {

template <class M>
class name {
public:
  // The text is not copied: a literal, or something that lives as long.
  explicit constexpr name(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  // Sends to the inbox for messages of this type of the actor that has the name now. Errors: unresolved
  // (nobody has it), no_channel, closed, and the rest as typed_pid::send.
  [[nodiscard]] boost::system::result<void> send(M&& value) const {
    return transmit<detail::waits::yes>(detail::runtime_of_caller("smarm::send"), std::move(value));
  }
  [[nodiscard]] boost::system::result<void> send(const M& value) const {
    return transmit<detail::waits::yes>(detail::runtime_of_caller("smarm::send"), value);
  }
  // The same without waiting: errc::queue_full. Neither suspends nor is a stop point.
  [[nodiscard]] boost::system::result<void> try_send(M&& value) const {
    return transmit<detail::waits::no>(detail::runtime_of_caller("smarm::try_send"),
                                       std::move(value));
  }
  [[nodiscard]] boost::system::result<void> try_send(const M& value) const {
    return transmit<detail::waits::no>(detail::runtime_of_caller("smarm::try_send"), value);
  }

  friend constexpr bool operator==(const name& a, const name& b) noexcept {
    return a.text_ == b.text_;
  }

private:
  friend class runtime_handle;

  template <detail::waits Wait, class Value>
  boost::system::result<void> transmit(detail::runtime_state& runtime, Value&& value) const {
    sender<M> inbox;
    const errc found = detail::find_named_inbox(
        runtime, text_, {detail::key_of<M>(), nullptr, &detail::published_sender<M>::copy}, &inbox);
    return detail::send_if_found<Wait>(found, inbox, std::forward<Value>(value));
  }

  std::string_view text_;
};

namespace detail {
template <class M>
struct message_of<name<M>> {
  using type = M;
};
} // namespace detail

} // namespace smarm

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What can be done with a group in a given runtime: for both forms of calls, that of an actor and
// that with a handle.

#ifndef SMARM_DETAIL_GROUP_CALLS_HPP
#define SMARM_DETAIL_GROUP_CALLS_HPP

#include <smarm/detail/group_member.hpp>
#include <smarm/detail/group_table.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/error.hpp>
#include <smarm/group_monitor.hpp>
#include <smarm/messages.hpp>
#include <smarm/typed_pid.hpp>

#include <boost/system/result.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace smarm::detail {

[[nodiscard]] const std::shared_ptr<group_table>& groups_of(const runtime_state& runtime) noexcept;
[[nodiscard]] errc join_group(runtime_state& runtime, pid who, const group_key& key,
                              std::unique_ptr<group_member> fresh) noexcept;
[[nodiscard]] bool leave_group(runtime_state& runtime, pid who, const group_key& key) noexcept;

template <class List>
struct member_of_list;
template <class... Ms>
struct member_of_list<messages<Ms...>> {
  using type = typed_group_member<Ms...>;
};

template <class A>
struct group_calls {
  using member = typename member_of_list<messages_of<A>>::type;

  [[nodiscard]] static std::vector<typed_pid<A>> typed(const std::vector<pid>& all) {
    std::vector<typed_pid<A>> out;
    out.reserve(all.size());
    for (const pid one : all) {
      out.push_back(typed_pid_access::make<A>(one));
    }
    return out;
  }

  [[nodiscard]] static boost::system::result<void> join(runtime_state& in, pid who,
                                                        const group_key& key) noexcept {
    std::unique_ptr<group_member> fresh(new (std::nothrow) member);
    const errc result =
        fresh != nullptr ? join_group(in, who, key, std::move(fresh)) : errc::out_of_memory;
    if (result != errc{}) {
      return make_error_code(result);
    }
    return {};
  }

  [[nodiscard]] static std::optional<typed_pid<A>> pick(runtime_state& in, const group_key& key,
                                                        member_choice how) noexcept {
    member_search search;
    search.how = how;
    if (!groups_of(in)->find(key, search, nullptr, nullptr)) {
      return std::nullopt;
    }
    return typed_pid_access::make<A>(search.who);
  }

  template <waits Wait, class Value>
  [[nodiscard]] static boost::system::result<typed_pid<A>>
  dispatch(runtime_state& in, const group_key& key, Value&& value, member_choice how) {
    using message = typename chosen_message<A, Value>::type;
    if constexpr (!std::is_same_v<message, std::remove_cvref_t<Value>>) {
      message made(std::forward<Value>(value)); // once, whoever takes it
      return dispatch<Wait>(in, key, std::move(made), how);
    } else {
      group_table& groups = *groups_of(in);
      member_search search;
      search.how = how;
      errc why = errc::no_member;
      for (;;) {
        sender<message> to;
        if (!groups.find(key, search, &member::template copy_inbox<message>, &to)) {
          return make_error_code(why);
        }
        const auto sent = send_if_found<Wait>(errc{}, to, std::forward<Value>(value));
        if (sent) {
          return typed_pid_access::make<A>(search.who);
        }
        // What is true of this one may not be of the next. A send that fails left the value alone.
        if (sent.error() != errc::closed && sent.error() != errc::queue_full &&
            sent.error() != errc::would_block_scheduler) {
          return sent.error();
        }
        why = static_cast<errc>(sent.error().value());
      }
    }
  }

  template <class Value>
  static std::size_t broadcast(runtime_state& in, const group_key& key, const Value& value) {
    using message = typename chosen_message<A, Value>::type;
    static_assert(std::is_copy_constructible_v<message>,
                  "smarm: each member gets a copy of the message");
    if constexpr (!std::is_same_v<message, Value>) {
      return broadcast(in, key, message(value));
    } else {
      group_table& groups = *groups_of(in);
      std::array<sender<message>, 32> some;
      member_walk walk;
      std::size_t got_it = 0;
      while (const std::size_t found = groups.next_of(
                 key, walk, &member::template copy_inbox<message>, some.data(), some.size())) {
        for (std::size_t i = 0; i < found; ++i) {
          const sender<message> to = std::exchange(some[i], {});
          got_it += to.try_send(value).has_value();
        }
      }
      return got_it;
    }
  }

  [[nodiscard]] static std::pair<group_monitor<A>, std::vector<typed_pid<A>>>
  monitor(runtime_state& in, const group_key& key) {
    auto [m, there] = group_monitor_access::begin<A>(groups_of(in), key);
    return {std::move(m), typed(there)};
  }
};

} // namespace smarm::detail

#endif

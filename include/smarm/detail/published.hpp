// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What an actor has published: the sending ends of its inboxes, one for each type of message, or for
// each type of actor and of message. They are in its record, so that whoever has its pid can send to
// it, and go before its end is heard of. None of them keeps the actor alive.

#ifndef SMARM_DETAIL_PUBLISHED_HPP
#define SMARM_DETAIL_PUBLISHED_HPP

#include <smarm/channel.hpp>
#include <smarm/error.hpp>
#include <smarm/pid.hpp>

#include <boost/intrusive/slist.hpp>

#include <utility>

namespace smarm::detail {

class runtime_state;

// Names a type in one program: the address of something that exists once for each.
using type_key = const void*;
template <class T>
inline char type_anchor = 0;
template <class T>
[[nodiscard]] constexpr type_key key_of() noexcept {
  return &type_anchor<T>;
}

struct published_inbox : boost::intrusive::slist_base_hook<> {
  published_inbox(type_key of_message, type_key of_actor) noexcept
      : message(of_message), actor(of_actor) {}
  virtual ~published_inbox() = default;
  // How much is queued in it; nothing if that is counted elsewhere. Under the record lock.
  [[nodiscard]] virtual std::size_t queued() const noexcept { return 0; }

  const type_key message;
  const type_key actor; // null: published without one
};

using published_list = boost::intrusive::slist<published_inbox>;

template <class M>
struct published_sender final : published_inbox {
  published_sender(sender<M> end, type_key of_actor) noexcept
      : published_inbox(key_of<M>(), of_actor), to(std::move(end)) {}

  [[nodiscard]] std::size_t queued() const noexcept override {
    return channel_access::core(to)->queued();
  }
  // Under the record lock: counts, and nothing else.
  static void copy(const published_inbox& from, void* to) noexcept {
    *static_cast<sender<M>*>(to) = static_cast<const published_sender&>(from).to;
  }

  const sender<M> to;
};

// Whom to look for.
struct inbox_wanted {
  type_key message;
  type_key actor = nullptr; // null: whoever published it
  void (*copy)(const published_inbox& from, void* to) noexcept = nullptr;
};

// Calls wanted.copy for that inbox of that actor. no_process, no_channel.
[[nodiscard]] errc find_inbox(runtime_state& runtime, pid of, const inbox_wanted& wanted,
                              void* to) noexcept;

// The runtime of the calling actor, or of the scheduler in whose context the caller is. Throws
// system_error(errc::not_in_actor) on a plain thread.
[[nodiscard]] runtime_state& runtime_of_caller(const char* call);

enum class waits : bool { no, yes };

// Sends to the inbox that was found.
template <waits Wait, class M, class Value>
[[nodiscard]] boost::system::result<void> send_if_found(errc found, const sender<M>& to,
                                                        Value&& value) {
  if (found != errc{}) {
    return make_error_code(found);
  }
  if constexpr (Wait == waits::yes) {
    return to.send(std::forward<Value>(value));
  } else {
    return to.try_send(std::forward<Value>(value));
  }
}

template <waits Wait, class M, class Value>
[[nodiscard]] boost::system::result<void> send_to_actor(runtime_state& runtime, pid to,
                                                        type_key actor, Value&& value) {
  sender<M> inbox;
  const errc found =
      find_inbox(runtime, to, {key_of<M>(), actor, &published_sender<M>::copy}, &inbox);
  return send_if_found<Wait>(found, inbox, std::forward<Value>(value));
}

} // namespace smarm::detail

#endif

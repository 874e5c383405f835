// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the life of a server asks of its class: here of a gen_server's. A gen_statem's answers otherwise,
// see machine_duties.hpp.

#ifndef SMARM_DETAIL_SERVER_DUTIES_HPP
#define SMARM_DETAIL_SERVER_DUTIES_HPP

#include <smarm/detail/deadline.hpp>
#include <smarm/detail/server_callbacks.hpp>
#include <smarm/detail/server_control.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/detail/server_seen.hpp>
#include <smarm/down.hpp>
#include <smarm/fwd.hpp>
#include <smarm/init_result.hpp>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace smarm::detail {

template <class S>
void describe_object(const server_core& core, std::ostream& out) {
  static_cast<const typed_server_core<S>&>(core).object.describe(out);
}

// Supervisors say so.
template <class S>
[[nodiscard]] constexpr behaviour_kind kind_of() noexcept {
  if constexpr (requires { S::behaviour; }) {
    if constexpr (std::is_same_v<decltype(S::behaviour), const behaviour_kind>) {
      return S::behaviour;
    }
  }
  return behaviour_kind::gen_server;
}

template <class S>
[[nodiscard]] init_result call_init(S& object) {
  if constexpr (!has_init<S>) {
    return init_result::ok();
  } else if constexpr (std::is_void_v<decltype(object.init())>) {
    object.init();
    return init_result::ok();
  } else {
    static_assert(std::is_same_v<decltype(object.init()), init_result>,
                  "smarm: a server's init returns void or smarm::init_result");
    return object.init();
  }
}

template <class S>
struct server_duties {
  using core_type = typed_server_core<S>;

  static constexpr void check_class() {
    static_assert(
        std::is_convertible_v<S*, gen_server<S>*>,
        "smarm: a server's class derives publicly from smarm::gen_server of itself, as in "
        "class counter : public smarm::gen_server<counter>");
  }
  [[nodiscard]] static constexpr server_type type() noexcept {
    server_type t{&typeid(S), kind_of<S>(), nullptr, nullptr};
    if constexpr (describes<S>) {
      t.describe = &describe_object<S>;
    }
    return t;
  }

  // Before the first message.
  [[nodiscard]] static init_result begin(S& object) { return call_init(object); }

  // ---- between messages

  // There is more than the inbox to look at.
  [[nodiscard]] static constexpr bool has_more(const S&) noexcept { return false; }
  // It is to end, normally.
  [[nodiscard]] static constexpr bool ends(const S&) noexcept { return false; }
  // One thing before anything else; after what the runtime tells it; when there is nothing else.
  // False: there was none.
  static constexpr bool dispatch_first(core_type&) noexcept { return false; }
  static constexpr bool dispatch_due(core_type&) noexcept { return false; }
  static bool dispatch_last(core_type& core) {
    if constexpr (takes_idle<S>) {
      server_extras* const more = extras_access::find(core.object);
      if (more != nullptr && more->idle_due()) {
        handle_seen(core, {sys::event_kind::idle, false, nullptr},
                    [&] { core.object.handle_idle(); });
        return true;
      }
    } else {
      (void)core;
    }
    return false;
  }
  // When there will be something, if nothing comes.
  [[nodiscard]] static constexpr std::int64_t deadline(const S&) noexcept { return no_deadline; }

  static void hand_down(server_core& core, down what) {
    if constexpr (takes_down<S>) {
      handle_seen(core, {sys::event_kind::down, false, nullptr},
                  [&] { static_cast<core_type&>(core).object.handle_down(std::move(what)); });
    } else {
      (void)core, (void)what;
    }
  }

  // It ends: what it keeps besides its inbox is answered so. How many requests that were.
  static constexpr std::size_t refuse_all(S&) noexcept { return 0; }
  // After terminate: what it keeps besides its members, and may refer to them, goes before them.
  static constexpr void drop_kept(S&) noexcept {}
};

} // namespace smarm::detail

#endif

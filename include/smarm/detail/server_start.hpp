// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The first step of a server: under its name, if it has one, the object is made of the arguments, init
// is called, and whoever started it is told. If that fails in any way nothing is left of it.

#ifndef SMARM_DETAIL_SERVER_START_HPP
#define SMARM_DETAIL_SERVER_START_HPP

#include <smarm/detail/child_launcher.hpp>
#include <smarm/detail/construct_actor.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/reply_cell.hpp>
#include <smarm/detail/server_callbacks.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_duties.hpp>
#include <smarm/detail/server_loop.hpp>
#include <smarm/detail/server_seen.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/error.hpp>
#include <smarm/fwd.hpp>
#include <smarm/init_result.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/registry.hpp>
#include <smarm/reply_to.hpp>
#include <smarm/server_options.hpp>
#include <smarm/server_ref.hpp>

#include <boost/system/result.hpp>

#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// What a named server has published: a ref to it, which keeps it alive as long as it has its record.
template <class S>
struct published_server final : published_inbox {
  explicit published_server(server_ref<S> to) noexcept
      : published_inbox(key(), nullptr), ref(std::move(to)) {}

  static type_key key() noexcept { return key_of<published_server>(); }
  // Under the record lock: counts, and nothing else.
  static void copy(const published_inbox& from, void* to) noexcept {
    *static_cast<server_ref<S>*>(to) = static_cast<const published_server&>(from).ref;
  }

  const server_ref<S> ref;
};

// The starter's request: what the server is made of, and where the outcome appears.
template <class S, class Arguments>
struct start_node : typed_reply<void> {
  start_node(std::string_view as, Arguments&& given)
      : typed_reply<void>(&drop_node), name(as), arguments(std::move(given)) {}
  static void drop_node(reply_cell& c) noexcept {
    delete static_cast<start_node*>(static_cast<typed_reply<void>*>(&c));
  }

  const std::string name; // empty: none. Its own, since a starter that is stopped does not wait
  Arguments arguments;
};

// What the slot's closure holds until the first step.
template <class S, class Arguments>
struct server_birth {
  typed_server_core<S>* core;
  start_node<S, Arguments>* node;

  void operator()() const noexcept {} // the slot's entry is begin()

  static step_result begin(slot& me) {
    const server_birth mine = *std::launder(reinterpret_cast<server_birth*>(me.closure));
    typed_server_core<S>& core = *mine.core;
    server_loop<S>::move_in(me, core);
    me.entry = &server_loop<S>::step;
    me.behaves_since = static_cast<std::uint32_t>(monotonic_now() / 1'000'000'000);
    me.behaviour.store(static_cast<server_core*>(&core), std::memory_order_release);
    reply_to<void> starter = reply_access::make<void>(*mine.node);
    server_end end;
    errc failure = errc::start_failed;
    bool made = false;
    bool ready = false;
    try {
      errc refused{};
      if (!mine.node->name.empty()) {
        refused = take_name(core, mine.node->name);
      }
      if (refused == errc{}) {
        construct(core.object, std::move(mine.node->arguments));
        made = true;
        const init_result init = server_duties<S>::begin(core.object);
        if (init.what() == init_result::verdict::ok) {
          ready = true;
        } else if (init.what() == init_result::verdict::ignore) {
          failure = errc::start_ignored;
        } else {
          check_ending(init.reason());
          end.reason = init.reason();
        }
      } else {
        failure = refused;
      }
    } catch (...) {
      end = end_by_exception(me);
      note_failure("while it started");
    }
    if (ready) {
      starter.reply();
      return server_loop<S>::step(me);
    }
    // Told last: who starts it again at once finds nothing of it in the way but the name, which goes
    // with the actor and is waited for.
    struct told {
      reply_to<void>& starter;
      errc failure;
      ~told() { reply_access::fail(starter, failure); }
    } const at_the_end{starter, failure};
    if (made) {
      server_loop<S>::conclude(me, core, std::move(end));
    } else {
      server_loop<S>::conclude_unmade(me, core, std::move(end));
    }
    return step_result::finished;
  }

private:
  static errc take_name(typed_server_core<S>& core, std::string_view name) {
    if (!core.try_add_ref()) { // its starter was stopped, and nobody hears what becomes of it
      return errc::start_failed;
    }
    const auto taken = register_and_publish(
        name, std::make_unique<published_server<S>>(server_ref_access::make(core)));
    return taken ? errc{} : static_cast<errc>(taken.error().value());
  }

  static void construct(S& object, Arguments&& arguments) {
    std::apply(
        [&](auto&&... each) {
          ::new (static_cast<void*>(std::addressof(object))) S(std::move(each)...);
        },
        std::move(arguments));
  }
};

// What there is of a server before it has an actor: its core, of which the starter has a ref, and the
// starter's request. If it never gets one both go.
template <class S, class Arguments>
class unborn_server {
public:
  using birth = server_birth<S, Arguments>;

  unborn_server(const bounded* limit, std::string_view name, Arguments&& arguments)
      : node_(std::make_unique<start_node<S, Arguments>>(name, std::move(arguments))),
        core_(&typed_server_core<S>::make(limit)), ref_(server_ref_access::make(*core_)) {}
  unborn_server(const unborn_server&) = delete;
  unborn_server& operator=(const unborn_server&) = delete;
  ~unborn_server() {
    if (node_ != nullptr) {
      core_->drop_share(); // the server's
    }
  }

  [[nodiscard]] birth body() const noexcept { return {core_, node_.get()}; }

  // Before anybody else knows the actor: from here on node and core are the actor's, too.
  void settle_in(slot& s) noexcept {
    s.entry = &birth::begin;
    core_->where = &s;
    core_->generation = s.id().generation();
    outcome_ = reply_owner<void>(*node_.release());
  }
  // The actor it was put into is not to be.
  void move_out() noexcept {
    const reply_to<void> nobody_answers = reply_access::make<void>(*outcome_.cell());
    core_->drop_share();
  }

  [[nodiscard]] const server_ref<S>& ref() const noexcept { return ref_; }

  // Waits until init is done, or the deadline has passed: timed_out, and who has the actor's handle
  // sees to its end. Otherwise an error means that the actor has ended, or is about to.
  template <bool Timed>
  [[nodiscard]] errc await_init(std::int64_t deadline) {
    reply_source source{*outcome_.cell(), core_->where};
    return wait_for_source<Timed>(source, wait_kind::reply, deadline) == wait_end::timed_out
               ? errc::timed_out
               : outcome_.cell()->error; // it may wait, that was seen to
  }

  [[nodiscard]] boost::system::result<server_ref<S>> await(join_handle actor) {
    const errc error = await_init<false>(no_deadline);
    if (error == errc{}) {
      return ref_;
    }
    // Its name is free, and everything of it gone, when the caller hears of it.
    (void)actor.join();
    return make_error_code(error);
  }

private:
  std::unique_ptr<start_node<S, Arguments>> node_; // null: the server has it
  typed_server_core<S>* const core_;
  const server_ref<S> ref_;
  reply_owner<void> outcome_;
};

template <class S, class... Arguments>
constexpr void check_server_arguments() {
  server_duties<S>::check_class();
  static_assert(std::is_constructible_v<S, std::decay_t<Arguments>&&...>,
                "smarm: the server cannot be made of these arguments, copied and moved into it");
  check_life<S>();
}

// In the caller's runtime, as its child.
template <class S, class... Arguments>
[[nodiscard]] boost::system::result<server_ref<S>>
start(const start_options& options, std::string_view name, Arguments&&... given) {
  check_server_arguments<S, Arguments...>();
  if (would_block_here()) {
    return make_error_code(errc::would_block_scheduler);
  }
  using arguments = std::tuple<std::decay_t<Arguments>...>;
  unborn_server<S, arguments> server(options.inbox, name,
                                     arguments(std::forward<Arguments>(given)...));
  errc error{};
  slot* const s = spawn_here(options.actor, server.body(), error);
  if (s == nullptr) {
    return make_error_code(error);
  }
  server.settle_in(*s);
  return server.await(launch(*s));
}

// In that runtime, as nobody's child.
template <class S, class... Arguments>
[[nodiscard]] boost::system::result<server_ref<S>>
start_in(const std::shared_ptr<runtime_state>& runtime, const start_options& options,
         std::string_view name, Arguments&&... given) {
  check_server_arguments<S, Arguments...>();
  if (runtime == nullptr) {
    return make_error_code(errc::runtime_down);
  }
  if (would_block_here()) {
    return make_error_code(errc::would_block_scheduler);
  }
  using arguments = std::tuple<std::decay_t<Arguments>...>;
  unborn_server<S, arguments> server(options.inbox, name,
                                     arguments(std::forward<Arguments>(given)...));
  bool settled = false;
  auto actor =
      spawn_prepared_from_outside(*runtime, options.actor, server.body(), [&](slot& s) noexcept {
        server.settle_in(s);
        settled = true;
      });
  if (!actor) {
    if (settled) {
      server.move_out();
    }
    return actor.error();
  }
  return server.await(*std::move(actor));
}

// In the caller's runtime, as a child of its own: see child_launcher::launch.
template <class S, class Arguments>
[[nodiscard]] errc launch_server(const start_options& options, std::string_view name,
                                 Arguments&& arguments, std::int64_t deadline,
                                 running_child& into) {
  unborn_server<S, Arguments> server(options.inbox, name, std::move(arguments));
  errc error{};
  slot* const s = spawn_here(options.actor, server.body(), error);
  if (s == nullptr) {
    return error;
  }
  server.settle_in(*s);
  into.server = server.ref();
  into.actor = launch(*s);
  return deadline == no_deadline ? server.template await_init<false>(deadline)
                                 : server.template await_init<true>(deadline);
}

} // namespace smarm::detail

#endif

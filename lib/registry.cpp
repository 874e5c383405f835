// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/registry.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/group_table.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace smarm {
namespace detail {
namespace {

// Under the record lock. What was there before comes back, to be destroyed outside.
std::unique_ptr<published_inbox> put_inbox(relations& record,
                                           std::unique_ptr<published_inbox> inbox) noexcept {
  group_table::replace_inbox(record.groups, *inbox);
  auto before = record.inboxes.before_begin();
  for (auto at = record.inboxes.begin(); at != record.inboxes.end(); before = at++) {
    if (at->message == inbox->message && at->actor == inbox->actor) {
      std::unique_ptr<published_inbox> old(&*at);
      record.inboxes.erase_after(before);
      record.inboxes.push_front(*inbox.release());
      return old;
    }
  }
  record.inboxes.push_front(*inbox.release());
  return nullptr;
}

// Under the record lock. The entry is the record's if it was needed.
errc put_name(runtime_state& runtime, relations& record,
              std::unique_ptr<name_entry>& entry) noexcept {
  if (record.ending) {
    return errc::no_process;
  }
  pid holder;
  const errc result = runtime.names->add(*entry, holder);
  if (result == errc{}) {
    record.names.push_back(*entry.release());
  }
  return result == errc::name_taken && holder == entry->holder ? errc{} : result;
}

// Waits until somebody has a name.
struct name_source {
  name_table& names;
  name_waiter waiter;

  enrolment enroll(registration r) noexcept {
    waiter.who = r;
    return names.enroll(waiter) ? enrolment::enrolled : enrolment::ready;
  }
  bool satisfied() noexcept { return !names.withdraw(waiter); }
  static bool withdraw() noexcept { return true; } // satisfied() did
};

} // namespace

void publish_inbox(const char* call, std::unique_ptr<published_inbox> inbox) {
  slot& me = this_actor::impl::caller(call);
  std::unique_ptr<published_inbox> old;
  (void)attend(me, me.id().generation(), [&](relations& record) noexcept {
    if (!record.ending) {
      old = put_inbox(record, std::move(inbox));
    }
  });
}

boost::system::result<void> register_and_publish(std::string_view text,
                                                 std::unique_ptr<published_inbox> inbox) {
  slot& me = this_actor::impl::caller("smarm::register_name");
  runtime_state& runtime = *me.runtime;
  auto entry = std::make_unique<name_entry>(text, me.id(), me);
  std::unique_ptr<published_inbox> old;
  errc result = errc::no_process;
  (void)attend(me, me.id().generation(), [&](relations& record) noexcept {
    result = put_name(runtime, record, entry);
    if (result == errc{}) {
      old = put_inbox(record, std::move(inbox));
    }
  });
  if (result != errc{}) {
    return make_error_code(result);
  }
  runtime.names->announce(text);
  return {};
}

bool takes_messages_as(runtime_state& runtime, pid actor, type_key message, type_key as) noexcept {
  return find_inbox(runtime, actor, {message, as}, nullptr) == errc{};
}

boost::system::result<pid> await_name(runtime_state& runtime, std::string_view text,
                                      std::int64_t deadline) {
  const name_key key(text);
  name_table& names = *runtime.names;
  for (;;) {
    const pid holder = names.find(key);
    if (holder != pid::none()) {
      return holder;
    }
    if (names.closed()) {
      return make_error_code(errc::runtime_down);
    }
    name_source source{names, name_waiter(key)};
    switch (wait_for_source<true>(source, wait_kind::condition, deadline)) {
    case wait_end::ready: break; // or it has lost the name again
    case wait_end::timed_out: return make_error_code(errc::timed_out);
    case wait_end::would_block: return make_error_code(errc::would_block_scheduler);
    }
  }
}

std::optional<pid> holder_in(runtime_state& runtime, std::string_view text) noexcept {
  const pid holder = runtime.names->find(text);
  return holder != pid::none() ? std::optional(holder) : std::nullopt;
}

namespace {

boost::system::result<void> register_in(runtime_state& runtime, std::string_view text, pid holder) {
  slot* s = runtime.slots.find(holder.index());
  if (s == nullptr) {
    return make_error_code(errc::no_process);
  }
  auto entry = std::make_unique<name_entry>(text, holder, *s);
  errc result = errc::no_process;
  (void)attend(*s, holder.generation(),
               [&](relations& known) noexcept { result = put_name(runtime, known, entry); });
  if (result != errc{}) {
    return make_error_code(result);
  }
  runtime.names->announce(text);
  return {};
}

std::optional<pid> unregister_in(runtime_state& runtime, const name_key& key) {
  name_table& names = *runtime.names;
  for (;;) {
    const pid holder = names.find(key);
    if (holder == pid::none()) {
      return std::nullopt;
    }
    std::unique_ptr<name_entry> entry;
    (void)visit_relations(*runtime.slots.find(holder.index()), holder.generation(),
                          [&](relations& known) noexcept {
                            entry.reset(names.entry_of(key, holder));
                            if (entry != nullptr) {
                              names.remove(*entry);
                              known.names.erase(known.names.iterator_to(*entry));
                            }
                          });
    if (entry != nullptr) {
      return holder;
    }
    // It has ended since, or lost the name otherwise: somebody else may have it.
  }
}

std::optional<std::string> name_in(runtime_state& runtime, pid actor) {
  slot* s = runtime.slots.find(actor.index());
  std::optional<std::string> out;
  if (s != nullptr) {
    const quiet_allocation quiet; // the copy is made under the lock
    const std::lock_guard guard(s->record_lock);
    actor_record* record = s->record.load(std::memory_order_acquire);
    const relations* known = record != nullptr ? relations_in(*record) : nullptr;
    if (known != nullptr && s->word.status(actor.generation()) == slot_status::live &&
        !known->ending && !known->names.empty()) {
      out = known->names.front().text;
    }
  }
  return out;
}

} // namespace
} // namespace detail

boost::system::result<void> register_name(std::string_view text, pid holder) {
  return detail::register_in(detail::runtime_of_caller("smarm::register_name"), text, holder);
}
boost::system::result<void> runtime_handle::register_name(std::string_view text, pid holder) const {
  return with_state(
      [&](detail::runtime_state& in) { return detail::register_in(in, text, holder); });
}

std::optional<pid> unregister(std::string_view text) {
  return detail::unregister_in(detail::runtime_of_caller("smarm::unregister"), text);
}
std::optional<pid> runtime_handle::unregister(std::string_view text) const {
  const auto state = state_.lock();
  return state ? detail::unregister_in(*state, text) : std::nullopt;
}

std::optional<pid> whereis(std::string_view text) {
  return detail::holder_in(detail::runtime_of_caller("smarm::whereis"), text);
}
std::optional<pid> runtime_handle::whereis(std::string_view text) const {
  const auto state = state_.lock();
  return state ? detail::holder_in(*state, text) : std::nullopt;
}

std::optional<std::string> name_of(pid actor) {
  return detail::name_in(detail::runtime_of_caller("smarm::name_of"), actor);
}
std::optional<std::string> runtime_handle::name_of(pid actor) const {
  const auto state = state_.lock();
  return state ? detail::name_in(*state, actor) : std::nullopt;
}

} // namespace smarm

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/monitor.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/error.hpp>
#include <smarm/runtime.hpp>

#include <boost/system/system_error.hpp>

#include <mutex>
#include <new>

namespace smarm {
namespace detail {

void monitor_entry::tell(const exit_reason& reason) noexcept {
  message->value.reason = reason;
  (void)channel_access::core(to)->deliver(*std::exchange(message, nullptr));
  to = {}; // there will be no other one
}

monitor_ref monitor_access::prepare() {
  auto [to, inbox] = channel<down>();
  monitor_ref m = prepare(std::move(to));
  m.inbox_ = std::move(inbox);
  return m;
}

monitor_ref monitor_access::prepare(sender<down> to) {
  monitor_entry::node* message = monitor_entry::node::create_with(down());
  if (message == nullptr) {
    throw std::bad_alloc();
  }
  monitor_ref m;
  m.entry_ = new (std::nothrow) monitor_entry(std::move(to), *message);
  if (m.entry_ == nullptr) {
    monitor_entry::node::destroy(message);
    throw std::bad_alloc();
  }
  return m;
}

void monitor_access::begin(monitor_ref& m, slot& where, pid target, relations& record) noexcept {
  m.target_ = target;
  m.entry_->where = &where;
  m.entry_->target = target;
  m.entry_->message->value.actor = target;
  m.entry_->shares.store(2, std::memory_order_relaxed);
  record.monitors.push_back(*m.entry_);
}

void monitor_access::refuse(monitor_ref& m, pid target) noexcept {
  m.target_ = target;
  m.entry_->message->value.actor = target;
  m.entry_->tell(exit_kind::no_process);
  m.entry_->drop_share();
  m.entry_ = nullptr;
}

namespace {

monitor_ref begin_monitor(monitor_ref m, slot* s, pid target) {
  if (s == nullptr || !attend(*s, target.generation(), [&](relations& record) noexcept {
        monitor_access::begin(m, *s, target, record);
      })) {
    monitor_access::refuse(m, target);
  }
  return m;
}

} // namespace

monitor_ref monitor_in(runtime_state& runtime, pid target) {
  return begin_monitor(monitor_access::prepare(), runtime.slots.find(target.index()), target);
}

monitor_ref monitor_in(slot& where, pid target) {
  return begin_monitor(monitor_access::prepare(), &where, target);
}

monitor_ref monitor_into(sender<down> to, runtime_state& runtime, pid target) {
  return begin_monitor(monitor_access::prepare(std::move(to)), runtime.slots.find(target.index()),
                       target);
}

} // namespace detail

bool monitor_ref::demonitor() noexcept {
  bool removed = false;
  if (entry_ != nullptr) {
    detail::monitor_entry& entry = *std::exchange(entry_, nullptr);
    // If the target still has its record the entry is in it. If not, the ending has taken the record
    // out, and tells or has told: into a channel that nobody receives from any more.
    if (entry.where != nullptr) {
      removed = detail::visit_relations(
          *entry.where, entry.target.generation(), [&](detail::relations& record) noexcept {
            record.monitors.erase(detail::monitor_list::s_iterator_to(entry));
          });
      if (removed) {
        entry.drop_share();
      }
    }
    entry.drop_share();
  }
  inbox_ = {};
  return removed;
}

monitor_ref monitor(pid target) {
  detail::scheduler* here = detail::current_scheduler();
  if (here == nullptr) {
    throw boost::system::system_error(
        make_error_code(errc::not_in_actor),
        "smarm::monitor: on a plain thread use runtime_handle::monitor");
  }
  return detail::monitor_in(here->runtime, target);
}

monitor_ref runtime_handle::monitor(pid target) const {
  if (const auto state = state_.lock()) {
    return detail::monitor_in(*state, target);
  }
  monitor_ref m = detail::monitor_access::prepare();
  detail::monitor_access::refuse(m, target);
  return m;
}

} // namespace smarm

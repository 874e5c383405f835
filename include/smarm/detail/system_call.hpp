// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A system request that somebody waits for: work that runs in the server, and its result.

#ifndef SMARM_DETAIL_SYSTEM_CALL_HPP
#define SMARM_DETAIL_SYSTEM_CALL_HPP

#include <smarm/detail/receive_point.hpp>
#include <smarm/detail/reply_cell.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/server_control.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/error.hpp>
#include <smarm/reply_to.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// Its node, freed by the second of the answer and of the caller, as that of a call. Work is called as
// work(server_core&, const server_type&); what it throws ends the server, but for want of memory.
template <class R, class Work>
class system_call final : public system_request, public typed_reply<R> {
public:
  explicit system_call(Work work) : typed_reply<R>(&drop_node), work_(std::move(work)) {}

  void run(server_core& server, const server_type& type) override {
    reply_to<R> answer = reply_access::make<R>(*this); // whatever happens, it is answered
    if (answer.abandoned()) {
      return; // nobody is to be surprised by what was given up long ago
    }
    Work work = std::move(work_); // once it is answered the node may be gone
    try {
      if constexpr (std::is_void_v<R>) {
        work(server, type);
        answer.reply();
      } else {
        reply_access::construct(answer, [&] { return work(server, type); });
        reply_access::succeed(answer);
      }
    } catch (const std::bad_alloc&) {
      reply_access::fail(answer, errc::out_of_memory);
    }
  }
  void refuse() noexcept override { const reply_to<R> unanswered = reply_access::make<R>(*this); }

private:
  static void drop_node(reply_cell& c) noexcept {
    auto& node = static_cast<system_call&>(static_cast<typed_reply<R>&>(c));
    node.destroy_value();
    delete &node;
  }

  Work work_;
};

// Runs that in the server and waits until it has, or until the deadline. Suspends. A stop point and a
// checkpoint. Errors: server_down, calling_self, timed_out, out_of_memory, would_block_scheduler.
template <class R, class Work>
[[nodiscard]] boost::system::result<R> run_in_server(server_core* core, std::int64_t deadline,
                                                     Work work) {
  const auto failed = [](errc why) {
    return boost::system::result<R>(boost::system::in_place_error, make_error_code(why));
  };
  if (core == nullptr) {
    return failed(errc::server_down);
  }
  if (const scheduler* here = current_scheduler(); here != nullptr) {
    if (!here->is_actor(here->current)) {
      return failed(errc::would_block_scheduler);
    }
    if (core->is(*here->current)) {
      return failed(errc::calling_self);
    }
    receive_point();
  }
  using call = system_call<R, Work>;
  auto* const node = new (std::nothrow) call(std::move(work));
  if (node == nullptr) {
    return failed(errc::out_of_memory);
  }
  const reply_owner<R> mine(*node);
  const slot* const server = core->where;
  if (const errc error = core->submit(*node); error != errc{}) {
    node->refuse();
    return failed(error);
  }
  reply_source source{*node, server};
  const wait_end end = deadline == no_deadline
                           ? wait_for_source<false>(source, wait_kind::reply)
                           : wait_for_source<true>(source, wait_kind::reply, deadline);
  if (end != wait_end::ready) {
    return failed(errc::timed_out);
  }
  return mine.cell()->take();
}

} // namespace smarm::detail

#endif

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One client: a state machine, whose events are what the socket has, what other clients publish, and those
// commands whose answer depends on the state or which change it. While it waits it has no stack, and
// a small buffer: ten thousand of them may be idle.
//
// All other commands it carries out in its rows for `arrived` and `more`, as many as were read, without an
// event for each: that is what the throughput hangs on. While replies cannot be written nothing more is
// read from this client, so that one who does not read holds up nobody but itself.

#ifndef KV_CONNECTION_HPP
#define KV_CONNECTION_HPP

#include "client_io.hpp"
#include "pubsub.hpp"
#include "resp_parser.hpp"
#include "round.hpp"
#include "server_context.hpp"
#include "session.hpp"
#include "transaction.hpp"

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string_view>

namespace kv {

// subscribed: and speaks RESP2, which cannot tell a message from a reply. Between MULTI and EXEC:
// transacting. In closing what is to be said is said, and nothing is heard any more.
BOOST_DEFINE_ENUM_CLASS(connection_state, normal, subscribed, transacting, closing)

class connection : public smarm::gen_statem<connection, connection_state> {
  using enum connection_state;

public:
  // What the socket has.
  struct arrived {
    std::size_t bytes; // none: the client has closed it
  };
  struct writable {};
  // What other clients have published.
  using published = subscriber::message;
  // What it tells itself: there is more to understand, there is something to write, the client does not
  // read.
  struct more {};
  struct flush_due {};
  struct overdue {};
  // Commands; their words are those that the parser has.
  struct greets {};
  struct subscribes {};
  struct begins {};
  struct executes {};
  struct discards {};
  struct resets {};
  struct quits {};
  struct breaks_protocol {};
  using events =
      smarm::events<arrived, writable, published, more, flush_due, overdue, greets, subscribes,
                    begins, executes, discards, resets, quits, breaks_protocol>;

  connection(std::shared_ptr<server_context> server, std::shared_ptr<client_io> io);
  ~connection();

  void init();
  void terminate(const smarm::exit_reason& why);
  void describe(std::ostream& out) const;

  smarm::one_of<smarm::keep, closing> on(smarm::in<normal, subscribed, transacting>, arrived what);
  smarm::stay on(smarm::in<normal, subscribed, transacting>, more);
  smarm::stay on(smarm::in<normal, subscribed, transacting>, writable);
  smarm::stay on(smarm::in<normal, subscribed, transacting>, const published& what);
  smarm::stay on(smarm::in<normal, subscribed, transacting>, flush_due);
  smarm::stopped on(smarm::in<normal, subscribed, transacting>, overdue);

  smarm::one_of<normal, subscribed> on(smarm::in<normal>, greets);
  smarm::one_of<normal, subscribed> on(smarm::in<normal, subscribed>, subscribes);
  smarm::to<transacting> on(smarm::in<normal>, begins);
  smarm::stay on(smarm::in<normal>, executes);
  smarm::stay on(smarm::in<normal>, discards);

  smarm::stay on(smarm::in<subscribed>, greets) { return refuse_here(); }
  smarm::stay on(smarm::in<subscribed>, begins) { return refuse_here(); }
  smarm::stay on(smarm::in<subscribed>, executes) { return refuse_here(); }
  smarm::stay on(smarm::in<subscribed>, discards) { return refuse_here(); }

  smarm::stay on(smarm::in<transacting>, greets) { return queue_event(); }
  smarm::stay on(smarm::in<transacting>, subscribes) { return queue_event(); }
  smarm::stay on(smarm::in<transacting>, begins);
  smarm::one_of<normal, subscribed> on(smarm::in<transacting>, executes);
  smarm::to<normal> on(smarm::in<transacting>, discards);

  smarm::to<normal> on(smarm::in<normal, subscribed, transacting>, resets);
  smarm::to<closing> on(smarm::in<normal, subscribed, transacting>, quits);
  smarm::to<closing> on(smarm::in<normal, subscribed, transacting>, breaks_protocol);

  void enter(smarm::in<closing>);
  smarm::stay on(smarm::in<closing>, writable);
  smarm::stopped on(smarm::in<closing>, overdue);
  smarm::ignored on(smarm::in<closing>, smarm::any_event);

private:
  void carry_out_what_was_read();
  // Carries out one command, or makes an event of it: then false.
  [[nodiscard]] bool take(const arguments& words);
  void take_ordinary(const command& what, const arguments& words);
  void queue(const command& what, const arguments& words);
  void finish_round();
  // To be called once for each command that was an event: what is behind it comes next.
  void done_with_command();
  void refuse(std::string_view error);
  void refuse_as_subscriber();
  smarm::stay refuse_here();
  smarm::stay queue_event();
  void answer_alone(const command& what, const arguments& words, std::string& reply);
  void change_subscriptions(const command& what, const arguments& words, std::string& reply);
  [[nodiscard]] bool is_confined() const noexcept;

  void flush_and_wait();
  void read();
  void wait_writable();
  [[nodiscard]] bool is_too_slow();
  void end(std::string_view why);

  std::shared_ptr<server_context> server_;
  std::shared_ptr<client_io> io_; // also its handlers', whom it may not outlive
  resp_parser parser_;
  round round_;
  session session_;
  subscriptions subscriptions_;
  publisher publisher_;
  std::unique_ptr<transaction> transaction_; // while transacting
  const command* what_ = nullptr;            // that is an event
  std::string reply_;
  std::size_t commands_at_once_;
  bool waits_for_input_ = false, waits_for_room_ = false;
  bool will_go_on_ = false, will_flush_ = false;
  std::chrono::steady_clock::time_point above_soft_limit_ = {}; // since when
};

} // namespace kv

#endif

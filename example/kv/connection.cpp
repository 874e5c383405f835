// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "connection.hpp"

#include "answer.hpp"
#include "kept_memory.hpp"
#include "resp_writer.hpp"

#include <smarm/this_actor.hpp>

#include <algorithm>
#include <ostream>
#include <span>
#include <sstream>
#include <utility>

namespace kv {

using boost::asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

// What one turn may take, so that replies have a bound, too, and others have their turns.
constexpr std::size_t most_commands = 1024;
constexpr std::size_t first_commands = 64; // before it is known how long the replies are
constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::size_t few_bytes = std::size_t{64} << 10;
constexpr std::size_t kept_reply = std::size_t{4} << 10; // of the memory for one
constexpr auto last_words = 5s; // how long a client that is closed may take to read its replies

std::string address_of(const tcp::endpoint& e) {
  std::ostringstream text;
  text << e;
  return text.str();
}

} // namespace

connection::connection(std::shared_ptr<server_context> server, std::shared_ptr<client_io> io)
    : server_(std::move(server)), io_(std::move(io)), round_(server_->stores),
      subscriptions_(server_->patterns), publisher_(server_->patterns),
      commands_at_once_(first_commands) {
  session_.id = server_->status->connections.fetch_add(1, std::memory_order_relaxed) + 1;
  server_->status->clients.fetch_add(1, std::memory_order_relaxed);
}

connection::~connection() { server_->status->clients.fetch_sub(1, std::memory_order_relaxed); }

void connection::init() {
  boost::system::error_code gone;
  session_.address = address_of(io_->socket().remote_endpoint(gone));
  session_.own_address = address_of(io_->socket().local_endpoint(gone));
  read();
}

void connection::terminate(const smarm::exit_reason&) {
  (void)io_->flush();
  io_->close();
}

void connection::describe(std::ostream& out) const {
  out << session_.address << ' ' << session_.name << ", " << io_->pending() << " bytes to write, "
      << subscriptions_.size() << " subscriptions";
}

// ---- the socket

// Not a wait and then a read: for each wait Asio asks the system to look at the socket again.
void connection::read() {
  if (!std::exchange(waits_for_input_, true)) {
    io_->async_read([io = io_, me = self()](const boost::system::error_code&, std::size_t bytes) {
      (void)me.cast(arrived{bytes});
    });
  }
}

void connection::wait_writable() {
  if (!std::exchange(waits_for_room_, true)) {
    io_->socket().async_wait(
        tcp::socket::wait_write,
        [io = io_, me = self()](const boost::system::error_code&) { (void)me.cast(writable()); });
  }
}

// What it waits for next: that the replies can be written, and only then for more commands.
void connection::flush_and_wait() {
  if (waits_for_room_) {
    return; // it is woken when there is some
  }
  switch (io_->flush()) {
  case client_io::state::ended: return end({});
  case client_io::state::nothing:
    // Begins anew whenever the client has read something, be it little.
    timeout("write", server_->how.write_limit, overdue());
    return wait_writable();
  case client_io::state::ok: break;
  }
  if (!will_go_on_) {
    read();
  }
}

void connection::end(std::string_view why) {
  if (!why.empty() && server_->how.log) {
    server_->how.log(
        std::string("client ").append(session_.address).append(" was closed: ").append(why));
  }
  (void)stop(smarm::exit_kind::normal);
}

smarm::one_of<smarm::keep, connection_state::closing>
connection::on(smarm::in<normal, subscribed, transacting>, arrived what) {
  waits_for_input_ = false;
  if (what.bytes == 0) {
    return closing;
  }
  io_->arrived(what.bytes);
  carry_out_what_was_read();
  return smarm::keep;
}

smarm::stay connection::on(smarm::in<normal, subscribed, transacting>, more) {
  will_go_on_ = false;
  carry_out_what_was_read();
  return {};
}

smarm::stay connection::on(smarm::in<normal, subscribed, transacting>, writable) {
  waits_for_room_ = false;
  if (io_->flush() == client_io::state::ok) {
    (void)cancel_timeout("write");
    above_soft_limit_ = {};
    carry_out_what_was_read();
  } else {
    flush_and_wait();
  }
  return {};
}

smarm::stay connection::on(smarm::in<normal, subscribed, transacting>, flush_due) {
  will_flush_ = false;
  flush_and_wait();
  return {};
}

smarm::stopped connection::on(smarm::in<normal, subscribed, transacting>, overdue) {
  end("it does not read what it has asked for");
  return {};
}

smarm::stopped connection::on(smarm::in<closing>, overdue) { return {}; }

void connection::enter(smarm::in<closing>) {
  state_timeout(last_words, overdue());
  if (io_->flush() == client_io::state::nothing) {
    return wait_writable();
  }
  end({});
}

smarm::stay connection::on(smarm::in<closing>, writable) {
  waits_for_room_ = false;
  if (io_->flush() == client_io::state::nothing) {
    wait_writable();
  } else {
    end({});
  }
  return {};
}

// ---- commands

void connection::carry_out_what_was_read() {
  const smarm::disable_stop until_it_is_answered;
  if (io_->pending() >= most_bytes) { // of commands that were events
    flush_and_wait();
  }
  std::size_t taken = 0, bytes = 0;
  const auto count = [&] { server_->status->commands.fetch_add(taken, std::memory_order_relaxed); };
  while (!waits_for_room_ && !io_->unread().empty()) {
    if (taken >= commands_at_once_ || bytes >= most_bytes) {
      if (!std::exchange(will_go_on_, true) && !self().cast(more())) {
        next_event(more());
      }
      break;
    }
    const auto what = parser_.parse(io_->unread());
    if (what == resp_parser::outcome::incomplete) {
      io_->need(parser_.needed());
      break;
    }
    io_->need(0);
    if (what == resp_parser::outcome::failed) {
      count();
      finish_round();
      return next_event(breaks_protocol());
    }
    ++taken;
    bytes += parser_.consumed();
    if (what == resp_parser::outcome::command && !take(parser_.parsed())) {
      return count();
    }
    io_->consume(parser_.consumed());
  }
  count();
  finish_round();
  flush_and_wait();
}

void connection::finish_round() {
  const std::size_t before = io_->output().size();
  round_.finish(io_->output(), session_.form);
  const std::size_t replies = io_->output().size() - before;
  if (replies > most_bytes) {
    commands_at_once_ = std::max<std::size_t>(commands_at_once_ / 4, 1);
  } else if (replies < few_bytes) {
    commands_at_once_ = std::min(2 * commands_at_once_, most_commands);
  }
}

bool connection::take(const arguments& words) {
  const command* what = find_command(words[0]);
  if (what == nullptr) {
    refuse(unknown_command(words));
    return true;
  }
  what_ = what;
  const auto is_event = [this](auto event) {
    finish_round();
    next_event(event);
    return false;
  };
  if (what->what == verb::exec) { // with too many words, too, it ends the transaction
    return is_event(executes());
  }
  if (!takes(*what, words.size()) || (what->keys == spread::pairs && words.size() % 2 == 0)) {
    refuse(wrong_arity(what->name));
    return true;
  }
  switch (what->what) {
  case verb::hello: return is_event(greets());
  case verb::subscribe:
  case verb::psubscribe:
  case verb::unsubscribe:
  case verb::punsubscribe: return is_event(subscribes());
  case verb::multi: return is_event(begins());
  case verb::discard: return is_event(discards());
  case verb::reset: return is_event(resets());
  case verb::quit: return is_event(quits());
  default: break;
  }
  switch (state()) {
  case transacting: queue(*what, words); break;
  case subscribed:
    if (what->what == verb::ping && words.size() > 2) {
      refuse(wrong_arity(what->name));
    } else if (what->what == verb::ping) {
      reply_.clear();
      write_array(reply_, 2);
      write_bulk(reply_, "pong");
      write_bulk(reply_, words.size() == 2 ? words[1] : "");
      round_.add_reply(reply_);
    } else {
      refuse_as_subscriber();
    }
    break;
  default: take_ordinary(*what, words);
  }
  return true;
}

void connection::take_ordinary(const command& what, const arguments& words) {
  if (what.keys != spread::none || is_crash(what, words)) {
    return round_.add(what, words);
  }
  // These look at what the commands before them have done, or tell of it.
  if ((what.what == verb::publish || what.what == verb::info) && round_.asks_partitions()) {
    finish_round();
  }
  clear_and_keep(reply_, kept_reply);
  answer_alone(what, words, reply_);
  round_.add_reply(reply_);
}

void connection::answer_alone(const command& what, const arguments& words, std::string& reply) {
  switch (what.what) {
  case verb::publish:
    write_integer(reply, static_cast<std::int64_t>(publisher_.publish(words[1], words[2])));
    break;
  case verb::subscribe:
  case verb::psubscribe:
  case verb::unsubscribe:
  case verb::punsubscribe: change_subscriptions(what, words, reply); break;
  case verb::hello: {
    const std::string wrong = greet(words, session_);
    wrong.empty() ? write_greeting(session_, reply) : write_error(reply, wrong);
    break;
  }
  default: answer(what, words, session_, *server_, reply);
  }
}

void connection::refuse(std::string_view error) {
  if (transaction_ != nullptr) {
    transaction_->refuse();
  }
  reply_.clear();
  write_error(reply_, error);
  round_.add_reply(reply_);
}

void connection::refuse_as_subscriber() {
  std::string text =
      what_->what == verb::exec ? "EXECABORT Transaction discarded because of: " : "ERR ";
  text.append("Can't execute '");
  for (const char c : what_->name) {
    text += static_cast<char>(c - 'A' + 'a');
  }
  refuse(
      text.append("': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in "
                  "this context"));
}

smarm::stay connection::refuse_here() {
  refuse_as_subscriber();
  done_with_command();
  return {};
}

void connection::done_with_command() {
  io_->consume(parser_.consumed());
  next_event(more());
  will_go_on_ = true;
}

void connection::queue(const command& what, const arguments& words) {
  if (!transaction_->add(what, words)) {
    return refuse("ERR the transaction is too large");
  }
  session_.queued = static_cast<long>(transaction_->size());
  round_.add_reply("+QUEUED\r\n");
}

} // namespace kv

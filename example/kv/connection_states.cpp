// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The commands that change what the connection is in, and what other clients publish.

#include "connection.hpp"

#include "answer.hpp"
#include "resp_writer.hpp"

#include <smarm/this_actor.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace kv {

namespace {
constexpr std::size_t written_at_once = std::size_t{64} << 10;
constexpr const char* wrong_exec = "EXECABORT Transaction discarded because of: wrong number of "
                                   "arguments for 'exec' command";
} // namespace

bool connection::is_confined() const noexcept {
  return session_.form == protocol::resp2 && subscriptions_.size() != 0;
}

smarm::to<connection_state::closing> connection::on(smarm::in<normal, subscribed, transacting>,
                                                    quits) {
  write_ok(io_->output());
  return {};
}

smarm::to<connection_state::closing> connection::on(smarm::in<normal, subscribed, transacting>,
                                                    breaks_protocol) {
  write_error(io_->output(), std::string("ERR ").append(parser_.error()));
  return {};
}

smarm::to<connection_state::normal> connection::on(smarm::in<normal, subscribed, transacting>,
                                                   resets) {
  transaction_.reset();
  subscriptions_.clear();
  session_.channels = session_.patterns = 0;
  session_.queued = -1;
  session_.name.clear();
  session_.form = protocol::resp2;
  write_simple(io_->output(), "RESET");
  done_with_command();
  return {};
}

smarm::one_of<connection_state::normal, connection_state::subscribed>
connection::on(smarm::in<normal>, greets) {
  answer_alone(*what_, parser_.parsed(), io_->output());
  done_with_command();
  if (is_confined()) {
    return subscribed;
  }
  return normal;
}

// ---- subscriptions

smarm::one_of<connection_state::normal, connection_state::subscribed>
connection::on(smarm::in<normal, subscribed>, subscribes) {
  change_subscriptions(*what_, parser_.parsed(), io_->output());
  done_with_command();
  if (is_confined()) {
    return subscribed;
  }
  return normal;
}

void connection::change_subscriptions(const command& what, const arguments& words,
                                      std::string& reply) {
  const topic kind = what.what == verb::subscribe || what.what == verb::unsubscribe
                         ? topic::channel
                         : topic::pattern;
  const bool adds = what.what == verb::subscribe || what.what == verb::psubscribe;
  std::vector<std::string> names(words.begin() + 1, words.end());
  if (names.empty()) { // of all that there are
    names = subscriptions_.names(kind);
  }
  std::string word = adds ? "subscribe" : "unsubscribe";
  if (kind == topic::pattern) {
    word.insert(0, 1, 'p');
  }
  const auto confirm = [&](const std::string* name) {
    write_push(reply, 3, session_.form);
    write_bulk(reply, word);
    name != nullptr ? write_bulk(reply, *name) : write_null(reply, session_.form);
    write_integer(reply, static_cast<std::int64_t>(subscriptions_.size()));
  };
  if (names.empty()) {
    return confirm(nullptr);
  }
  for (const std::string& name : names) {
    if (subscriptions::inbox made; !adds) {
      subscriptions_.remove(kind, name);
    } else if (subscriptions_.add(kind, name, made)) {
      receive_info(std::move(made));
    }
    confirm(&name);
  }
  session_.channels = subscriptions_.count(topic::channel);
  session_.patterns = subscriptions_.count(topic::pattern);
}

// Several that have come at once are written at once: what it tells itself comes behind them.
smarm::stay connection::on(smarm::in<normal, subscribed, transacting>, const published& what) {
  if (!subscriptions_.contains(*what)) { // not any more
    return {};
  }
  io_->output().append(1, session_.form == protocol::resp3 ? '>' : '*').append(what->frame);
  if (io_->pending() >= written_at_once) {
    flush_and_wait();
  } else if (!will_flush_) {
    will_flush_ = self().cast(flush_due()).has_value();
  }
  if (is_too_slow()) {
    end("it does not read what it has subscribed to");
  }
  return {};
}

bool connection::is_too_slow() {
  const output_limit& limit = server_->how.subscriber_output;
  if (io_->pending() <= limit.soft) {
    above_soft_limit_ = {};
    return subscriptions_.has_missed();
  }
  const auto now = std::chrono::steady_clock::now();
  if (above_soft_limit_ == std::chrono::steady_clock::time_point()) {
    above_soft_limit_ = now;
  }
  return io_->pending() > limit.hard || now - above_soft_limit_ > limit.soft_time ||
         subscriptions_.has_missed();
}

// ---- transactions

smarm::to<connection_state::transacting> connection::on(smarm::in<normal>, begins) {
  transaction_ = std::make_unique<transaction>();
  session_.queued = 0;
  write_ok(io_->output());
  done_with_command();
  return {};
}

smarm::stay connection::on(smarm::in<normal>, executes) {
  const bool called_right = parser_.parsed().size() == 1;
  write_error(io_->output(), called_right ? "ERR EXEC without MULTI" : wrong_exec);
  done_with_command();
  return {};
}

smarm::stay connection::on(smarm::in<normal>, discards) {
  write_error(io_->output(), "ERR DISCARD without MULTI");
  done_with_command();
  return {};
}

smarm::stay connection::on(smarm::in<transacting>, begins) {
  write_error(io_->output(), "ERR MULTI calls can not be nested");
  done_with_command();
  return {};
}

smarm::stay connection::queue_event() {
  queue(*what_, parser_.parsed());
  done_with_command();
  return {};
}

smarm::to<connection_state::normal> connection::on(smarm::in<transacting>, discards) {
  transaction_.reset();
  session_.queued = -1;
  write_ok(io_->output());
  done_with_command();
  return {};
}

smarm::one_of<connection_state::normal, connection_state::subscribed>
connection::on(smarm::in<transacting>, executes) {
  const smarm::disable_stop until_it_is_answered;
  const auto what = std::exchange(transaction_, nullptr);
  session_.queued = -1;
  std::string& out = io_->output();
  if (parser_.parsed().size() != 1) {
    write_error(out, wrong_exec);
  } else if (what->refused()) {
    write_error(out, "EXECABORT Transaction discarded because of previous errors.");
  } else {
    std::vector<std::pair<const command*, arguments>> alone; // that need no partition
    what->each([&](const command& c, const arguments& words) {
      if (c.keys != spread::none || is_crash(c, words)) {
        round_.add(c, words);
      } else {
        round_.add_later();
        alone.emplace_back(&c, words);
      }
    });
    const std::size_t before = out.size();
    write_array(out, what->size());
    if (!round_.finish_together(out, session_.form, [&](std::size_t n, std::string& reply) {
          answer_alone(*alone[n].first, alone[n].second, reply);
        })) {
      out.resize(before);
      write_error(out, "UNAVAILABLE a partition does not come back: nothing was carried out");
    }
  }
  done_with_command();
  if (is_confined()) {
    return subscribed;
  }
  return normal;
}

} // namespace kv

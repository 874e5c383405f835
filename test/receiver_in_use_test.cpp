// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a predicate may do to the receiver that it chooses for, and what comes of it.

#define BOOST_TEST_MODULE receiver_in_use
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/select.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/when.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::bounded;
using smarm::channel;
using smarm::errc;
using smarm::overflow;
using smarm::receiver;
using smarm::sender;

namespace {

using ends = std::pair<sender<std::string>, receiver<std::string>>;

// With three messages in it. Of the kinds that keep their messages in different ways.
std::vector<ends> filled() {
  std::vector<ends> all;
  all.push_back(channel<std::string>());
  all.push_back(channel<std::string>(bounded{.capacity = 4}));
  all.push_back(channel<std::string>(bounded{.capacity = 4, .when_full = overflow::drop_oldest}));
  for (const ends& one : all) {
    for (const char* text : {"one", "two", "three"}) {
      (void)one.first.send(text);
    }
  }
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(receiver_in_use_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(receiving_in_the_predicate_is_refused_and_takes_nothing) {
  std::vector<boost::system::error_code> said;
  strings left;
  smarm::run([&] {
    for (auto& [to, from] : filled()) {
      const auto yes = [](const std::string&) { return true; };
      const auto refuse = [&](auto call) {
        said.push_back(refusal([&] {
          (void)from.recv_match([&](const std::string&) {
            call();
            return true;
          });
        }));
      };
      refuse([&] { (void)from.recv(); });
      refuse([&] { (void)from.recv_for(1h); });
      refuse([&] { (void)from.try_recv(); });
      refuse([&] { (void)from.recv_match(yes); });
      refuse([&] { (void)from.try_recv_match(yes); });
      refuse([&] { (void)smarm::select(smarm::when(from, [](const std::string&) {})); });
      while (auto got = from.try_recv()) {
        left.push_back(*got);
      }
    }
  });
  BOOST_TEST(said.size() == 18u);
  for (const auto& code : said) {
    BOOST_TEST((code == errc::already_waiting));
  }
  CHECK_LIST(left, {"one", "two", "three", "one", "two", "three", "one", "two", "three"});
}

BOOST_AUTO_TEST_CASE(what_only_asks_is_answered_in_the_predicate) {
  strings said;
  smarm::run([&] {
    for (auto& [to, from] : filled()) {
      const auto ask = [&](const std::string&) {
        said.push_back(from.closed() ? "closed" : "open");
        (void)from.overflows();
        return false;
      };
      (void)from.try_recv_match(ask);
      to = {};
      (void)from.try_recv_match(ask);
    }
  });
  BOOST_TEST(said.size() == 18u);
  for (std::size_t i = 0; i < said.size(); ++i) {
    BOOST_TEST(said[i] == (i % 6 < 3 ? "open" : "closed"));
  }
}

// By the second predicate call, with the first message passed over already.
BOOST_AUTO_TEST_CASE(a_receiver_that_is_destroyed_in_the_predicate_ends_with_the_call) {
  strings said;
  smarm::run([&] {
    for (const bool matches : {true, false}) {
      for (auto& [to, from] : filled()) {
        std::optional<receiver<std::string>> owner(std::move(from));
        int calls = 0;
        const auto got = owner->recv_match([&](const std::string&) {
          if (++calls == 2) {
            owner.reset();
          }
          return matches && calls == 2;
        });
        said.push_back(got ? *got : got.error() == errc::closed ? "closed" : "?");
        said.push_back(to.closed() ? "gone" : "there");
      }
    }
  });
  CHECK_LIST(said, {"two", "gone", "two", "gone", "two", "gone", "closed", "gone", "closed", "gone",
                    "closed", "gone"});
}

BOOST_AUTO_TEST_CASE(one_that_was_assigned_another_channel_in_the_predicate_has_that) {
  strings said;
  smarm::run([&] {
    for (auto& [to, from] : filled()) {
      auto [to_other, other] = channel<std::string>();
      (void)to_other.send("other");
      const auto got = from.recv_match([&](const std::string&) {
        from = std::move(other);
        return true;
      });
      said.push_back(*got);
      said.push_back(to.closed() ? "gone" : "there");
      said.push_back(from.try_recv().value());
    }
  });
  CHECK_LIST(said, {"one", "gone", "other", "one", "gone", "other", "one", "gone", "other"});
}

BOOST_AUTO_TEST_CASE(one_that_is_moved_from_in_the_predicate_keeps_its_channel) {
  strings said;
  smarm::run([&] {
    for (auto& [to, from] : filled()) {
      receiver<std::string> thief;
      const auto got = from.recv_match([&](const std::string&) {
        thief = std::move(from);
        return true;
      });
      said.push_back(*got);
      said.push_back(thief.try_recv().error() == errc::closed ? "nothing" : "?");
      said.push_back(from.try_recv().value());
    }
  });
  CHECK_LIST(said, {"one", "nothing", "two", "one", "nothing", "two", "one", "nothing", "two"});
}

BOOST_AUTO_TEST_CASE(a_predicate_that_throws_leaves_everything_where_it_was) {
  strings left;
  smarm::run([&] {
    for (auto& [to, from] : filled()) {
      for (int at = 1; at <= 3; ++at) {
        int calls = 0;
        try {
          (void)from.recv_match([&](const std::string&) -> bool {
            if (++calls == at) {
              throw at;
            }
            return false;
          });
        } catch (int) {
        }
      }
      while (auto got = from.try_recv()) {
        left.push_back(*got);
      }
    }
  });
  CHECK_LIST(left, {"one", "two", "three", "one", "two", "three", "one", "two", "three"});
}

// It may wait, and a stop that comes then takes nothing either.
BOOST_AUTO_TEST_CASE(a_predicate_that_is_stopped_as_it_waits_leaves_everything_where_it_was) {
  strings left;
  int stopped = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (auto& [to, from] : filled()) {
      auto victim = waiting([&] {
        int calls = 0;
        (void)from.recv_match([&](const std::string&) {
          if (++calls == 2) {
            smarm::this_actor::sleep_for(24h);
          }
          return false;
        });
      });
      (void)to.send("four");
      smarm::request_stop(victim.id());
      stopped += victim.join().kind() == smarm::exit_kind::stopped;
      while (auto got = from.try_recv()) {
        left.push_back(*got);
      }
    }
  });
  BOOST_TEST(stopped == 3);
  CHECK_LIST(left, {"one", "two", "three", "four", "one", "two", "three", "four", "one", "two",
                    "three", "four"});
}

BOOST_AUTO_TEST_SUITE_END()

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What requests and answers may be: large, over-aligned, not copyable, not assignable, and such that
// moving them throws.

#define BOOST_TEST_MODULE server_messages
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "recorder.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

template <class T>
struct boxed {
  T value;
};

// Gives back what it gets: at once, later, and what it was told last.
template <class T>
class mirror : public smarm::gen_server<mirror<T>> {
public:
  struct last {};
  struct ping {};
  void handle_call(ping) {}
  T handle_call(T value) { return value; }
  void handle_call(boxed<T> b, smarm::reply_to<T> r) { r.reply(std::move(b.value)); }
  void handle_cast(T value) { kept_ = std::make_unique<T>(std::move(value)); }
  T handle_call(last) { return std::move(*kept_); }

private:
  std::unique_ptr<T> kept_;
};

// The values that come back of the one that `make` makes, by all ways.
template <class T, class Make, class Look>
std::vector<int> mirrored(Make make, Look look) {
  std::vector<int> got;
  smarm::run([&] {
    auto s = smarm::start_server<mirror<T>>().value();
    got.push_back(look(s.call(make()).value()));
    got.push_back(look(s.call(make(), 1h).value()));
    got.push_back(look(s.call(boxed<T>{make()}).value()));
    auto p = s.send_request(make()).value();
    got.push_back(look(p.recv().value()));
    auto q = s.send_request(boxed<T>{make()}, 1h).value();
    got.push_back(look(q.recv_for(1h).value()));
    s.cast(make()).value();
    got.push_back(look(s.call(typename mirror<T>::last{}).value()));
  });
  return got;
}

const std::vector<int> seven_by_all_ways(6, 7);

template <class Operation>
std::string in_words(Operation operation) {
  errc e{};
  const bool threw = thrown([&] { e = error_of(operation()); });
  return threw ? "thrown" : e == errc{} ? "ok" : e == errc::server_down ? "server_down" : "?";
}

// One move more succeeds each time, until none throws: where that is seen, and that the server ends if
// it is its own.
template <class Operation>
strings reluctantly(Operation operation) {
  strings said;
  for (int moves = 0; moves < 20; ++moves) {
    std::string got;
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      auto s = smarm::start_server<mirror<reluctant>>().value();
      auto ended = smarm::monitor(s.id());
      reluctant::moves_until_throw = moves;
      got = in_words([&] { return operation(s); });
      reluctant::moves_until_throw = -1;
      const bool works = s.call(reluctant(1)).has_value();
      const bool gone = ended.try_recv().has_value();
      got += works == (got != "server_down") && gone == !works ? "" : "?";
    });
    got += reluctant::alive == 0 ? "" : ", and something is left";
    if (said.empty() || said.back() != got) {
      said.push_back(got);
    }
    if (got == "ok") {
      break;
    }
  }
  return said;
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_messages, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(large_ones) {
  const auto got = mirrored<large>(
      [] {
        return large{7, {}};
      },
      [](const large& l) { return l.value; });
  BOOST_TEST(got == seven_by_all_ways, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(over_aligned_ones_are_aligned_wherever_they_lie) {
  const auto got =
      mirrored<over_aligned>([] { return over_aligned(7); },
                             [](const over_aligned& o) { return o.placed ? o.value : -1; });
  BOOST_TEST(got == seven_by_all_ways, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(those_that_can_only_be_moved) {
  const auto got = mirrored<std::unique_ptr<int>>([] { return std::make_unique<int>(7); },
                                                  [](const auto& p) { return *p; });
  BOOST_TEST(got == seven_by_all_ways, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(those_that_cannot_be_assigned) {
  const auto got = mirrored<unassignable>([] { return unassignable(7); },
                                          [](const unassignable& u) { return u.value; });
  BOOST_TEST(got == seven_by_all_ways, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_over_aligned_server_is_aligned) {
  struct alignas(256) aligned : smarm::gen_server<aligned> {
    struct ask {};
    bool handle_call(ask) const { return reinterpret_cast<std::uintptr_t>(this) % 256 == 0; }
    char state[300]{};
  };
  bool placed = false;
  smarm::run([&] {
    std::vector<smarm::server_ref<aligned>> all;
    placed = true;
    for (int i = 0; i < 20; ++i) {
      all.push_back(smarm::start_server<aligned>().value());
      placed = placed && all.back().call(aligned::ask{}).value();
    }
  });
  BOOST_TEST(placed);
}

BOOST_AUTO_TEST_CASE(a_move_that_throws_is_the_callers_or_ends_the_server) {
  using ref = smarm::server_ref<mirror<reluctant>>;
  const strings both = {"thrown", "server_down", "thrown", "ok"};
  BOOST_TEST(reluctantly([](const ref& s) { return s.call(reluctant(7)); }) == both,
             boost::test_tools::per_element());
  BOOST_TEST(reluctantly([](const ref& s) { return s.call(reluctant(7), 1h); }) == both,
             boost::test_tools::per_element());
  BOOST_TEST(reluctantly([](const ref& s) {
               auto p = s.send_request(reluctant(7)).value();
               return p.recv();
             }) == both,
             boost::test_tools::per_element());
}

// A cast has nobody to answer: whoever sent it learns nothing of a failure in the server.
BOOST_AUTO_TEST_CASE(a_cast_whose_move_throws_in_the_server_ends_it) {
  strings seen;
  for (int moves = 0; moves < 20; ++moves) {
    std::string got;
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      auto s = smarm::start_server<mirror<reluctant>>().value();
      reluctant::moves_until_throw = moves;
      got = in_words([&] { return s.cast(reluctant(7)); });
      const bool works = s.call(mirror<reluctant>::ping{}).has_value();
      got += got == "thrown" ? "" : works ? ", and handled" : ", and the server has ended";
      reluctant::moves_until_throw = -1;
    });
    if (seen.empty() || seen.back() != got) {
      seen.push_back(got);
    }
    BOOST_TEST(reluctant::alive == 0);
  }
  CHECK_LIST(seen, {"thrown", "ok, and the server has ended", "ok, and handled"});
}

// The answer is gone then, and the pending reply with it.
BOOST_AUTO_TEST_CASE(an_answer_whose_move_throws_is_gone) {
  std::vector<int> got;
  smarm::run([&] {
    auto s = smarm::start_server<mirror<reluctant>>().value();
    auto p = s.send_request(reluctant(7)).value();
    (void)s.call(reluctant(1));
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)p.recv(); }));
    got.push_back(error_of(p.recv()) == errc::closed);
    got.push_back(s.call(reluctant(7)).value().value);
  });
  CHECK_LIST(got, {1, 1, 7});
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(an_answer_that_cannot_be_made_can_be_given_anew) {
  struct picky {
    explicit picky(int v) : value(v) {
      if (v < 0) {
        throw std::runtime_error("no such value");
      }
    }
    int value;
  };
  struct trying : smarm::gen_server<trying> {
    struct ask {};
    void handle_call(ask, smarm::reply_to<picky> r) {
      if (thrown([&] { r.reply(-1); })) {
        r.reply(7);
      }
    }
  };
  int got = 0;
  smarm::run(
      [&] { got = smarm::start_server<trying>().value().call(trying::ask{}).value().value; });
  BOOST_TEST(got == 7);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_copied_stays_as_it_is) {
  std::vector<int> got;
  smarm::run([&] {
    using parcel = std::vector<int>;
    auto s = smarm::start_server<mirror<parcel>>().value();
    const parcel constant{1, 2};
    parcel variable{1, 2, 3};
    got.push_back(static_cast<int>(s.call(constant).value().size()));
    got.push_back(static_cast<int>(s.call(variable).value().size()));
    got.push_back(static_cast<int>(variable.size()));
    (void)s.shutdown(smarm::exit_kind::shutdown, 1h);
    (void)s.call(std::move(variable)); // not sent
    (void)s.cast(std::move(variable));
    (void)s.send_request(std::move(variable));
    got.push_back(static_cast<int>(variable.size()));
  });
  CHECK_LIST(got, {2, 3, 3, 3});
}

BOOST_AUTO_TEST_CASE(a_message_may_carry_the_ref_that_it_is_sent_through) {
  struct sink : smarm::gen_server<sink> {
    struct carry {
      smarm::server_ref<sink> to;
    };
    explicit sink(int& n) : handled_(n) {}
    void handle_cast(const carry&) { ++handled_; }
    int handle_call(const carry&) { return ++handled_; }
    int& handled_;
  };
  std::vector<int> got;
  smarm::run([&] {
    int handled = 0;
    const auto once = [&](auto send) {
      // The last ref is in the message.
      typename sink::carry c{smarm::start_server<sink>(std::ref(handled)).value()};
      auto ended = smarm::monitor(c.to.id());
      send(c);
      got.push_back(ended.recv().value().reason.kind() == smarm::exit_kind::normal);
    };
    once([](sink::carry& c) { c.to.cast(std::move(c)).value(); });
    once([](sink::carry& c) { (void)c.to.call(std::move(c)).value(); });
    once([](sink::carry& c) { (void)c.to.call(std::move(c), 1h).value(); });
    once([](sink::carry& c) { (void)c.to.send_request(std::move(c)).value().recv(); });
    got.push_back(handled);
  });
  CHECK_LIST(got, {1, 1, 1, 1, 4});
}

BOOST_AUTO_TEST_SUITE_END()

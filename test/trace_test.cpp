// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Traces. What the file looks like in full is checked by test/trace.

#define BOOST_TEST_MODULE trace
#include <boost/test/unit_test.hpp>

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/start_server.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/trace.hpp>

#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using smarm::trace::event;
using smarm::trace::event_kind;

// Of everything that names the actor first.
std::vector<event_kind> life_of(const std::vector<event>& all, smarm::pid actor) {
  std::vector<event_kind> out;
  for (const auto& e : all) {
    if (e.actor == actor && e.what != event_kind::timer) {
      out.push_back(e.what);
    }
  }
  return out;
}

boost::json::array lines_of_file(const std::string& text) {
  return boost::json::parse(text).as_object().at("traceEvents").as_array();
}

std::string written() {
  std::ostringstream out;
  smarm::trace::write(out).value();
  return std::move(out).str();
}

bool names_a_track(const boost::json::array& lines, std::string_view name) {
  return std::any_of(lines.begin(), lines.end(), [&](const boost::json::value& v) {
    const auto& o = v.as_object();
    return o.at("ph").as_string() == "M" && o.at("args").at("name").as_string() == name;
  });
}

// Of a file for this process alone, removed afterwards.
struct file {
  std::string path = "smarm_trace_test_" + std::to_string(::getpid()) + ".json";
  ~file() { std::remove(path.c_str()); }
  [[nodiscard]] std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

struct adder : smarm::gen_server<adder> {
  struct add {
    int by;
  };
  struct total {};
  void handle_cast(add m) { sum += m.by; }
  int handle_call(total) { return sum; }
  int sum = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_life_is_recorded_in_order) {
  smarm::trace::start().value();
  smarm::runtime rt({.schedulers = 1});
  smarm::pid child;
  smarm::pid parent;
  rt.run([&] {
    auto h = smarm::spawn([] {
      smarm::this_actor::yield();
      smarm::this_actor::sleep_for(1ms);
    });
    child = h.id();
    parent = smarm::this_actor::self();
    smarm::this_actor::yield();
    (void)h.join();
  });
  smarm::trace::stop();
  const auto all = smarm::trace::events();
  const std::vector<event_kind> expected = {
      event_kind::spawn, event_kind::resume, event_kind::yield,  event_kind::resume,
      event_kind::park,  event_kind::wake,   event_kind::resume, event_kind::end};
  BOOST_TEST((life_of(all, child) == expected));
  BOOST_TEST(std::is_sorted(all.begin(), all.end(),
                            [](const auto& a, const auto& b) { return a.at < b.at; }));
  const auto find = [&](event_kind what) {
    return std::find_if(all.begin(), all.end(),
                        [&](const event& e) { return e.what == what && e.actor == child; });
  };
  BOOST_TEST(find(event_kind::spawn)->other == parent);
  BOOST_TEST(find(event_kind::park)->text == "the end of a sleep");
  BOOST_TEST((find(event_kind::timer) != all.end()));
  BOOST_TEST(find(event_kind::end)->scheduler == 0u);
}

BOOST_AUTO_TEST_CASE(nothing_is_recorded_before_the_start_and_after_the_stop) {
  smarm::runtime rt({.schedulers = 1});
  smarm::trace::start().value();
  BOOST_TEST(smarm::trace::recording());
  BOOST_TEST((smarm::trace::start().error() == smarm::errc::already_waiting));
  smarm::trace::stop();
  BOOST_TEST(!smarm::trace::recording());
  rt.run([] { (void)smarm::spawn([] {}).join(); });
  BOOST_TEST(smarm::trace::events().empty());
  BOOST_TEST((smarm::trace::start({.events_per_thread = 63}).error() ==
              smarm::errc::invalid_config));
  smarm::trace::start().value(); // drops what the last one recorded
  rt.run([] {});
  smarm::trace::stop();
  BOOST_TEST(!smarm::trace::events().empty());
  smarm::trace::start().value();
  smarm::trace::stop();
  BOOST_TEST(smarm::trace::events().empty());
}

BOOST_AUTO_TEST_CASE(the_oldest_are_lost_and_counted) {
  smarm::trace::start({.events_per_thread = 64}).value();
  smarm::runtime rt({.schedulers = 1});
  smarm::pid last;
  rt.run([&] {
    for (int i = 0; i < 100; ++i) {
      auto h = smarm::spawn([] {});
      last = h.id();
      (void)h.join();
    }
  });
  smarm::trace::stop();
  const auto all = smarm::trace::events();
  const auto kept = std::count_if(all.begin(), all.end(),
                                  [](const event& e) { return e.scheduler == 0; });
  BOOST_TEST(kept == 63); // one place might have been in use
  BOOST_TEST(smarm::trace::lost() > 100u);
  BOOST_TEST((life_of(all, last).back() == event_kind::end));
  const auto file = boost::json::parse(written()).as_object();
  BOOST_TEST(file.at("otherData").at("lost_events").as_int64() ==
             static_cast<std::int64_t>(smarm::trace::lost()));
}

BOOST_AUTO_TEST_CASE(a_wake_from_a_plain_thread_is_that_threads) {
  smarm::trace::start().value();
  smarm::runtime rt({.schedulers = 1});
  auto [tx, rx] = smarm::channel<int>();
  smarm::pid receiver;
  const int mine = ::gettid();
  int sender = 0;
  rt.run([&, rx = std::move(rx)]() mutable {
    receiver = smarm::this_actor::self();
    std::thread outside([&] {
      sender = ::gettid();
      (void)tx.send(1);
    });
    (void)rx.recv();
    outside.join();
  });
  smarm::trace::stop();
  bool seen = false;
  for (const event& e : smarm::trace::events()) {
    if (e.what == event_kind::send) {
      seen = true;
      BOOST_TEST(e.thread == sender);
      BOOST_TEST(e.thread != mine);
      BOOST_TEST(e.scheduler == event::outside);
      BOOST_TEST(e.text == "int");
      BOOST_TEST(!e.actor.is_valid());
    }
  }
  BOOST_TEST(seen);
  const auto got = smarm::trace::messages_of(receiver);
  BOOST_REQUIRE(got.size() == 1u);
  BOOST_TEST((got[0].sent <= got[0].received));
}

BOOST_AUTO_TEST_CASE(messages_are_told_with_who_sent_what_when) {
  smarm::trace::start().value();
  smarm::runtime rt({.schedulers = 1});
  smarm::pid root;
  smarm::pid server;
  rt.run([&] {
    root = smarm::this_actor::self();
    auto ref = smarm::start_server<adder>().value();
    server = ref.id();
    (void)ref.cast(adder::add{2});
    (void)ref.call(adder::total{});
    auto [tx, rx] = smarm::channel<std::string>();
    (void)tx.send("one");
    (void)tx.send("two");
    (void)rx.recv_match([](const std::string& s) { return s == "two"; });
  });
  smarm::trace::stop();
  const auto to_server = smarm::trace::messages_of(server);
  BOOST_REQUIRE(to_server.size() == 2u);
  BOOST_TEST((to_server[0].how == event_kind::cast));
  BOOST_TEST((to_server[1].how == event_kind::call));
  for (const auto& m : to_server) {
    BOOST_TEST(m.from == root);
    BOOST_TEST(m.to == server);
    BOOST_TEST((m.sent <= m.received));
  }
  BOOST_TEST(to_server[0].type.find("adder::add") != std::string::npos);
  BOOST_TEST(to_server[1].type.find("adder::total") != std::string::npos);
  const auto to_root = smarm::trace::messages_of(root);
  const auto strings = std::count_if(to_root.begin(), to_root.end(), [&](const auto& m) {
    return m.type.find("string") != std::string::npos && m.from == root;
  });
  BOOST_TEST(strings == 1); // the other one was sent, and never received
}

// Whatever carries a bounded channel's messages, each is followed from its sender to its receiver, also if
// the receiver leaves it for later, and where one was dropped.
BOOST_AUTO_TEST_CASE(messages_in_bounded_channels_are_told_as_others) {
  for (const smarm::overflow policy : {smarm::overflow::block, smarm::overflow::drop_oldest,
                                       smarm::overflow::drop_newest}) {
    BOOST_TEST_CONTEXT("policy " << static_cast<int>(policy)) {
      smarm::trace::start().value();
      smarm::runtime rt({.schedulers = 1});
      smarm::pid sender;
      smarm::pid receiver;
      constexpr int rounds = 5;
      rt.run([&] {
        receiver = smarm::this_actor::self();
        auto [tx, rx] = smarm::channel<int>(smarm::bounded{2, policy});
        auto [boxed, unboxed] = smarm::channel<std::vector<std::string>>(smarm::bounded{2, policy});
        auto h = smarm::spawn([tx = std::move(tx), boxed = std::move(boxed)] {
          for (int i = 0; i < rounds; ++i) {
            (void)tx.send(2 * i);
            (void)tx.send(2 * i + 1);
            (void)boxed.send(std::vector<std::string>{"a"});
            smarm::this_actor::yield();
          }
        });
        sender = h.id();
        for (int i = 0; i < rounds; ++i) {
          (void)rx.recv_match([i](int n) { return n == 2 * i + 1; });
          (void)rx.recv(); // which was passed over
          (void)unboxed.recv();
        }
        (void)h.join();
      });
      smarm::trace::stop();
      int numbers = 0;
      int texts = 0;
      std::chrono::steady_clock::time_point last{};
      for (const auto& m : smarm::trace::messages_of(receiver)) {
        if (m.type != "int" && m.type.find("vector") == std::string::npos) {
          continue;
        }
        ++(m.type == "int" ? numbers : texts);
        BOOST_TEST((m.how == event_kind::send));
        BOOST_TEST(m.from == sender);
        BOOST_TEST(m.to == receiver);
        BOOST_TEST((m.sent.time_since_epoch().count() != 0 && m.sent <= m.received));
        BOOST_TEST((last <= m.sent));
        last = m.sent;
      }
      BOOST_TEST(numbers == 2 * rounds);
      BOOST_TEST(texts == rounds);
      const auto all = smarm::trace::events();
      BOOST_TEST(std::count_if(all.begin(), all.end(), [](const event& e) {
                   return e.what == event_kind::pass_over;
                 }) == (policy == smarm::overflow::drop_oldest ? 0 : rounds));
    }
  }
}

BOOST_AUTO_TEST_CASE(labels_are_the_names_of_tracks_also_of_the_dead) {
  smarm::runtime rt({.schedulers = 1});
  const std::string odd = "a \"quoted\" \\ label\n";
  std::string text;
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto early = smarm::spawn({.label = "early"}, [rx = std::move(rx)]() mutable { (void)rx.recv(); });
    smarm::this_actor::yield();
    smarm::trace::start().value();
    (void)smarm::spawn({.label = odd}, [] {}).join();
    (void)smarm::spawn([] {
      smarm::this_actor::label("renamed");
      throw std::runtime_error("on purpose");
    }).join();
    (void)tx.send(1);
    (void)early.join();
    smarm::trace::stop();
  });
  const auto all = smarm::trace::events();
  const auto lines = lines_of_file(written());
  std::vector<smarm::pid> ended;
  for (const event& e : all) {
    if (e.what == event_kind::end) {
      ended.push_back(e.actor);
    }
  }
  BOOST_REQUIRE(ended.size() == 3u);
  const auto name = [](const std::string& label, smarm::pid who) {
    std::ostringstream out;
    out << label << ' ' << who;
    return out.str();
  };
  BOOST_TEST(names_a_track(lines, name(odd, ended[0])));
  BOOST_TEST(names_a_track(lines, name("renamed", ended[1])));
  BOOST_TEST(names_a_track(lines, name("early", ended[2])));
  BOOST_TEST(names_a_track(lines, "scheduler 0"));
  const auto failed = std::find_if(all.begin(), all.end(), [&](const event& e) {
    return e.what == event_kind::end && e.actor == ended[1];
  });
  BOOST_TEST((failed->ending == smarm::exit_kind::failed));
}

BOOST_AUTO_TEST_CASE(a_label_that_is_no_text_leaves_the_file_readable) {
  smarm::runtime rt({.schedulers = 1});
  rt.run([] {
    smarm::trace::start().value();
    (void)smarm::spawn({.label = "odd \xff"}, [] {}).join();
    smarm::trace::stop();
  });
  const auto text = written();
  BOOST_TEST(text.find("odd \xef\xbf\xbd <") != std::string::npos);
  BOOST_TEST(text.find('\xff') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_run_writes_its_trace) {
  const file f;
  {
    smarm::runtime rt({.schedulers = 2, .trace_file = f.path});
    rt.run([] {
      (void)smarm::spawn([] {}).join();
    });
    BOOST_TEST(!smarm::trace::recording());
    BOOST_TEST(names_a_track(lines_of_file(f.text()), "schedulers"));
    std::remove(f.path.c_str());
    rt.start();
    rt.wait();
  }
  BOOST_TEST(lines_of_file(f.text()).size() >= 3u);
}

BOOST_AUTO_TEST_CASE(a_trace_that_cannot_be_written_is_reported) {
  std::mutex lock;
  std::vector<smarm::report> reports;
  smarm::runtime rt({.schedulers = 1,
                     .reports =
                         [&](const smarm::report& r) {
                           const std::lock_guard guard(lock);
                           reports.push_back(r);
                         },
                     .trace_file = "/nowhere/at/all.json"});
  rt.run([] {});
  BOOST_REQUIRE(reports.size() == 1u);
  BOOST_TEST((reports[0].kind == smarm::report_kind::trace_not_written));
  BOOST_TEST(reports[0].text.find("config::trace_file") != std::string::npos);
  BOOST_TEST(smarm::trace::write(std::string("/nowhere/at/all.json")).has_error());
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  BOOST_TEST(smarm::trace::write(broken).has_error());
}

BOOST_AUTO_TEST_CASE(it_can_be_read_and_restarted_while_actors_run) {
  smarm::runtime rt({.schedulers = 2});
  rt.start();
  std::atomic<bool> enough{false};
  std::vector<smarm::join_handle> actors;
  for (int i = 0; i < 4; ++i) {
    actors.push_back(rt.handle().spawn([&enough] {
      while (!enough) {
        auto [tx, rx] = smarm::channel<int>();
        auto h = smarm::spawn([tx = std::move(tx)] { (void)tx.send(1); });
        (void)rx.recv();
        (void)h.join();
      }
    }));
  }
  std::size_t seen = 0;
  for (int round = 0; round < 20; ++round) {
    smarm::trace::start({.events_per_thread = 128}).value();
    for (int look = 0; look < 5 || smarm::trace::events().size() < 100; ++look) {
      const auto all = smarm::trace::events();
      seen += all.size();
      BOOST_TEST(std::all_of(all.begin(), all.end(), [](const event& e) {
        return e.at.time_since_epoch() > 0s && std::string(to_string(e.what)) != "unknown" &&
               (e.what != event_kind::send || e.text == "int");
      }));
    }
    (void)lines_of_file(written());
    smarm::trace::stop();
  }
  enough = true;
  for (auto& h : actors) {
    (void)h.join();
  }
  rt.wait();
  BOOST_TEST(seen > 0u);
}

BOOST_AUTO_TEST_CASE(two_runtimes_have_tracks_of_their_own) {
  smarm::trace::start().value();
  smarm::runtime one({.schedulers = 1});
  smarm::runtime two({.schedulers = 1});
  one.run([] { (void)smarm::spawn({.label = "of one"}, [] {}).join(); });
  two.run([] { (void)smarm::spawn({.label = "of two"}, [] {}).join(); });
  smarm::trace::stop();
  const auto lines = lines_of_file(written());
  BOOST_TEST(names_a_track(lines, "scheduler 0"));
  BOOST_TEST(names_a_track(lines, "runtime 2, scheduler 0"));
}

// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The endpoint: what it answers to whom, and that nothing that is sent to it harms it.

#define BOOST_TEST_MODULE observer_http
#include <boost/test/unit_test.hpp>

#include "../failing_memory.hpp"
#include "../probe.hpp"
#include "../waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/observer_http.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/runtime_snapshot.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/json.hpp>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace json = boost::json;
using asio::ip::tcp;

namespace {

// Sends that, and returns all that comes until the other side closes.
std::string answer_of(std::uint16_t port, const std::string& what) {
  asio::io_context context;
  tcp::socket socket(context);
  socket.connect({asio::ip::make_address("127.0.0.1"), port});
  boost::system::error_code error;
  asio::write(socket, asio::buffer(what), error); // it may have been refused already
  std::string answer;
  asio::read(socket, asio::dynamic_buffer(answer), error);
  return answer;
}

std::string get(std::uint16_t port, const std::string& target,
                const std::string& host = "localhost") {
  return answer_of(port, "GET " + target + " HTTP/1.1\r\nHost: " + host +
                            "\r\nConnection: close\r\n\r\n");
}

unsigned status_of(const std::string& answer) {
  return answer.size() > 12 ? static_cast<unsigned>(std::stoul(answer.substr(9, 3))) : 0;
}

std::string body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end != std::string::npos ? answer.substr(end + 4) : std::string();
}

json::object object_of(const std::string& answer) {
  return json::parse(body_of(answer)).as_object();
}

// A runtime with a few actors, observed.
struct observed {
  explicit observed(smarm::observer_http_options options = {})
      : page((rt.start(), rt.handle()), options) {
    auto [to, from] = smarm::channel<int>();
    gate = std::move(to);
    root = rt.handle().spawn({.label = "root"}, [in = std::move(from)]() mutable {
      auto [inbox, messages] = smarm::channel<int>();
      (void)smarm::register_name(smarm::name<int>("a name"), inbox);
      (void)inbox.send(1);
      auto child = smarm::spawn({.label = "ch\xff\"ild"}, [] { smarm::this_actor::sleep_for(1h); });
      (void)in.recv();
      child.detach();
    });
    // Children are there before their parent waits.
    wait_until([&] { return parked(*smarm::detail::runtime_access::state(rt.handle()).lock(), root.id()); });
  }
  ~observed() {
    (void)gate.send(1);
    root.detach();
    (void)rt.shutdown(1min);
  }
  [[nodiscard]] std::uint16_t port() const { return page.port(); }
  [[nodiscard]] std::string root_pid() const {
    return std::to_string(root.id().index()) + '.' + std::to_string(root.id().generation());
  }

  smarm::runtime rt{quiet(2)};
  smarm::observer_http page;
  smarm::sender<int> gate;
  smarm::join_handle root;
};

} // namespace

BOOST_AUTO_TEST_SUITE(observer_http_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(actors_are_listed_and_ordered_as_one_asks) {
  const observed o;
  const json::object all = object_of(get(o.port(), "/api/actors?sort=inbox&limit=1"));
  BOOST_TEST(all.at("actors").as_int64() == 2);
  BOOST_TEST(all.at("matching").as_int64() == 2);
  BOOST_TEST(all.at("rows").as_array().size() == 1U);
  const json::object& first = all.at("rows").as_array().at(0).as_object();
  BOOST_TEST(first.at("label").as_string() == "root");
  BOOST_TEST(first.at("names").as_array().at(0).as_string() == "a name");
  BOOST_TEST(first.at("inbox").as_int64() == 1);
  BOOST_TEST(first.at("state").as_string() == "parked");
  BOOST_TEST(first.at("waits_for").as_string() == "a message");
  BOOST_TEST(first.at("pid").as_string() == o.root_pid());
  const json::object found = object_of(get(o.port(), "/api/actors?q=ild&sort=pid&ascending=1"));
  BOOST_TEST(found.at("matching").as_int64() == 1);
  BOOST_TEST(found.at("rows").as_array().at(0).as_object().at("label").as_string() ==
             "ch\xef\xbf\xbd\"ild");
  BOOST_TEST(object_of(get(o.port(), "/api/actors?offset=7")).at("rows").as_array().empty());
  BOOST_TEST(object_of(get(o.port(), "/api/actors?state=idle")).at("matching").as_int64() == 0);
}

BOOST_AUTO_TEST_CASE(the_tree_is_given_level_by_level) {
  const observed o;
  const json::object roots = object_of(get(o.port(), "/api/tree"));
  BOOST_TEST(roots.at("matching").as_int64() == 1);
  const json::object& root = roots.at("rows").as_array().at(0).as_object();
  BOOST_TEST(root.at("children").as_int64() == 1);
  BOOST_TEST(root.at("below").as_int64() == 1);
  const json::object below = object_of(get(o.port(), "/api/tree?parent=" + o.root_pid()));
  BOOST_TEST(below.at("rows").as_array().size() == 1U);
  BOOST_TEST(below.at("rows").as_array().at(0).as_object().at("parent").as_string() ==
             o.root_pid());
  BOOST_TEST(status_of(get(o.port(), "/api/tree?parent=77.1")) == 404U);
  BOOST_TEST(object_of(get(o.port(), "/api/actor?pid=" + o.root_pid())).at("label").as_string() ==
             "root");
  BOOST_TEST(status_of(get(o.port(), "/api/actor?pid=77.1")) == 404U);
}

BOOST_AUTO_TEST_CASE(the_overview_counts_and_samples) {
  const observed o({.refresh = 0ms, .sample_interval = 1ms, .samples = 5});
  json::object all;
  wait_until([&] {
    all = object_of(get(o.port(), "/api/overview"));
    return all.at("samples").as_array().size() == 5;
  });
  BOOST_TEST(all.at("states").as_object().at("parked").as_int64() == 2);
  BOOST_TEST(all.at("statistics").as_object().at("spawned").as_int64() == 2);
  BOOST_TEST(all.at("schedulers").as_array().size() == 2U);
  BOOST_TEST(all.at("format_version").as_int64() == smarm::snapshot_format_version);
  for (const json::value& s : all.at("samples").as_array()) {
    for (const json::value& load : s.as_object().at("load").as_array()) {
      const double part = load.to_number<double>();
      BOOST_TEST((part >= 0 && part <= 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(reports_are_listed_newest_first) {
  const observed o({.refresh = 0ms});
  const auto fail = [&](const char* label) {
    auto h = o.rt.handle().spawn({.label = label}, [] { throw std::runtime_error("on purpose"); });
    (void)h.join();
  };
  fail("first");
  fail("second");
  auto stopped = o.rt.handle().spawn([] { smarm::this_actor::sleep_for(1h); });
  (void)o.rt.handle().spawn([&] { (void)smarm::request_stop(stopped.id()); }).join();
  (void)stopped.join();
  const json::object all = object_of(get(o.port(), "/api/reports"));
  BOOST_TEST(all.at("matching").as_int64() == 3);
  const json::object crashes = object_of(get(o.port(), "/api/reports?crashes=1"));
  const json::array& rows = crashes.at("rows").as_array();
  BOOST_REQUIRE(rows.size() == 2U);
  BOOST_TEST(rows[0].as_object().at("label").as_string() == "second");
  BOOST_TEST(rows[1].as_object().at("label").as_string() == "first");
  BOOST_TEST(rows[0].as_object().at("kind").as_string() == "failed");
  const std::string text(rows[0].as_object().at("text").as_string().c_str());
  BOOST_TEST(text.find("on purpose") != std::string::npos);
  const json::object one = object_of(get(o.port(), "/api/reports?crashes=1&limit=1&offset=1"));
  BOOST_TEST(one.at("rows").as_array().at(0).as_object().at("label").as_string() == "first");
}

#if !SMARM_TSAN
// Each of its threads and clocks goes on when there is memory again.
BOOST_AUTO_TEST_CASE(it_accepts_and_samples_again_after_memory_was_exhausted) {
  const observed o({.refresh = 0ms, .sample_interval = 1ms, .samples = 5});
  const auto last_sample = [&] {
    const json::object all = object_of(get(o.port(), "/api/overview"));
    const json::array& samples = all.at("samples").as_array();
    return samples.empty() ? 0 : samples.back().as_object().at("at_ms").as_int64();
  };
  for (int round = 0; round < 5; ++round) {
    has_failed = false;
    all_fail = true;
    left = 0;
    bool failed = false;
    while (!failed) { // nothing here allocates
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(o.port());
      to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      (void)::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
      ::close(fd);
      failed = has_failed;
    }
    all_fail = false;
    left = -1;
    const std::int64_t before = last_sample();
    wait_until([&] { return last_sample() > before; });
  }
}
#endif

BOOST_AUTO_TEST_CASE(page_and_metrics_are_there) {
  const observed o;
  const std::string page = get(o.port(), "/");
  BOOST_TEST(status_of(page) == 200U);
  BOOST_TEST((page.find("text/html") != std::string::npos));
  BOOST_TEST((page.find("Content-Security-Policy") != std::string::npos));
  BOOST_TEST((body_of(page).find("<script>") != std::string::npos));
  BOOST_TEST((body_of(page).find("http://") == std::string::npos ||
              body_of(page).find("http://www.w3.org/2000/svg") != std::string::npos));
  BOOST_TEST((body_of(page).find("@SCRIPT@") == std::string::npos));
  const std::string metrics = get(o.port(), "/metrics");
  BOOST_TEST(status_of(metrics) == 200U);
  BOOST_TEST((metrics.find("text/plain; version=0.0.4") != std::string::npos));
  BOOST_TEST((body_of(metrics).find("\nsmarm_actor_inbox_messages{name=\"a name\"} 1\n") !=
              std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_connection_takes_several_requests) {
  const observed o;
  const std::string both = answer_of(
      o.port(), "GET /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                "HEAD / HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n");
  BOOST_TEST(status_of(both) == 200U);
  const std::size_t second = both.find("HTTP/1.1 200", 5);
  BOOST_REQUIRE((second != std::string::npos));
  BOOST_TEST(body_of(both.substr(second)).empty()); // of a HEAD
  BOOST_TEST((both.find("Content-Length: 0", second) == std::string::npos));
}

BOOST_AUTO_TEST_CASE(bad_requests_are_refused_and_the_next_one_is_answered) {
  const observed o;
  struct {
    std::string what;
    unsigned status;
  } const bad[] = {
      {"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404},
      {"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404},
      {"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405},
      {"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", 413},
      {"GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\n\r\n", 431},
      {"nonsense\r\n\r\n", 400},
      {std::string(64, '\0'), 400},
      {"GET /api/actors?sort=size HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/actors?limit=1001 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/actors?limit=-1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/actors?limit=1&limit=2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/actors?unknown=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/actors?q=%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/actor HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/actor?pid=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET /api/tree?parent=99999999999.1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
      {"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400},
  };
  for (const auto& b : bad) {
    BOOST_TEST_CONTEXT(b.what.substr(0, 60)) {
      BOOST_TEST(status_of(answer_of(o.port(), b.what)) == b.status);
    }
  }
  const std::string quoting = get(o.port(), "/api/actors?%ff=1");
  BOOST_TEST(status_of(quoting) == 400U);
  BOOST_TEST(quoting.find('\xff') == std::string::npos);
  BOOST_TEST(status_of(get(o.port(), "/")) == 200U);
}

BOOST_AUTO_TEST_CASE(who_sends_too_slowly_or_too_often_is_closed) {
  const observed o({.max_connections = 2, .request_limit = 50ms, .idle_limit = 50ms});
  BOOST_TEST(answer_of(o.port(), "GET / HT").empty()); // returns only when the other side closes
  // Of three at a time one is closed at once.
  asio::io_context context;
  std::vector<tcp::socket> some;
  for (int i = 0; i < 3; ++i) {
    some.emplace_back(context).connect({asio::ip::make_address("127.0.0.1"), o.port()});
  }
  for (tcp::socket& s : some) {
    char one = 0;
    boost::system::error_code error;
    (void)s.read_some(asio::buffer(&one, 1), error);
    BOOST_TEST(error.failed());
  }
  wait_until([&] { return status_of(get(o.port(), "/")) == 200; });
}

BOOST_AUTO_TEST_CASE(others_can_reach_it_only_if_that_is_said) {
  smarm::runtime rt(quiet(1));
  const auto refused = [&](const smarm::observer_http_options& options) {
    return refusal([&] { const smarm::observer_http page(rt.handle(), options); });
  };
  BOOST_TEST((refused({.address = "0.0.0.0"}) == smarm::errc::invalid_config));
  BOOST_TEST((refused({.address = "localhost"}) == smarm::errc::invalid_config));
  BOOST_TEST((refused({.max_connections = 0}) == smarm::errc::invalid_config));
  BOOST_TEST((refused({.request_limit = 0ms}) == smarm::errc::invalid_config));
  BOOST_TEST((refused({.idle_limit = -1ms}) == smarm::errc::invalid_config));
  BOOST_TEST((refused({.sample_interval = 0ms}) == smarm::errc::invalid_config));
  const smarm::observer_http page(rt.handle(), {.address = "0.0.0.0", .allow_remote = true});
  BOOST_TEST(status_of(get(page.port(), "/", "any.example")) == 200U);
  BOOST_TEST((refused({.port = page.port()}).failed())); // somebody listens there
}

BOOST_AUTO_TEST_CASE(it_answers_while_all_schedulers_are_stuck_and_after_the_runtime_has_gone) {
  std::unique_ptr<smarm::observer_http> page;
  {
    smarm::runtime rt(quiet(1));
    page = std::make_unique<smarm::observer_http>(rt.handle(),
                                                  smarm::observer_http_options{.refresh = 0ms});
    BOOST_TEST(page->url() == "http://127.0.0.1:" + std::to_string(page->port()) + "/");
    rt.start();
    std::atomic<bool> enough{false};
    auto stuck = rt.handle().spawn({.label = "stuck"}, [&] { spin_until([&] { return enough.load(); }); });
    wait_until([&] {
      const json::object all = object_of(get(page->port(), "/api/actors?state=running"));
      return all.at("matching").as_int64() == 1;
    });
    enough = true;
    stuck.detach();
    rt.wait();
  }
  BOOST_TEST(status_of(get(page->port(), "/api/actors")) == 503U);
  BOOST_TEST(status_of(get(page->port(), "/metrics")) == 503U);
  BOOST_TEST(status_of(get(page->port(), "/")) == 200U);
}

BOOST_AUTO_TEST_SUITE_END()

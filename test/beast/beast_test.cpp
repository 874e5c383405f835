// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// smarm::await with operations that are composed of many: HTTP and websockets by Beast, and TLS. Both
// ends are actors of one runtime, connected by a socket pair.

#define BOOST_TEST_MODULE beast
#include <boost/test/unit_test.hpp>

#include "../recorder.hpp"
#include "../waiting.hpp"

#include <smarm/await.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <chrono>
#include <string>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using error_code = boost::system::error_code;
using socket_type = asio::local::stream_protocol::socket;

namespace {

std::pair<socket_type, socket_type> connected() {
  const auto ex = smarm::this_actor::get_executor();
  std::pair<socket_type, socket_type> both(ex, ex);
  asio::local::connect_pair(both.first, both.second);
  return both;
}

// A server's side of TLS with a key and a certificate that were made just now.
asio::ssl::context server_context() {
  asio::ssl::context context(asio::ssl::context::tls_server);
  EVP_PKEY* key = ::EVP_EC_gen("P-256");
  X509* certificate = ::X509_new();
  ::X509_set_version(certificate, 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate), 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(certificate), 0);
  ::X509_gmtime_adj(::X509_getm_notAfter(certificate), 3600);
  ::X509_set_pubkey(certificate, key);
  X509_NAME* name = ::X509_get_subject_name(certificate);
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  ::X509_set_issuer_name(certificate, name);
  ::X509_sign(certificate, key, ::EVP_sha256());
  ::SSL_CTX_use_certificate(context.native_handle(), certificate);
  ::SSL_CTX_use_PrivateKey(context.native_handle(), key);
  ::X509_free(certificate);
  ::EVP_PKEY_free(key);
  return context;
}

// One request and one response.
template <class Stream>
void serve(Stream& stream) {
  beast::flat_buffer room;
  http::request<http::string_body> request;
  http::async_read(stream, room, request, smarm::await);
  http::response<http::string_body> response(http::status::ok, request.version());
  response.body() = "you asked for " + std::string(request.target());
  response.prepare_payload();
  http::async_write(stream, response, smarm::await);
}
template <class Stream>
std::string ask(Stream& stream, const std::string& target) {
  http::request<http::empty_body> request(http::verb::get, target, 11);
  http::async_write(stream, request, smarm::await);
  beast::flat_buffer room;
  http::response<http::string_body> response;
  http::async_read(stream, room, response, smarm::await);
  return response.body();
}

// Waits in `begin` for ever: the deadline's error, and what a stop leaves.
template <class Begin>
error_code late_and_stopped(recorder& seen, Begin begin) {
  const error_code late = begin(smarm::try_await.within(1ms)).error();
  auto h = waiting([&] {
    const noted_end unwound(seen, "unwound");
    (void)begin(smarm::try_await);
    seen.note("never");
  });
  smarm::request_stop(h.id());
  (void)h.join();
  return late;
}

} // namespace

BOOST_AUTO_TEST_SUITE(beast_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(http_is_spoken) {
  std::string answer;
  for (const unsigned schedulers : {1u, 2u}) {
    smarm::runtime({.schedulers = schedulers}).run([&] {
      auto [ours, theirs] = connected();
      auto server = smarm::spawn([&theirs = theirs] { serve(theirs); });
      answer = ask(ours, "/this");
      (void)server.join();
    });
    BOOST_TEST(answer == "you asked for /this");
  }
}

BOOST_AUTO_TEST_CASE(a_silent_client_ends_by_deadline_or_stop) {
  recorder seen;
  error_code late;
  smarm::run([&] {
    auto [ours, theirs] = connected();
    beast::flat_buffer room;
    http::request<http::string_body> request;
    late = late_and_stopped(seen, [&, &theirs = theirs](auto token) {
      return http::async_read(theirs, room, request, token);
    });
  });
  BOOST_TEST((late == smarm::errc::timed_out));
  CHECK_LIST(seen.all(), {"unwound"});
}

BOOST_AUTO_TEST_CASE(http_is_spoken_over_tls) {
  std::string answer;
  error_code closed;
  for (const unsigned schedulers : {1u, 2u}) {
    smarm::runtime({.schedulers = schedulers}).run([&] {
      auto [ours, theirs] = connected();
      auto server_side = server_context();
      asio::ssl::context client_side(asio::ssl::context::tls_client);
      auto server = smarm::spawn([&, &theirs = theirs] {
        asio::ssl::stream<socket_type&> stream(theirs, server_side);
        stream.async_handshake(asio::ssl::stream_base::server, smarm::await);
        serve(stream);
        closed = stream.async_shutdown(smarm::try_await).error();
      });
      asio::ssl::stream<socket_type&> stream(ours, client_side);
      stream.async_handshake(asio::ssl::stream_base::client, smarm::await);
      answer = ask(stream, "/secret");
      (void)stream.async_shutdown(smarm::try_await);
      (void)server.join();
    });
    BOOST_TEST(answer == "you asked for /secret");
    BOOST_TEST(!closed);
  }
}

BOOST_AUTO_TEST_CASE(a_handshake_that_nobody_answers_ends_by_deadline_or_stop) {
  recorder seen;
  error_code late;
  smarm::run([&] {
    auto [ours, theirs] = connected();
    asio::ssl::context context(asio::ssl::context::tls_client);
    late = late_and_stopped(seen, [&, &ours = ours](auto token) {
      asio::ssl::stream<socket_type&> stream(ours, context);
      return stream.async_handshake(asio::ssl::stream_base::client, token);
    });
  });
  BOOST_TEST((late == smarm::errc::timed_out));
  CHECK_LIST(seen.all(), {"unwound"});
}

BOOST_AUTO_TEST_CASE(a_websocket_carries_messages) {
  std::string answer;
  error_code late, closed;
  smarm::runtime({.schedulers = 2}).run([&] {
    auto [ours, theirs] = connected();
    auto server = smarm::spawn([&, &theirs = theirs] {
      websocket::stream<socket_type> stream(std::move(theirs));
      stream.async_accept(smarm::await);
      for (;;) {
        beast::flat_buffer room;
        const auto got = stream.async_read(room, smarm::try_await);
        if (!got) {
          closed = got.error();
          return;
        }
        stream.async_write(room.data(), smarm::await);
      }
    });
    websocket::stream<socket_type> stream(std::move(ours));
    stream.async_handshake("localhost", "/", smarm::await);
    stream.async_write(asio::buffer("a message", 9), smarm::await);
    beast::flat_buffer room;
    stream.async_read(room, smarm::await);
    answer = beast::buffers_to_string(room.data());
    stream.async_close(websocket::close_code::normal, smarm::await);
    (void)server.join();
  });
  BOOST_TEST(answer == "a message");
  BOOST_TEST((closed == websocket::error::closed));
}

BOOST_AUTO_TEST_SUITE_END()

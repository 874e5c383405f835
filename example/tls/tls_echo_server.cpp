// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A TLS server that sends back what it receives.
//
//     tls_echo_server --port 7443 --certificate cert.pem --key key.pem
//     tls_echo_server              with a key that it makes, asks itself something, and ends
//
// prints: ^listens on 127.0.0.1:[0-9]+$
// prints: ^hello over TLS$
// prints: ^the server has ended: shutdown$

//[tls_echo_server_program
#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using namespace std::chrono_literals;

//[tls_echo_server_session
void session(tcp::socket socket, ssl::context& context) {
  ssl::stream<tcp::socket> stream(std::move(socket), context);
  if (!stream.async_handshake(ssl::stream_base::server, smarm::try_await.within(10s))) {
    return;
  }
  std::array<char, 1024> room;
  for (;;) {
    const auto got = stream.async_read_some(asio::buffer(room), smarm::try_await.within(30s));
    if (!got || !asio::async_write(stream, asio::buffer(room, *got), smarm::try_await)) {
      break;
    }
  }
  (void)stream.async_shutdown(smarm::try_await.within(1s));
}
//]

// For the demonstration: nobody else would trust it.
void use_a_new_key(ssl::context& context) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"),
                                                                EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  SSL_CTX_use_certificate(context.native_handle(), certificate.get());
  SSL_CTX_use_PrivateKey(context.native_handle(), key.get());
}

std::string ask(const tcp::endpoint& where, std::string text) {
  ssl::context context(ssl::context::tls_client);
  ssl::stream<tcp::socket> stream(smarm::this_actor::get_executor(), context);
  stream.next_layer().async_connect(where, smarm::await);
  stream.async_handshake(ssl::stream_base::client, smarm::await);
  asio::async_write(stream, asio::buffer(text), smarm::await);
  asio::async_read(stream, asio::buffer(text), smarm::await);
  (void)stream.async_shutdown(smarm::try_await.within(1s));
  return text;
}

void wait_for_signal() {
  auto [told, signals] = smarm::channel<int>();
  const smarm::signal_watch watch({SIGTERM, SIGINT},
                                  [&](int signal, unsigned) { (void)told.send(signal); });
  (void)signals.recv();
}

int main(int argc, char** argv) {
  unsigned short port = 0;
  ssl::context context(ssl::context::tls_server);
  const bool by_hand = argc == 7;
  if (by_hand) {
    const std::string_view text(argv[2]);
    (void)std::from_chars(text.data(), text.data() + text.size(), port);
    context.use_certificate_chain_file(argv[4]);
    context.use_private_key_file(argv[6], ssl::context::pem);
  } else {
    use_a_new_key(context);
  }
  smarm::run([&] {
    tcp::acceptor acceptor(smarm::this_actor::get_executor(),
                           {asio::ip::address_v4::loopback(), port});
    auto server = smarm::spawn([&] {
      smarm::accept_each(acceptor,
                         [&](tcp::socket socket) { session(std::move(socket), context); });
    });
    std::cout << "listens on " << acceptor.local_endpoint() << std::endl;
    if (by_hand) {
      wait_for_signal();
    } else {
      std::cout << ask(acceptor.local_endpoint(), "hello over TLS") << '\n';
    }
    smarm::request_shutdown(server.id());
    std::cout << "the server has ended: " << server.join() << '\n';
  });
}
//]

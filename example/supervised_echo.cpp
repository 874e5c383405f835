// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An echo server that fails on some input, and is there again for the next: its supervisor starts it
// anew, under the same name, with its log beside it.
//
// prints: ^echo: hello$
// prints: ^report: "echo" failed: std::invalid_argument: no text$
// prints: ^no answer: the server ended before it answered
// prints: ^report: restarts child "echo", which ended: failed: std::invalid_argument: no text$
// prints: ^echo: still here$
// prints: ^the log has 2 lines, echo was started 2 times$
// prints: ^report: gives up: child "echo" ended once more, after 1 restart within 5 s
// prints: ^the tree has ended: shutdown$

//[supervised_echo_program
#include <smarm.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;

class line_log : public smarm::gen_server<line_log> {
public:
  struct size {};
  void handle_cast(std::string) { ++lines_; }
  int handle_call(size) const { return lines_; }

private:
  int lines_ = 0;
};
inline constexpr smarm::server_name<line_log> the_log{"log"};

//[supervised_echo_class
class echo : public smarm::gen_server<echo> {
public:
  explicit echo(std::atomic<int>& starts) { ++starts; }

  std::string handle_call(const std::string& text) const {
    if (text.empty()) {
      throw std::invalid_argument("no text"); // ends this server, and nothing else
    }
    (void)the_log.cast(text);
    return text;
  }
};
inline constexpr smarm::server_name<echo> the_echo{"echo"};
//]

void ask(const std::string& text) {
  (void)smarm::wait_for_name(the_echo.text(), 1s); // it may be about to be started anew
  const auto answer = the_echo.call(text, 1s);
  if (answer) {
    std::cout << "echo: " << *answer << '\n';
  } else {
    std::cout << "no answer: " << answer.error().message() << '\n';
  }
}

int main() {
  std::atomic<int> starts{0};
  bool ended = false;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report& r) {
                       std::cout << "report: ";
                       if (r.kind == smarm::report_kind::actor_failed) {
                         std::cout << '"' << r.label << "\" ";
                       }
                       std::cout << r.text << '\n';
                     }});
  rt.run([&] {
    //[supervised_echo_tree
    auto tree = smarm::start_supervisor(
                    {.strategy = smarm::rest_for_one, .intensity = 1, .period = 5s},
                    {
                        {.id = "log", .start = smarm::server(the_log), .shutdown = 1s},
                        {.id = "echo", .start = smarm::server(the_echo, std::ref(starts))},
                    })
                    .value();
    //]
    ask("hello");
    ask("");
    ask("still here");
    std::cout << "the log has " << the_log.call(line_log::size{}).value()
              << " lines, echo was started " << starts << " times\n";

    //[supervised_echo_gives_up
    smarm::monitor_ref end = smarm::monitor(tree.id());
    ask("");                       // once more than its intensity within its period
    smarm::down last = end.recv().value();
    //]
    std::cout << "the tree has ended: " << last.reason << '\n';
    ended = last.reason == smarm::exit_kind::shutdown;
  });
  return ended && starts == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
//]

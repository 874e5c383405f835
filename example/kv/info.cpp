// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "answer.hpp"

#include "number.hpp"
#include "resp_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

namespace kv {

namespace {

void line(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(":").append(value).append("\r\n");
}
void line(std::string& text, std::string_view name, std::int64_t value) {
  text.append(name).append(":");
  append_number(text, value);
  text.append("\r\n");
}

std::int64_t resident_bytes() {
  std::int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::int64_t count_keys(const partitions& stores) {
  round ask(stores);
  const std::string_view name = "DBSIZE";
  std::string reply;
  ask.add(*find_command(name), std::span(&name, 1));
  ask.finish(reply, protocol::resp2);
  return number<std::int64_t>(std::string_view(reply).substr(1, reply.size() - 3)).value_or(0);
}

disk_status ask_disks(const partitions& stores) {
  disk_status all;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    // One that is being restarted has nothing to tell.
    if (const auto one = stores[i].call(partition::ask_disk_status())) {
      all += *one;
    }
  }
  return all;
}

const char* outcome(bool well) { return well ? "ok" : "err"; }

struct section {
  std::string_view name, title;
  void (*write)(std::string&, server_context&);
};

constexpr section sections[] = {
    {"SERVER", "Server",
     [](std::string& text, server_context& server) {
       const auto up = std::chrono::duration_cast<std::chrono::seconds>(
           std::chrono::steady_clock::now() - server.status->started);
       line(text, "server_name", "kv");
       line(text, "redis_mode", "standalone");
       line(text, "process_id", ::getpid());
       line(text, "tcp_port", server.port);
       line(text, "uptime_in_seconds", up.count());
       line(text, "partitions", static_cast<std::int64_t>(server.stores.size()));
     }},
    {"CLIENTS", "Clients",
     [](std::string& text, server_context& server) {
       line(text, "connected_clients", server.status->clients.load());
       line(text, "maxclients", static_cast<std::int64_t>(server.how.most_connections));
     }},
    {"MEMORY", "Memory",
     [](std::string& text, server_context&) { line(text, "used_memory_rss", resident_bytes()); }},
    {"PERSISTENCE", "Persistence",
     [](std::string& text, server_context& server) {
       const disk_status disk = ask_disks(server.stores);
       const bool is_kept = !server.how.directory.empty();
       // A snapshot is what BGSAVE and BGREWRITEAOF make, so it stands under both names.
       line(text, "loading", 0);
       line(text, "rdb_changes_since_last_save", static_cast<std::int64_t>(disk.changes));
       line(text, "rdb_bgsave_in_progress", disk.makes_snapshot ? 1 : 0);
       line(text, "rdb_last_bgsave_status", outcome(disk.last_snapshot));
       line(text, "aof_enabled", is_kept ? 1 : 0);
       line(text, "aof_rewrite_in_progress", disk.makes_snapshot ? 1 : 0);
       line(text, "aof_last_bgrewrite_status", outcome(disk.last_snapshot));
       line(text, "aof_last_write_status", outcome(disk.writes));
       if (is_kept) {
         line(text, "aof_current_size",
              static_cast<std::int64_t>(disk.log_bytes + disk.snapshot_bytes));
         line(text, "aof_base_size", static_cast<std::int64_t>(disk.snapshot_bytes));
       }
     }},
    {"STATS", "Stats",
     [](std::string& text, server_context& server) {
       line(text, "total_connections_received",
            static_cast<std::int64_t>(server.status->connections.load()));
       line(text, "total_commands_processed",
            static_cast<std::int64_t>(server.status->commands.load()));
     }},
    {"REPLICATION", "Replication",
     [](std::string& text, server_context&) {
       line(text, "role", "master");
       line(text, "connected_slaves", 0);
     }},
    {"KEYSPACE", "Keyspace",
     [](std::string& text, server_context& server) {
       if (const std::int64_t keys = count_keys(server.stores); keys != 0) {
         text.append("db0:keys=");
         append_number(text, keys);
         text.append("\r\n");
       }
     }},
};

} // namespace

void write_info(const arguments& words, const session& client, server_context& server,
                std::string& reply) {
  const auto is_wanted = [&](std::string_view name) {
    return words.size() == 1 ||
           std::any_of(words.begin() + 1, words.end(), [&](std::string_view w) {
             return is_word(w, name) || is_word(w, "ALL") || is_word(w, "DEFAULT") ||
                    is_word(w, "EVERYTHING");
           });
  };
  std::string text;
  for (const section& s : sections) {
    if (is_wanted(s.name)) {
      text.append(text.empty() ? "# " : "\r\n# ").append(s.title).append("\r\n");
      s.write(text, server);
    }
  }
  write_verbatim(reply, text, client.form);
}

} // namespace kv

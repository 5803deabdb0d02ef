#include "parallel/ranks/service.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "base/error.h"
#include "parallel/ranks/hex_text.h"
#include "parallel/ranks/memory_store.h"
#include "parallel/ranks/watch.h"

namespace hone::parallel {
namespace {

using std::chrono::milliseconds;

// Each rank has one connection open for good, one that waits for a key, and short ones.
constexpr std::size_t kThreadsPerRank = 3;
constexpr std::size_t kSpareThreads = 8;

constexpr int kLongestWaitMilliseconds = 10000;

int number_of(const httplib::Request& request, const char* name) {
  const std::string text = request.get_param_value(name);
  int number = 0;
  for (const char digit : text.substr(0, 7)) {
    if (digit < '0' || digit > '9') return 0;
    number = 10 * number + (digit - '0');
  }
  return number;
}

}  // namespace

struct Service::Parts {
  explicit Parts(const ServiceOptions& chosen) : options(chosen), watch(chosen.heartbeat_limit) {}

  void serve_keys();
  void serve_life();
  void control(int rank, httplib::Response& response);

  ServiceOptions options;
  MemoryStore store;
  Watch watch;
  std::atomic<bool> ending{false};
  httplib::Server server;
  int port = 0;
  std::thread thread;
};

void Service::Parts::serve_keys() {
  server.Get("/hello", [this](const httplib::Request& request, httplib::Response& response) {
    const bool ours = from_hex(request.get_param_value("run")) == options.run_id;
    response.status = ours ? 200 : 409;
    response.set_content(options.run_id, "text/plain");
  });
  server.Put("/key", [this](const httplib::Request& request, httplib::Response& response) {
    store.set(from_hex(request.get_param_value("name")), request.body);
    response.status = 200;
  });
  server.Get("/key", [this](const httplib::Request& request, httplib::Response& response) {
    const int wait = std::min(number_of(request, "wait_ms"), kLongestWaitMilliseconds);
    const auto value = store.find(from_hex(request.get_param_value("name")), milliseconds(wait));
    response.status = value ? 200 : 404;
    response.set_content(value.value_or(""), "application/octet-stream");
  });
}

void Service::Parts::serve_life() {
  server.Post("/beat", [this](const httplib::Request& request, httplib::Response&) {
    watch.beat(number_of(request, "rank"));
  });
  server.Post("/leave", [this](const httplib::Request& request, httplib::Response&) {
    watch.left(number_of(request, "rank"));
  });
  server.Post("/failed", [this](const httplib::Request& request, httplib::Response&) {
    watch.failed(number_of(request, "rank"), request.body);
  });
  server.Get("/control", [this](const httplib::Request& request, httplib::Response& response) {
    const int rank = number_of(request, "rank");
    watch.joined(rank, from_hex(request.get_param_value("where")));
    control(rank, response);
  });
}

void Service::Parts::control(int rank, httplib::Response& response) {
  response.set_chunked_content_provider(
      "text/plain",
      [this, rank, pulse = milliseconds(0)](std::size_t, httplib::DataSink& sink) mutable {
        if (!sink.is_writable()) return false;
        // At once for the first time: the rank waits for it.
        const auto failure = watch.await_failure(rank, std::exchange(pulse, options.pulse));
        const std::string text = failure ? "\n" + *failure + "\n" : ".";
        if (!sink.write(text.data(), text.size())) return false;
        if (failure || ending || watch.has_left(rank)) sink.done();
        return true;
      },
      [this, rank](bool) {
        if (!ending) watch.connection_closed(rank);
      });
}

Service::Service(const ServiceOptions& options) : parts_(std::make_unique<Parts>(options)) {
  httplib::Server& server = parts_->server;
  const std::size_t threads =
      kThreadsPerRank * static_cast<std::size_t>(options.ranks) + kSpareThreads;
  server.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
  // Without SO_REUSEPORT, which httplib sets of its own: two runs must not share a port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_tcp_nodelay(true);
  parts_->serve_keys();
  parts_->serve_life();
  for (int port = options.first_port; port < options.first_port + options.ports; ++port) {
    if (!server.bind_to_port(options.address, port)) continue;
    parts_->port = port;
    break;
  }
  if (parts_->port == 0) {
    throw UserError({fmt::format("MASTER_PORT: {}", options.first_port),
                     fmt::format("ports {} to {} of {} are taken", options.first_port,
                                 options.first_port + options.ports - 1, options.address),
                     "set MASTER_PORT to a free one, on all ranks"});
  }
  parts_->thread = std::thread([this] { parts_->server.listen_after_bind(); });
}

Service::~Service() {
  parts_->ending = true;
  parts_->server.stop();
  parts_->thread.join();
}

int Service::port() const {
  return parts_->port;
}

}  // namespace hone::parallel

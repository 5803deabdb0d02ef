#include "parallel/collectives/gloo_transport.h"

#include <fmt/format.h>
#include <gloo/common/error.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "parallel/collectives/collective_error.h"
#include "parallel/collectives/collectives.h"
#include "parallel/ranks/network_interfaces.h"

namespace hone::parallel {
namespace {

using Milliseconds = std::chrono::milliseconds;
using Buffer = std::unique_ptr<gloo::transport::UnboundBuffer>;

// Gloo's slots: one for all our messages, as messages between two ranks keep their order in it.
constexpr std::uint64_t kSlot = 0x68;

// How long is looked whether a buffer is done although another has failed.
constexpr Milliseconds kGlance{1};

// Our store behind Gloo's interface.
class GlooStore final : public gloo::rendezvous::Store {
 public:
  GlooStore(KeyValueStore& store, Milliseconds limit) : store_(store), limit_(limit) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    store_.set("gloo/" + key, std::string(data.begin(), data.end()));
  }
  std::vector<char> get(const std::string& key) override {
    const std::string value = store_.get("gloo/" + key, limit_);
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string>& keys) override { wait(keys, limit_); }
  void wait(const std::vector<std::string>& keys, const Milliseconds& limit) override {
    for (const std::string& key : keys) store_.get("gloo/" + key, std::min(limit, limit_));
  }

 private:
  KeyValueStore& store_;
  Milliseconds limit_;
};

// Gloo's later versions take the store by shared pointer, its earlier ones by reference.
template <class Context>
void connect(Context& context, const std::shared_ptr<GlooStore>& store,
             std::shared_ptr<gloo::transport::Device>& device) {
  if constexpr (requires { context.connectFullMesh(store, device); }) {
    context.connectFullMesh(store, device);
  } else {
    context.connectFullMesh(*store, device);
  }
}

class GlooTransport final : public Transport {
 public:
  explicit GlooTransport(std::shared_ptr<gloo::rendezvous::Context> context)
      : context_(std::move(context)) {}

  ~GlooTransport() override { close(); }

  int rank() const override { return context_->rank; }
  int ranks() const override { return context_->size; }

  void exchange(const Exchange& exchange) override {
    const CallPlace call{exchange.operation, rank(), ranks(), {}};
    refuse_if_stopped(call);
    std::vector<Message> messages;
    try {
      post(exchange, messages);
      begin(messages, call);
      for (const Message& message : messages) {
        if (!await(message, left(call, exchange.limit))) break;  // stopped
      }
    } catch (const gloo::Exception& error) {
      end();
      fail(call, exchange, messages, error.what());
    }
    end();
    refuse_if_stopped(call);
  }

  void stop(const std::string& reason) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!stopped_) reason_ = reason;
      stopped_ = true;
      // Closing a connection does not wake who waits for it.
      for (gloo::transport::UnboundBuffer* buffer : in_flight_) {
        buffer->abortWaitRecv();
        buffer->abortWaitSend();
      }
    }
    close();
  }

 private:
  struct Message {
    int peer;
    bool incoming;
    Buffer buffer;
  };

  void post(const Exchange& exchange, std::vector<Message>& messages) {
    for (const Incoming& incoming : exchange.incoming) {
      if (incoming.bytes == 0) continue;
      messages.push_back(
          {incoming.peer, true, context_->createUnboundBuffer(incoming.data, incoming.bytes)});
      messages.back().buffer->recv(incoming.peer, kSlot);
    }
    for (const Outgoing& outgoing : exchange.outgoing) {
      if (outgoing.bytes == 0) continue;
      // Gloo takes memory that it only reads as writable.
      messages.push_back(
          {outgoing.peer, false,
           context_->createUnboundBuffer(const_cast<void*>(outgoing.data), outgoing.bytes)});
      messages.back().buffer->send(outgoing.peer, kSlot);
    }
  }

  // What stop() is to wake, from here to end().
  void begin(const std::vector<Message>& messages, const CallPlace& call) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_) throw stopped(call, reason_);
    for (const Message& message : messages) in_flight_.push_back(message.buffer.get());
  }

  void end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    in_flight_.clear();
  }

  // Whether it is done; false when it was told to wait no longer.
  static bool await(const Message& message, Milliseconds limit) {
    return message.incoming ? message.buffer->waitRecv(limit) : message.buffer->waitSend(limit);
  }

  static Milliseconds left(const CallPlace& call, Milliseconds limit) {
    const auto passed = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() -
                                                                 call.start.steady);
    return std::max(kGlance, limit - passed);
  }

  void refuse_if_stopped(const CallPlace& call) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_) throw stopped(call, reason_);
  }

  [[noreturn]] void fail(const CallPlace& call, const Exchange& exchange,
                         const std::vector<Message>& messages, const std::string& detail) {
    const bool late = std::chrono::steady_clock::now() - call.start.steady >= exchange.limit;
    std::vector<int> missing;
    for (const Message& message : messages) {
      try {
        await(message, kGlance);
      } catch (const gloo::Exception&) {
        missing.push_back(message.peer);
      }
    }
    close();
    refuse_if_stopped(call);
    if (missing.empty()) missing = peers(exchange);
    if (late) throw timed_out(call, missing, exchange.limit);
    throw lost(call, missing, detail);
  }

  static std::vector<int> peers(const Exchange& exchange) {
    std::vector<int> ranks;
    for (const Incoming& incoming : exchange.incoming) ranks.push_back(incoming.peer);
    for (const Outgoing& outgoing : exchange.outgoing) ranks.push_back(outgoing.peer);
    return ranks;
  }

  void close() {
    const std::lock_guard<std::mutex> lock(closing_);
    if (closed_) return;
    closed_ = true;
    for (int peer = 0; peer < ranks(); ++peer) {
      if (peer != rank()) context_->getPair(peer)->close();
    }
  }

  std::shared_ptr<gloo::rendezvous::Context> context_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::string reason_;
  std::vector<gloo::transport::UnboundBuffer*> in_flight_;
  std::mutex closing_;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<Transport> connect_gloo(const GlooOptions& options, KeyValueStore& store) {
  if (!options.interface.empty()) {
    require_network_interface("GLOO_SOCKET_IFNAME", options.interface);
  }
  try {
    gloo::transport::tcp::attr attributes;
    attributes.iface = options.interface;
    attributes.hostname = options.host;
    auto device = gloo::transport::tcp::CreateDevice(attributes);
    auto context = std::make_shared<gloo::rendezvous::Context>(options.rank, options.ranks);
    context->setTimeout(options.connect_limit);
    connect(*context, std::make_shared<GlooStore>(store, options.connect_limit), device);
    auto transport = std::make_unique<GlooTransport>(std::move(context));
    // A connection stands on the connecting side before the other has taken it: a rank that had
    // nothing to say and ended at once would leave its peers waiting.
    Collectives(*transport, {.limit = options.connect_limit}).barrier();
    return transport;
  } catch (const gloo::Exception& error) {
    const std::string way = !options.interface.empty()
                                ? "interface " + options.interface
                                : (options.host.empty() ? "the host's name" : options.host);
    throw UserError(
        {fmt::format("connecting rank {} of {} through {}", options.rank, options.ranks, way),
         error.what(),
         "choose an interface that all ranks can reach (GLOO_SOCKET_IFNAME), and see "
         "that no firewall stands between them"});
  }
}

}  // namespace hone::parallel

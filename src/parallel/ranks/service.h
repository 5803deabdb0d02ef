// The service that a run's ranks meet at, on rank 0: a key-value store, and a watch over who is
// alive. HTTP (cpp-httplib), for ranks that are not strangers: it is no place for secrets.
//
// Texts in queries (R, K, W) are in hex (hex_text.h).
//   GET  /hello?run=R           200 when this is run R's service, 409 otherwise
//   PUT  /key?name=K            sets; GET waits up to wait_ms and answers 404 when it is not there
//   POST /beat, /leave, /failed ?rank=N (and where=..., the body says what failed)
//   GET  /control?rank=N&where=W  stays open: a dot now and then as a sign of life, and the first
//                               failure of any rank as soon as there is one, which ends it
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace hone::parallel {

struct ServiceOptions {
  std::string address = "0.0.0.0";  // to listen at
  // Ports are tried one after another, `ports` of them: the first may be a launcher's own.
  int first_port = 29500;
  int ports = 16;
  std::string run_id = "hone";
  int ranks = 1;
  std::chrono::milliseconds heartbeat_limit = std::chrono::seconds(30);
  std::chrono::milliseconds pulse = std::chrono::milliseconds(250);  // between two dots
};

class Service {
 public:
  // Listens when this returns. Throws UserError when all ports are taken.
  explicit Service(const ServiceOptions& options);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  int port() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hone::parallel

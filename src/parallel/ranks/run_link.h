// A rank's link to the service of its run (service.h): the store, and news of who has died.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "parallel/ranks/key_value_store.h"

namespace hone::parallel {

struct LinkOptions {
  int rank = 0;
  std::string address = "127.0.0.1";  // of the service
  int first_port = 29500;             // as in ServiceOptions
  int ports = 16;
  std::string run_id = "hone";
  std::string where;  // "host b, pid 4711": what others read about this rank
  std::chrono::milliseconds connect_limit = std::chrono::minutes(5);
  std::chrono::milliseconds heartbeat_limit = std::chrono::seconds(30);
  std::chrono::milliseconds beat = std::chrono::seconds(5);  // between two signs of life
};

class RunLink final : public KeyValueStore {
 public:
  // Finds the service and joins the run. `on_death` is called once, from another thread, when a
  // rank has died or failed, rank 0 and its service included: to stop the transport, so that
  // nobody stays inside a call. The text names the rank. Throws UserError when no service of this
  // run answers within the limit; says what did answer.
  RunLink(const LinkOptions& options, std::function<void(const std::string& what)> on_death);

  // Leaves the run: for the others, this rank has ended well.
  ~RunLink() override;
  RunLink(const RunLink&) = delete;
  RunLink& operator=(const RunLink&) = delete;

  int port() const;

  void set(const std::string& key, const std::string& value) override;
  // Ends with an error, too, when a rank has died meanwhile.
  std::string get(const std::string& key, std::chrono::milliseconds limit) override;

  // Tells all ranks that this one cannot go on; the first such report is what all are told.
  void report_failure(const std::string& what);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hone::parallel

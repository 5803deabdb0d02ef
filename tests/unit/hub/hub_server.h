// A server on this machine that speaks a hub's interface, and fails as it is told to.
#pragma once

#include <httplib.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "hub/digest.h"

namespace hone::hub {

struct ServedFile {
  std::string bytes;
  bool large = false;  // named by SHA-256 and sent from another host, as files of git LFS are
};

class HubServer {
 public:
  static constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

  HubServer() {
    server_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          return answer(request, response);
        });
    server_.set_tcp_nodelay(true);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~HubServer() {
    server_.stop();
    thread_.join();
  }
  HubServer(const HubServer&) = delete;
  HubServer& operator=(const HubServer&) = delete;

  std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // The other name of the same server, where large files are sent from.
  std::string other_host() const { return "http://localhost:" + std::to_string(port_); }

  // Answers before all else; true: it did.
  std::function<bool(const httplib::Request&, httplib::Response&)> first;
  std::string id = "org/tiny";
  bool dataset = false;
  bool with_digests = true;
  std::map<std::string, ServedFile> files;

  struct Seen {
    std::string method, path, range, authorization, host;
  };
  std::vector<Seen> seen() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return seen_;
  }
  std::size_t count(const std::string& part) const {
    std::size_t found = 0;
    for (const Seen& each : seen()) found += each.path.find(part) != std::string::npos ? 1u : 0u;
    return found;
  }

  std::string listing() const {
    std::string text = "{\"id\": \"" + id + "\", \"sha\": \"" + kCommit + "\", \"siblings\": [";
    bool begun = false;
    for (const auto& [name, file] : files) {
      text += std::string(begun ? ", " : "") + "{\"rfilename\": \"" + name + "\"";
      begun = true;
      if (with_digests) {
        const std::string size = std::to_string(file.bytes.size());
        text += ", \"size\": " + size + ", \"blobId\": \"" + git_blob_name(file.bytes) + "\"";
        if (file.large) {
          text += ", \"lfs\": {\"sha256\": \"" + sha256(file.bytes) + "\", \"size\": " + size +
                  ", \"pointerSize\": 130}";
        }
      }
      text += "}";
    }
    return text + "]}";
  }

 private:
  using Handled = httplib::Server::HandlerResponse;

  Handled answer(const httplib::Request& request, httplib::Response& response) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      seen_.push_back({request.method, request.path, request.get_header_value("Range"),
                       request.get_header_value("Authorization"),
                       request.get_header_value("Host")});
    }
    if (first && first(request, response)) return Handled::Handled;
    const std::string kind = dataset ? "datasets" : "models";
    const std::string resolve = (dataset ? "/datasets/" : "/") + id + "/resolve/";
    if (request.path.rfind("/api/" + kind + "/" + id + "/revision/", 0) == 0) {
      response.set_content(listing(), "application/json");
    } else if (request.path.rfind("/cdn/", 0) == 0) {
      send(request.path.substr(5), response);
    } else if (request.path.rfind(resolve, 0) == 0) {
      const std::string rest = request.path.substr(resolve.size());
      resolve_file(rest.substr(rest.find('/') + 1), response);
    } else if (request.path == "/api/" + kind) {
      response.set_content("[{\"id\": \"" + id + "\"}, {\"id\": \"else/where\"}]",
                           "application/json");
    } else {
      response.status = 404;
      response.set_header("X-Error-Code", "RepoNotFound");
    }
    return Handled::Handled;
  }

  void resolve_file(const std::string& name, httplib::Response& response) {
    const auto file = files.find(name);
    if (file == files.end()) {
      response.status = 404;
      response.set_header("X-Error-Code", "EntryNotFound");
      return;
    }
    response.set_header("X-Repo-Commit", kCommit);
    if (!file->second.large) {
      response.set_header("ETag", "\"" + git_blob_name(file->second.bytes) + "\"");
      return send(name, response);
    }
    response.set_header("X-Linked-Etag", "\"" + sha256(file->second.bytes) + "\"");
    response.set_redirect(other_host() + "/cdn/" + name + "?Signature=SIGNED", 302);
  }

  void send(const std::string& name, httplib::Response& response) {
    // No status: the library makes it 206, or 416, where a range was asked for.
    response.set_content(files.at(name).bytes, "application/octet-stream");
  }

  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Seen> seen_;
};

}  // namespace hone::hub

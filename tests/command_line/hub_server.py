"""A hub on this machine, for tests: the parts of Hugging Face's and ModelScope's interfaces that hone and their
packages ask."""

import contextlib
import hashlib
import http.server
import json
import threading
import urllib.parse

COMMIT = "89abcdef0123456789abcdef0123456789abcdef"
# As on the hub, by the kind of file.
LARGE = (".safetensors", ".parquet", ".arrow", ".gguf", ".bin")


def git_name(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class HubServer:
    """repositories: {"models/org/name" or "datasets/org/name": {file name: bytes}}."""

    def __init__(self, repositories):
        self.repositories = repositories
        self.seen = []  # (method, path, authorization)
        self.cut = {}  # file name: how many more answers break off in the middle
        self.held = set()  # names of files of which the second half waits for release()
        self.released = threading.Event()
        self.ranges = []  # that were asked for
        self.token = None  # asked for, where it is set
        hub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                hub.answer(self)

            do_HEAD = do_GET

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def release(self):
        self.held.clear()
        self.released.set()

    def close(self):
        self.release()
        self.server.shutdown()
        self.server.server_close()

    def count(self, part):
        return sum(part in path for _, path, _ in self.seen)

    def answer(self, request):
        url = urllib.parse.urlsplit(request.path)
        path = urllib.parse.unquote(url.path)
        self.seen.append((request.command, path, request.headers.get("Authorization")))
        if path.startswith("/api/v1/"):
            return self.answer_modelscope(request, path, urllib.parse.parse_qs(url.query))
        for name, files in self.repositories.items():
            if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
                return self.send(request, 401, b"", {"X-Error-Code": "GatedRepo"})
            if path in (f"/api/{name}", f"/api/{name}/revision/main", f"/api/{name}/revision/{COMMIT}"):
                return self.send_json(request, self.about(name, files))
            if path.startswith(f"/api/{name}/tree/"):
                return self.send_json(request, self.tree(files))
            plain = name.removeprefix("models/")
            for revision in ("main", COMMIT):
                begin = f"/{plain}/resolve/{revision}/"
                if path.startswith(begin):
                    return self.send_file(request, files, path[len(begin):])
        return self.send(request, 404, b"", {"X-Error-Code": "RepoNotFound"})

    def answer_modelscope(self, request, path, query):
        if self.token and request.headers.get("Cookie") != f"m_session_id={self.token}":
            return self.send(request, 403, b"", {})
        for name, files in self.repositories.items():
            begin = f"/api/v1/{name}/repo"
            if path in (begin + "/files", begin + "/tree"):
                entries = [{"Path": file, "Name": file.rsplit("/")[-1], "Type": "blob", "Size": len(data),
                            "Sha256": hashlib.sha256(data).hexdigest()} for file, data in files.items()]
                return self.send_json(request, {"Code": 200, "Success": True, "Data": {"Files": entries}})
            if path == begin:
                return self.send_file(request, files, query["FilePath"][0])
        return self.send(request, 404, b'{"Code": 404, "Message": "not found"}', {})

    def about(self, name, files):
        siblings = []
        for file, data in files.items():
            entry = {"rfilename": file, "size": len(data), "blobId": git_name(data)}
            if file.endswith(LARGE):
                entry["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
            siblings.append(entry)
        return {"id": name.split("/", 1)[1], "sha": COMMIT, "siblings": siblings, "private": False, "gated": False,
                "tags": [], "downloads": 0, "likes": 0}

    def tree(self, files):
        entries = []
        for file, data in files.items():
            entry = {"type": "file", "path": file, "size": len(data), "oid": git_name(data)}
            if file.endswith(LARGE):
                entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
            entries.append(entry)
        return entries

    def send_json(self, request, value):
        self.send(request, 200, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def send_file(self, request, files, name):
        if name not in files:
            return self.send(request, 404, b"", {"X-Error-Code": "EntryNotFound"})
        data = files[name]
        etag = hashlib.sha256(data).hexdigest() if name.endswith(LARGE) else git_name(data)
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
        wanted = request.headers.get("Range")
        if name in self.held:
            return self.send_halves(request, data, headers)
        if wanted is None:
            return self.send(request, 200, data, headers, self.cut_of(name, data))
        self.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").split("-")[0])
        headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        self.send(request, 206, data[start:], headers, self.cut_of(name, data[start:]))

    def send_halves(self, request, data, headers):
        half = len(data) // 2
        self.send(request, 200, data[:half], {**headers, "Content-Length": str(len(data))})
        request.wfile.flush()
        self.released.wait()
        with contextlib.suppress(ConnectionError):
            request.wfile.write(data[half:])

    def cut_of(self, name, data):
        if self.cut.get(name, 0) == 0:
            return None
        self.cut[name] -= 1
        return len(data) // 2

    def send(self, request, status, data, headers, cut=None):
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        if "Content-Length" not in headers:
            request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(data if cut is None else data[:cut])
        if cut is not None:
            request.wfile.flush()
            request.close_connection = True

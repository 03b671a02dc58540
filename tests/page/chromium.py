# SPDX-License-Identifier: GPL-2.0-or-later
"""A headless Chromium that is asked over its debugging pipe: one JSON message after another, each ended
by a zero byte."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync --disable-extensions
    --disable-dev-shm-usage --hide-scrollbars --remote-debugging-pipe""".split()
ANSWER_SECONDS = 90


def find():
    for name in "chromium", "chromium-browser", "google-chrome":
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    def __init__(self, width=1200, height=900):
        self.dir = tempfile.mkdtemp(prefix="corepace-page-")
        to_child, self.write_fd = os.pipe()
        self.read_fd, from_child = os.pipe()

        def wire():  # the browser reads from 3 and writes to 4
            a, b = os.dup(to_child), os.dup(from_child)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.child = subprocess.Popen(
            [find(), *FLAGS, f"--user-data-dir={self.dir}", f"--window-size={width},{height}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.next, self.events, self.session = b"", 1, [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network", "Accessibility":
            self.ask(domain + ".enable")

    def close(self):
        self.child.kill()
        self.child.wait()
        os.close(self.write_fd)
        os.close(self.read_fd)
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.read_fd], [], [], left)[0]:
                return None
            data = os.read(self.read_fd, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **params):
        request = {"id": self.next, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        self.next += 1
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write_fd, data):]
        while True:
            answer = self.message(ANSWER_SECONDS)
            if answer is None:
                raise RuntimeError(f"no answer to {method}")
            if answer.get("id") == request["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        self.events.clear()
        self.ask("Page.navigate", url="file://" + os.path.realpath(path))
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            event = self.message(ANSWER_SECONDS)
            if event is None:
                raise RuntimeError(f"{path} does not load")
            self.events.append(event)

    def run(self, script):
        """The value of an expression, awaited."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, key, **more):
        codes = {"Tab": 9, "Enter": 13, "ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40}
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        for kind in "keyDown", "keyUp":
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode=codes.get(key, 0), **(text if kind == "keyDown" else {}), **more)

    def problems(self):
        """Errors and warnings of the console, and requests for anything but files and data."""
        self.ask("Runtime.evaluate", expression="0")
        found = []
        for e in self.events:
            method, p = e.get("method"), e.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(p["exceptionDetails"])[:600])
            elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                found.append(json.dumps(p["args"])[:600])
            elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append(json.dumps(p["entry"])[:600])
            elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("file:", "data:")):
                found.append("request: " + p["request"]["url"])
        return found

    def screenshot(self, path, whole=True):
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

"""Chromium without a window, driven through chromedriver. Python's standard library only."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request


def missing():
    """What is not installed, or None."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return None


def axe():
    """The text of axe-core: of the file that CATMINT_AXE names, or as npm has it; None where it cannot be had."""
    named = os.environ.get("CATMINT_AXE")
    if named:
        return pathlib.Path(named).read_text()
    if shutil.which("npm") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="catmint-axe-") as folder:
        try:
            done = subprocess.run(["npm", "install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, "axe-core@4"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return None
        return pathlib.Path(folder, "node_modules/axe-core/axe.min.js").read_text() if done.returncode == 0 else None


class Browser:
    """One window of its own size."""

    def __init__(self, width, height=900, dark=False):
        self.profile = tempfile.mkdtemp(prefix="catmint-browser-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = None
        for line in self.driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                self.address = f"http://127.0.0.1:{started[1]}"
                break
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                            f"--user-data-dir={self.profile}"]}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
                        "timeouts": {"script": 600_000}}  # a busy machine takes minutes to look through the largest page
        answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{answer['sessionId']}"
        self.command("Emulation.setDeviceMetricsOverride",
                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.command("Emulation.setEmulatedMedia",
                     {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(30)
            self.driver.stdout.close()
            shutil.rmtree(self.profile, True)

    def ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=600) as answer:
            return json.load(answer)["value"]

    def command(self, name, parameters):
        return self.ask("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def print(self):
        """As on paper."""
        self.command("Emulation.setEmulatedMedia", {"media": "print"})

    def open(self, path):
        """Seconds until it is loaded and drawn."""
        begin = time.monotonic()
        self.ask("POST", f"{self.session}/url", {"url": path.resolve().as_uri()})
        self.run("return document.body.getBoundingClientRect().height")
        return time.monotonic() - begin

    def run(self, script, *arguments):
        return self.ask("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def messages(self):
        """What the console was told since the last call."""
        return [entry["message"] for entry in self.ask("POST", f"{self.session}/se/log", {"type": "browser"})]

    def picture(self, path, whole=False):
        picture = self.command("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        path.write_bytes(base64.b64decode(picture["data"]))

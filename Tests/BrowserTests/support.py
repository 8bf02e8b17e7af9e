"""A server and a browser for the tests of the page."""

import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request

from playwright.sync_api import Page, expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("ROWCAST_BINARY", str(ROOT / ".build/release/rowcast"))
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

expect.set_options(timeout=10_000)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The built server with the shipped tables, and some that are made to be difficult."""

    def __init__(self, store="memory:", environment=None, tables=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rowcast-browser-"))
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.store = store
        self.environment = environment or {}
        self.tables = tables or {}
        self.token = self.environment.get("ROWCAST_TOKEN")
        self.process = None
        self._configure()
        self.start()

    def _configure(self):
        shipped = json.loads((ROOT / "Config/rowcast.json").read_text())
        tables = shipped["tables"]
        for table in tables.values():
            if "path" in table["source"]:
                table["source"]["path"] = str(ROOT / "Config" / table["source"]["path"])
        self.write("long.json", [{"id": f"r{n}", "title": f"Row {n}", "note": "words " * (n % 9)} for n in range(10_000)])
        self.write("rude.json", [
            {"id": "<img src=x onerror=alert(1)>", "title": "<script>alert(1)</script>", "text": "<b>bold</b>"},
            {"id": "a\"b'c\\d", "title": None, "list": [1, {"x": 2}], "image": "https://example.com/x.png"},
            {"id": "__proto__", "constructor": "x", "title": "\u202eright\u2028left"},
        ])
        self.write("flaky.json", [{"id": n, "title": f"Row {n}"} for n in range(60)])
        tables["long"] = self.table("long.json", pageSize=10_000)
        tables["rude"] = self.table("rude.json", title="<i>Rude</i>", cell="<Odd>Cell")
        tables["flaky"] = self.table("flaky.json", placeholder={
            "retry": {"data": {"title": "Noch einmal?"}, "bind": {"why": "/detail"}}, "more": {"data": {"title": "Mehr zeigen"}},
            "error": {"data": {"title": "Geht nicht"}}})
        self.write("rowcast.json", {"tables": {**tables, **self.tables}})

    @staticmethod
    def table(path, **more):
        return {"title": path, "source": {"kind": "file", "path": path, "id": "/id"}, **more}

    def write(self, name, content):
        (self.folder / name).write_text(content if isinstance(content, str) else json.dumps(content))

    def start(self):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--config", str(self.folder / "rowcast.json"), "--port", str(self.port), "--store", self.store],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, **self.environment})
        line = self.process.stdout.readline()
        if "listening" not in line:
            code = self.process.wait()
            self.process.stdout.close()
            raise RuntimeError(f"the server ended with {code}")

    def stop(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(
            self.base + path, None if body is None else json.dumps(body).encode(), headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def command(self, session, name, body=None):
        return self.ask("POST", f"/v1/sessions/{session}/{name}", body or {})

    def snapshot(self, session):
        return self.ask("GET", f"/v1/sessions/{session}")


class Upstream:
    """A web API: of each topic thirty items, ten a page."""

    def __init__(self):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                asked.append(query)
                start = 10 * (int(query["page"]) - 1)
                body = json.dumps([{"id": f"{query['q']}-{n}", "title": f"{query['q']} {n}"}
                                   for n in range(start, min(start + 10, 30))]).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def table(self):
        return {
            "title": "Topics", "pageSize": 10, "params": {"topic": {"default": "swift", "maxLength": 20}},
            "source": {"kind": "http", "url": f"http://127.0.0.1:{self.server.server_port}/items", "query": {"q": "{topic}"},
                       "paging": {"style": "page", "page": "page"}, "id": "/id"}}

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class Control:
    """An empty page, in a process of its own, whose timer tells for how long the machine stood still.

    It excuses nothing that the page under test does to itself.
    """

    def __init__(self, context):
        self.page = context.new_page()
        self.page.evaluate("""() => {
          const step = 20
          let last = performance.now()
          window.gap = 0
          setInterval(() => {
            const now = performance.now()
            window.gap = Math.max(window.gap, now - last - step)
            last = now
          }, step)
        }""")

    def longest(self):
        """The longest standstill since this was last asked, in milliseconds."""
        return self.page.evaluate("() => { const { gap } = window; window.gap = 0; return gap }")


class PageTest(unittest.TestCase):
    """A test with a server and pages; at its end nothing may have gone wrong in any page."""

    environment = None
    # What browsers say of answers that a test provoked; anything else in a console fails it.
    expected_messages = ()
    expected_notices = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(environment=cls.environment)
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.server.remove()

    def setUp(self):
        self.messages = []
        self.outside = []
        self.posts = []
        self.context = self.new_context()

    def tearDown(self):
        self.context.close()
        self.assertEqual([], [each for each in self.messages if not any(known in each for known in self.expected_messages)])
        self.assertEqual([], self.outside, "requests elsewhere")

    def new_context(self, **options):
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        self.addCleanup(context.close)
        context.on("page", self.watch)
        context.set_default_timeout(10_000)
        return context

    def watch(self, page: Page):
        page.on("console", lambda message: self.messages.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("request", self.note_request)

    def note_request(self, request):
        if not request.url.startswith((self.server.base, "data:")):
            self.outside.append(request.url)
        if request.method == "POST":
            self.posts.append(request.url.split("/")[-1].split("?")[0])

    def open(self, query, context=None) -> Page:
        page = (context or self.context).new_page()
        page.goto(f"{self.server.base}/?{query}")
        return page

    @staticmethod
    def session_of(page):
        expect(page).to_have_url(re.compile("session="))
        return page.url.split("session=")[1]

    @staticmethod
    def live(page):
        expect(page.locator(".connection")).to_have_text("Live")
        return page

    def wait_for(self, page, expression):
        """Waits until an expression holds. (Playwright's own way evaluates text in the page, whose policy forbids it.)"""
        deadline = time.monotonic() + 10
        while not page.evaluate(expression):
            self.assertLess(time.monotonic(), deadline, expression)
            page.wait_for_timeout(20)

    def becomes(self, page, expected, look, message=None):
        """Waits until a look gives what is expected: a page takes its time on a busy machine."""
        deadline = time.monotonic() + 10
        while look() != expected and time.monotonic() < deadline:
            page.wait_for_timeout(20)
        self.assertEqual(expected, look(), message)

    @staticmethod
    def ids(page):
        return page.locator("li[data-id]").evaluate_all("rows => rows.map(row => row.dataset.id)")

    def expect_rows_of(self, page, session):
        """Waits until the page shows what the server has: each row once, in order, the placeholder of the right kind."""
        deadline = time.monotonic() + 10
        while True:
            wanted = [row.get("id", row.get("placeholder")) for row in self.server.snapshot(session)["rows"]]
            shown = page.locator("li.row").evaluate_all("rows => rows.map(row => row.dataset.id ?? row.dataset.placeholder)")
            if shown == wanted:
                return
            if time.monotonic() > deadline:
                self.assertEqual(wanted, shown)
            page.wait_for_timeout(20)

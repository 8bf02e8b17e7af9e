"""What the benchmarks of servers share: a server as a process on its own CPU, and a table of figures with goals."""
import contextlib
import http.client
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

CLIENT_CPU, SERVER_CPU = (0, 1) if os.cpu_count() > 1 else (0, 0)
# Connections are descriptors, and limits are inherited.
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


class Server:
    """A server on a free port, from its first line on standard output to SIGTERM."""

    def __init__(self, command, cpus=SERVER_CPU):
        """`cpus` as taskset takes them."""
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            ["taskset", "-c", str(cpus), *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if "listening on http://" not in line:
            self.stop()
            sys.exit(f"bench: {command[0]} did not start: {line!r}")
        self.port = int(line.rsplit(":", 1)[1])
        self.call("GET", "/healthz")
        self.milliseconds_to_first_answer = (time.perf_counter() - begin) * 1e3

    @property
    def pid(self):
        return self.process.pid

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(12)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def call(self, method, path, body=None, headers=None):
        """One request on a connection of its own; the body of its answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            fields = {"Content-Type": "application/json"} if body is not None else {}
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {**fields, **(headers or {})})
            answer = connection.getresponse()
            content = answer.read()
            if answer.status not in (200, 201):
                sys.exit(f"bench: {method} {path}: {answer.status} {content[:500]!r}")
            return content

    def resident_megabytes(self):
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return float("nan")


class Table:
    """Figures beside their goals, a section for each kind of measure; remembers which were missed."""

    def __init__(self):
        self.missed = []

    def section(self, title, *columns):
        print(f"\n{title:<34}{columns[0]:>12}{columns[1]:>12}{'ratio':>9}{'goal':>9}")

    def row(self, name, figure, base, ratio, goal, value, at_least=False):
        """One line; `value` is what the goal bounds from above, or from below; a goal of None bounds nothing."""
        is_met = goal is None or (value >= goal if at_least else value <= goal)
        verdict = "" if goal is None else "met" if is_met else "MISSED"
        if verdict == "MISSED":
            self.missed.append(name)
        bound = "" if goal is None else f"{'≥' if at_least else '≤'} {goal:g}"
        print(f"{name:<34}{figure:>12}{base:>12}{ratio:>9}{bound:>9} {verdict}", flush=True)

    def finish(self):
        """The exit status: 1 where a goal was missed."""
        if self.missed:
            print(f"\nmissed: {', '.join(self.missed)}")
        return 1 if self.missed else 0

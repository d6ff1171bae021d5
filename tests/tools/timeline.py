#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""timeline - does a reader of Chrome's JSON see the calls that octrace calls writes?

The reader is the model of traces that Chromium's own tools have, which Chromium serves to whoever debugs it. It has one
stack for all threads, so each thread is given to it alone.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

OCTRACE = os.environ["OCTRACE"]
DATA = pathlib.Path(os.environ["DATA"])
SAMPLES = pathlib.Path(os.environ["SAMPLES"])
CHROMIUM = "/usr/bin/chromium"
MODEL = "devtools/models/trace/trace.js"
READ = """(async () => {
  const model = await import("/%s");
  const processor = model.Processor.TraceProcessor.createWithAllHandlers();
  await processor.parse(%s, {});
  const slices = [];
  for (const process of processor.data.Renderer.processes.values())
    for (const thread of process.threads.values())
      for (const e of thread.entries) slices.push([thread.name, e.name, Math.round(e.ts * 1000), Math.round(e.dur * 1000)]);
  return slices;
})()"""


class Browser:
    """Chromium, which takes commands through a pipe and serves its tools at a port."""

    def __init__(self, folder):
        (into, self.out), (self.into, out) = os.pipe(), os.pipe()

        def pipes():
            for fd, number in ((into, 10), (out, 11)):
                os.dup2(fd, number)
            os.dup2(10, 3)
            os.dup2(11, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}", "--remote-debugging-pipe",
             "--remote-debugging-port=0", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=pipes,
            close_fds=False)
        os.close(into)
        os.close(out)
        self.n, self.text = 0, b""
        port = folder / "DevToolsActivePort"
        for _ in range(300):
            if port.exists() and port.read_text(encoding="utf-8"):
                break
            time.sleep(0.1)
        self.origin = "http://127.0.0.1:" + port.read_text(encoding="utf-8").splitlines()[0] + "/"
        page = self.ask("Target.createTarget", url=self.origin + "devtools/devtools_app.html")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]

    def ask(self, method, session=None, **params):
        self.n += 1
        message = {"id": self.n, "method": method, "params": params} | ({"sessionId": session} if session else {})
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            while b"\0" not in self.text:
                got = os.read(self.into, 1 << 20)
                if not got:
                    sys.exit("timeline: Chromium ended")
                self.text += got
            answer, self.text = self.text.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.n:
                return answer["result"]

    def run(self, script):
        for _ in range(100):
            got = self.ask("Runtime.evaluate", self.session, expression=script, awaitPromise=True, returnByValue=True)
            if "exceptionDetails" not in got:
                return got["result"]["value"]
            time.sleep(0.1)
        sys.exit(f"timeline: {got['exceptionDetails']}")

    def close(self):
        self.process.terminate()
        self.process.wait()


def calls(*words):
    return subprocess.run([OCTRACE, "calls", *words], stdout=subprocess.PIPE, check=True).stdout.decode()


def want(words):
    """Slices by thread, in the order of their begins, from the text of the same calls."""
    threads, stacks = collections.defaultdict(list), collections.defaultdict(list)
    for line in calls("--to", "text", *words).splitlines():
        if line[0] == "#":
            continue
        at, thread, kind, name = line.split()
        if kind == "enter":
            stacks[thread].append([name, int(at), None])
            threads[thread.replace("\\s", " ")].append(stacks[thread][-1])
        else:
            slice_ = stacks[thread].pop()
            slice_[2] = int(at) - slice_[1]
    return threads


def check(browser, *words):
    n = 0
    events = json.loads(calls("--to", "chrome", *words))["traceEvents"]
    for thread, slices in want(words).items():
        tid = next(e["tid"] for e in events if e["ph"] == "M" and e["args"]["name"] == thread)
        got = browser.run(READ % (MODEL, json.dumps([e for e in events if e["tid"] == tid])))
        if got != [[thread, *s] for s in slices]:
            sys.exit(f"timeline: {words}: {thread}: {got[:3]} ..., expected {slices[:3]} ...")
        n += len(slices)
    return n


def main():
    if not os.path.exists(CHROMIUM):
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        browser = Browser(pathlib.Path(name))
        try:
            for isa in ("riscv64", "arm", "x86-64"):
                print(check(browser, "--elf", DATA / f"mixed-{isa}.elf", DATA / f"mixed-{isa}.oct"), "slices of", isa)
            print(check(browser, SAMPLES / "threads.oct"), "slices of threads")
            print(check(browser, "--limit", "300K", SAMPLES / "ghostscript.oct"), "slices of ghostscript")
        finally:
            browser.close()


main()

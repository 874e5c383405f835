# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# What the endpoint serves, as those see it for whom it is: a program that reads JSON, Prometheus, and
# somebody with a browser. usage: observer_page.py PROGRAM [SCREENSHOT.png]
#
# The browser is Chromium, driven by ChromeDriver (Debian: chromium, chromium-driver). Without it the
# page is not tested, which is said.

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = 60  # seconds: nothing here takes as long unless it never comes


def until(what, condition):
    deadline = time.monotonic() + PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError("never seen: " + what)
        time.sleep(0.02)


def fetch(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return response.read().decode("utf-8")


# ---- Prometheus' text format, strictly: version 0.0.4

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(
    r"(%s)(\{%s(?:,%s)*\})? ([+-]?(?:[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|Inf|NaN))\Z"
    % (NAME, LABEL, LABEL))


def check_metrics(text):
    assert text.endswith("\n")
    types, helped, series, present = {}, set(), set(), None
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            name, _ = line[7:].split(" ", 1)
            assert re.fullmatch(NAME, name) and name not in helped, line
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name not in types and kind in ("counter", "gauge"), line
            types[name] = kind
            present = name
        else:
            match = SAMPLE.match(line)
            assert match, "no sample: " + line
            assert match.group(1) == present, "outside of its family: " + line
            key = match.group(1) + (match.group(2) or "")
            assert key not in series, "twice: " + line
            series.add(key)
            if types[present] == "counter":
                assert float(match.group(3)) >= 0, line
    assert set(types) == helped
    assert 'smarm_actor_inbox_messages{name="a \\"quoted\\" \\\\ name\\n"}' in series
    assert 'smarm_scheduler_switches_total{scheduler="1"}' in series


# ---- JSON

def check_json(url):
    rows = until("the crowd", lambda: [
        r for r in json.loads(fetch(url + "api/actors?q=crowd"))["rows"] if r["below"] == 250])
    assert rows[0]["children"] == 250
    below = url + "api/tree?parent=" + rows[0]["pid"]
    first = json.loads(fetch(below + "&limit=100"))
    rest = json.loads(fetch(below + "&limit=1000&offset=100"))
    pids = [r["pid"] for r in first["rows"] + rest["rows"]]
    assert len(first["rows"]) == 100 and len(set(pids)) == 250
    top = until("the long inbox", lambda: [
        r for r in json.loads(fetch(url + "api/actors?sort=inbox&limit=1"))["rows"]
        if r["inbox"] == 42])
    assert top[0]["behaviour"] == "gen_server" and top[0]["class"].endswith("slow")
    crashed = until("the crashed child", lambda: [
        r for r in json.loads(fetch(url + "api/actors?sort=restarts&supervised=1&limit=1"))["rows"]
        if r["restarts"] == 3 and r["state"] == "parked"])
    assert crashed[0]["label"] == "fragile"
    # Who crashed for good is in no list of those who are there.
    found = until("the crashes", lambda: [
        r for r in json.loads(fetch(url + "api/reports?crashes=1"))["rows"]
        if r["kind"] == "gave up"] and json.loads(fetch(url + "api/reports?crashes=1"))["rows"])
    goner = [r for r in found if r["label"] == "goner"]
    assert len(goner) == 1 and "gone for good" in goner[0]["text"] and goner[0]["kind"] == "failed"
    supervisor = json.loads(fetch(url + "api/actor?pid=" + goner[0]["parent"]))
    assert supervisor["behaviour"] == "supervisor", supervisor
    again = [r for r in found if r["kind"] == "gave up"]
    assert again[0]["label"] == "again" and "its intensity is 0" in again[0]["text"]
    assert not [r for r in found if r["kind"] in ("restarted", "stopped")]
    everything = json.loads(fetch(url + "api/reports?limit=1000"))
    assert len([r for r in everything["rows"] if r["kind"] == "restarted"]) == 3
    times = [r["at_ms"] for r in everything["rows"]]
    assert times == sorted(times, reverse=True) and len(times) == everything["matching"]
    return everything["budget_accounting"]


# ---- the page

class Browser:
    def __init__(self, directory):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        else:
            raise AssertionError("ChromeDriver does not start")
        self.base = "http://127.0.0.1:" + found.group(1)
        options = {"binary": shutil.which("chromium"), "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--window-size=1280,1000", "--user-data-dir=" + directory]}
        made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/session/" + made["sessionId"]

    def ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode("utf-8", "replace")[:600]) from None

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


# A node of the tree by what it is called; its button is pressed. Each time anew, since the page draws
# itself anew.
NODE = """
const item = [...document.querySelectorAll('#tree li')].find(
  i => i.querySelector(':scope > .node').textContent.includes(arguments[0]));
"""


def check_page(url, directory, screenshot, counts_cycles):
    browser = Browser(directory)
    try:
        browser.ask("POST", "/url", {"url": url})

        def text_of(called):
            return browser.run(NODE + "return item ? item.querySelector(':scope > .node').textContent : null;",
                               called)

        def children_of(called):
            return browser.run(NODE + "return item ? item.querySelectorAll(':scope > ul > li').length : 0;",
                               called)

        def press(called):
            browser.run(NODE + "item.querySelector('.toggle').click();", called)

        def first_row():
            return browser.run("const r = document.querySelector('#actors tbody tr'); return r ? r.textContent : '';")

        # A branch that crashed says so from above; it is opened down to the child.
        until("the root with a mark", lambda: "3 restarts" in (text_of("root") or ""))
        assert text_of("fragile") is None
        press("root")
        until("the root's children", lambda: children_of("root") == 4)
        press("supervisor")
        until("the crashed child", lambda: "3 restarts" in (text_of("fragile") or ""))
        assert "restarts" not in text_of("steady")
        # A long level is shown in parts.
        press("crowd")
        until("a part of the crowd", lambda: children_of("crowd") == 101)
        press("crowd")
        until("the crowd collapsed", lambda: children_of("crowd") == 0)
        # Whatever a label is, it is text.
        assert "<b>bold</b> &" in text_of("bold")
        assert browser.run("return document.querySelectorAll('b').length;") == 0

        until("the table of restarts", lambda: browser.run(
            "return document.querySelector('#restarts tbody').textContent;").count("fragile") == 1)
        # A child that crashed for good, with its reason and its supervisor.
        until("the crash", lambda: any(
            "failed" in row and "goner" in row and "gone for good" in row
            for row in browser.run("return [...document.querySelectorAll('#reports tbody tr')]"
                                   ".map(r => r.textContent);")))
        assert browser.run("return document.querySelectorAll('#reports [data-kind=restarted]').length;") == 0
        browser.run("const k = document.getElementById('report-kind'); k.value = '0';"
                    "k.dispatchEvent(new Event('change'));")
        until("the restarts among the reports", lambda: browser.run(
            "return document.querySelectorAll('#reports [data-kind=restarted]').length;") == 3)
        browser.run("const k = document.getElementById('report-kind'); k.value = '1';"
                    "k.dispatchEvent(new Event('change'));")
        shown = browser.run("return getComputedStyle(document.querySelector('#actors .cycles')).display;")
        assert (shown != "none") == counts_cycles, shown
        until("the longest inbox first", lambda: "slow" in first_row() and "42" in first_row())
        browser.run("document.querySelector('[data-sort=restarts]').click();")
        until("the most restarted first", lambda: "fragile" in first_row())
        browser.run("const q = document.getElementById('query'); q.value = 'steady';"
                    "q.dispatchEvent(new Event('input'));")
        until("who was searched", lambda: "steady" in first_row() and browser.run(
            "return document.querySelectorAll('#actors tbody tr').length;") == 1)
        browser.run("document.querySelector('#actors tbody .link').click();")
        until("the details", lambda: "the end of a sleep" in browser.run(
            "return document.getElementById('details').textContent;"))
        browser.run("document.getElementById('close').click();"
                    "const q = document.getElementById('query'); q.value = '';"
                    "q.dispatchEvent(new Event('input'));"
                    "document.querySelector('[data-sort=inbox]').click();")
        until("the graphs", lambda: browser.run(
            "const l = document.querySelectorAll('#graphs polyline');"
            "return l.length === 4 && l[0].getAttribute('points').split(' ').length > 3;"))
        until("the longest inbox again", lambda: "42" in first_row())
        if screenshot:
            import base64
            with open(screenshot, "wb") as out:
                out.write(base64.b64decode(browser.ask("GET", "/screenshot")))
        # The page needs nothing from anywhere else, and nothing went wrong in it.
        log = browser.ask("POST", "/se/log", {"type": "browser"})
        assert not [entry for entry in log if entry["level"] == "SEVERE"], log
        outside = browser.run("return performance.getEntriesByType('resource')"
                              ".map(e => e.name).filter(n => !n.startsWith(arguments[0]));", url)
        assert outside == [], outside
    finally:
        browser.close()


def main():
    program = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = program.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), url
        counts_cycles = check_json(url)
        check_metrics(fetch(url + "metrics"))
        absent = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
        if absent:
            print("not tested: the observer's page, since there is no " + " and no ".join(absent))
        else:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
                check_page(url, directory, sys.argv[2] if len(sys.argv) > 2 else None,
                           counts_cycles)
        program.stdin.close()
        assert program.wait(timeout=PATIENCE) == 0
        return 77 if absent else 0
    finally:
        program.kill()
        program.wait()


if __name__ == "__main__":
    sys.exit(main())

"""Phones for tests: starts `eyot lab` and speaks to its control API. Copy it; docs/reference/lab.md has every call."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.error
import urllib.request
from typing import Any, Callable


class Lab:
    """The real server, Apple's push service and phones, on free ports of this machine. Use it in a `with`."""

    def __init__(self, *types: str) -> None:
        """`types` are those of the app: `Name=schema.json`, each with the schema that its unit test has written."""
        self.command = ["eyot", "lab", "--json", "--phones", "0", *[word for type in types for word in ("--type", type)]]

    def __enter__(self) -> Lab:
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        # The first line comes when everything listens.
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"eyot lab ended with {self.process.wait()}")
        self.description: dict[str, Any] = json.loads(line)
        self.url, self.api_key = self.description["http"], self.description["apiKey"]
        return self

    def __exit__(self, *_: Any) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def phone(self, user: str, **options: Any) -> Phone:
        """A phone of this person, with the app open. It is in reach of the backend when this returns."""
        [phone] = self.control("POST", "/phones", {"user": user, **options})["phones"]
        until(lambda: self._is_startable(user), lambda: f"{user}'s phone has not registered")
        return Phone(self, phone["id"])

    def _is_startable(self, user: str) -> bool:
        devices = self._call(self.url, self.api_key, "GET", f"/v1/devices?user={user}")["devices"]
        return any(device["startTokens"] for device in devices)

    def advance(self, seconds: float) -> None:
        """Lets time jump, for phones, server and Apple alike."""
        self.control("POST", "/clock/advance", {"seconds": seconds})

    def push_schema(self, type: str, file: str) -> None:
        """Tells the server what the app decodes, as a release job does."""
        with open(file) as schema:
            self._call(self.url, self.api_key, "PUT", f"/v1/types/{type}/schemas", {"schema": json.load(schema)})

    def remove_schema(self, type: str) -> None:
        self._call(self.url, self.api_key, "DELETE", f"/v1/types/{type}/schemas")

    def control(self, method: str, path: str, body: Any = None) -> Any:
        return self._call(self.description["control"], self.description["controlSecret"], method, path, body)

    @staticmethod
    def _call(base: str, key: str, method: str, path: str, body: Any = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        request = urllib.request.Request(base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.loads(response.read() or b"null")
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None


class Phone:
    """One phone and the person who has it."""

    def __init__(self, lab: Lab, id: str) -> None:
        self.lab, self.id = lab, id

    @property
    def state(self) -> dict[str, Any]:
        """Everything about it."""
        return self.lab.control("GET", f"/phones/{self.id}")

    def do(self, what: str, **how: Any) -> None:
        """`offline`, `online`, `dismiss`, `quit`, `reboot`, … as the control API has them."""
        self.lab.control("POST", f"/phones/{self.id}/{what}", how)

    def cards(self) -> list[dict[str, Any]]:
        """Those in view."""
        return [card for card in self.state["cards"] if card["state"] != "dismissed"]

    def assert_shows(self, **state: Any) -> None:
        """Waits until the one card in view has these members in its state."""
        until(lambda: self._shows(state), lambda: f"{self.id} does not show {state}:\n{self.story()}")

    def _shows(self, state: dict[str, Any]) -> bool:
        cards = self.cards()
        return len(cards) == 1 and all(cards[0]["contentState"].get(name) == value for name, value in state.items())

    def assert_card_is(self, state: str) -> None:
        until(lambda: [card["state"] for card in self.cards()] == [state], lambda: f"not {state}:\n{self.story()}")

    def ignored(self) -> list[str]:
        """Why pushes that Apple has accepted did nothing here. In production nobody is told this."""
        return [push["explanation"] for push in self.state["pushes"] if push["effect"] == "ignored"]

    def story(self) -> str:
        """Cards and pushes, for a failed test to show."""
        cards = [f"  card {card['name']}: {card['state']} {card['contentState']}" for card in self.state["cards"]]
        pushes = [f"  push {push['event']}: {push['effect']} {push['explanation'] or ''}" for push in self.state["pushes"]]
        return "\n".join(cards + pushes) or "  no card, no push"


def until(condition: Callable[[], bool], what: Callable[[], str], seconds: float = 20) -> None:
    """Waits for something that takes a moment, and says what is the case where it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(what())
        time.sleep(0.05)

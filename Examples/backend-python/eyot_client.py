"""A client for Eyot's control plane, from Python's standard library alone.

Copy it. What a client has to get right is little, and all of it is here: one idempotency key for all attempts of a call,
another attempt where nobody can know whether the first one counted, and errors that a program tells apart by their code.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Mapping, TypedDict

JSON = Mapping[str, Any]


class Alert(TypedDict):
    """What lights the screen. A start has to have one."""

    title: str
    body: str


@dataclass(frozen=True)
class Declared:
    """What a call has come to."""

    operation: str
    generation: int
    version: int
    outcome: str
    """`applied`, `unchanged`, or `superseded` where something newer was there."""
    starting: int
    """On how many phones a card is being started."""
    skipped: Mapping[str, int]
    """Why others of the audience get none, with how many."""
    warnings: list[str]


class EyotError(Exception):
    """The server refused. `code` is stable: see docs/reference/errors.md. Nothing was changed."""

    def __init__(self, status: int, code: str, detail: str, field: str | None = None) -> None:
        super().__init__(f"{code}: {detail}" + (f" ({field})" if field else ""))
        self.status, self.code, self.detail, self.field = status, code, detail, field


class EyotUnreachable(Exception):
    """Every attempt failed. The call may have counted; the same call with the same key finds out."""


class Eyot:
    """The server, for one app. Without arguments it is found as the command line finds it."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        attempts: int = 6,
        timeout: float = 10,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = (url or os.environ["EYOT_URL"]).rstrip("/")
        self.api_key = api_key or os.environ["EYOT_API_KEY"]
        self.attempts, self.timeout, self.sleep = attempts, timeout, sleep

    def start(
        self, name: str, *, type: str, attributes: JSON, state: JSON, alert: Alert, audience: Any, key: str | None = None
    ) -> Declared:
        """Opens an activity and starts cards."""
        body = dict(type=type, attributes=attributes, contentState=state, alert=alert, audience=audience)
        return self._declare(name, "start", body, key)

    def update(self, name: str, state: JSON, *, alert: Alert | None = None, key: str | None = None) -> Declared:
        """Says what the cards show now: all of it, since a state replaces the one before as a whole."""
        return self._declare(name, "update", dict(contentState=state, alert=alert), key)

    def end(
        self, name: str, state: JSON | None = None, *, dismissal_date: str | None = None, key: str | None = None
    ) -> Declared:
        """Ends the activity. Without a date the cards stay on the Lock Screen for up to four hours."""
        return self._declare(name, "end", dict(contentState=state, dismissalDate=dismissal_date), key)

    def activity(self, name: str) -> JSON:
        """How it stands."""
        return self._call("GET", f"/v1/activities/{_quoted(name)}")

    # -- how it goes over the wire

    def _declare(self, name: str, verb: str, body: JSON, key: str | None) -> Declared:
        answer = self._call("POST", f"/v1/activities/{_quoted(name)}/{verb}", body, key or str(uuid.uuid4()))
        return Declared(**{field: answer[field] for field in Declared.__dataclass_fields__})

    def _call(self, method: str, path: str, body: JSON | None = None, key: str | None = None) -> JSON:
        headers = {"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        # What is None is left out.
        data = json.dumps({name: value for name, value in body.items() if value is not None}).encode() if body else None
        problem: Exception | None = None
        for attempt in range(self.attempts):
            request = urllib.request.Request(self.url + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                problem = _error(error)
                if error.code != 429 and error.code < 500:
                    raise problem from None
                self._pause(attempt, error.headers.get("Retry-After"))
            except (OSError, http.client.HTTPException) as error:
                # No connection, or none to the end: nobody knows whether it counted. The key makes the next try safe.
                problem = error
                self._pause(attempt, None)
        if isinstance(problem, EyotError):
            raise problem
        raise EyotUnreachable(f"{method} {path}: {self.attempts} attempts failed, the last one with: {problem}")

    def _pause(self, attempt: int, asked: str | None) -> None:
        if attempt + 1 == self.attempts:
            return
        own = min(30, 0.5 * 2**attempt) * random.uniform(0.5, 1)
        self.sleep(max(own, float(asked)) if asked and asked.isdigit() else own)


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def _error(error: urllib.error.HTTPError) -> EyotError:
    try:
        body = json.load(error)
        return EyotError(error.code, body["code"], body["detail"], body.get("field"))
    except (ValueError, KeyError, TypeError):
        # Not the server but something before it has answered.
        return EyotError(error.code, f"http{error.code}", error.reason)

"""What the client does when things go wrong, against a server that is told how to fail: python3 -m unittest"""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from eyot_client import Eyot, EyotError, EyotUnreachable

TAKEN = {"operation": "1", "name": "m", "generation": 1, "version": 2, "outcome": "applied", "starting": 0, "skipped": {}, "warnings": []}


class ScriptedServer(ThreadingHTTPServer):
    """Answers one request after the other as it was told; a status of 0 closes the connection."""

    def __init__(self, *answers: tuple[int, Any, dict[str, str]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        status, answer, headers = self.server.answers.pop(0)
        if not status:
            return self.connection.close()
        data = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


class ClientTests(unittest.TestCase):
    def setUp(self) -> None:
        self.pauses: list[float] = []

    def client(self, *answers: tuple[int, Any, dict[str, str]]) -> Eyot:
        self.server = ScriptedServer(*answers)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        return Eyot(self.server.url, "eyot_sk_test", attempts=3, sleep=self.pauses.append)

    def test_a_call_is_made_as_the_server_wants_it(self) -> None:
        done = self.client((202, TAKEN, {})).update("final 2022/1", {"homeScore": 1})
        self.assertEqual((done.version, done.outcome), (2, "applied"))
        path, headers, body = self.server.requests[0]
        self.assertEqual(path, "/v1/activities/final%202022%2F1/update")
        self.assertEqual(headers["Authorization"], "Bearer eyot_sk_test")
        self.assertEqual(body, {"contentState": {"homeScore": 1}})

    def test_what_may_have_counted_goes_again_with_the_same_key(self) -> None:
        self.client((503, {}, {}), (0, "", {}), (202, TAKEN, {})).update("m", {})
        keys = {headers["Idempotency-Key"] for _, headers, _ in self.server.requests}
        self.assertEqual((len(self.server.requests), len(keys)), (3, 1))

    def test_two_calls_have_two_keys(self) -> None:
        client = self.client((202, TAKEN, {}), (202, TAKEN, {}))
        client.update("m", {"a": 1})
        client.update("m", {"a": 1})
        self.assertEqual(len({headers["Idempotency-Key"] for _, headers, _ in self.server.requests}), 2)

    def test_it_waits_as_long_as_the_server_asks(self) -> None:
        self.client((429, {"code": "tooManyMembersWaiting", "detail": "wait"}, {"Retry-After": "7"}), (202, TAKEN, {})).end("m")
        self.assertEqual(self.pauses, [7])

    def test_a_refusal_is_told_apart_by_its_code_and_not_repeated(self) -> None:
        problem = {"code": "schemaMismatch", "detail": "2.5 does not decode as Int", "field": "contentState.homeScore"}
        with self.assertRaises(EyotError) as caught:
            self.client((422, problem, {})).update("m", {"homeScore": 2.5})
        self.assertEqual((caught.exception.code, caught.exception.field), ("schemaMismatch", "contentState.homeScore"))
        self.assertEqual(len(self.server.requests), 1)

    def test_what_something_before_the_server_answers_is_an_error_too(self) -> None:
        with self.assertRaises(EyotError) as caught:
            self.client((413, "<html>", {})).update("m", {})
        self.assertEqual(caught.exception.code, "http413")

    def test_after_the_last_attempt_it_says_so(self) -> None:
        with self.assertRaises(EyotError) as caught:
            self.client(*[(503, {"code": "unavailable", "detail": "stopping"}, {})] * 3).update("m", {})
        self.assertEqual(caught.exception.code, "unavailable")
        with self.assertRaises(EyotUnreachable):
            self.client(*[(0, "", {})] * 3).update("m", {})
        self.assertEqual(len(self.pauses), 4)


if __name__ == "__main__":
    unittest.main()

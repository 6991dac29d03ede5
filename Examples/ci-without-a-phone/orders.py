"""Somebody's backend: it knows orders, and tells Eyot what their cards show. Yours stands here instead."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from datetime import datetime, timezone
from typing import Any

# A Date of the app's type is a number of seconds since then, since iOS decodes it by Swift's defaults.
SWIFT_EPOCH = datetime(2001, 1, 1, tzinfo=timezone.utc)


class Refused(Exception):
    """Eyot did not take it; `code` is stable."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem["detail"])
        self.code, self.field = problem["code"], problem.get("field")


class Orders:
    def __init__(self, eyot_url: str, api_key: str) -> None:
        self.url, self.api_key = eyot_url, api_key

    def place(self, number: str, customer: str) -> None:
        """The customer's phones get a card, whether the app runs or not."""
        self._tell(
            number,
            "start",
            type="DeliveryAttributes",
            attributes={"orderNumber": number},
            contentState={"stage": "ordered", "stopsBefore": 0},
            alert={"title": "Thank you", "body": f"We have your order {number}"},
            audience={"user": customer},
        )

    def packed(self, number: str) -> None:
        self._tell(number, "update", contentState={"stage": "packed", "stopsBefore": 0})

    def on_the_way(self, number: str, stops: int, arrival: datetime) -> None:
        seconds = (arrival - SWIFT_EPOCH).total_seconds()
        self._tell(number, "update", contentState={"stage": "onTheWay", "stopsBefore": stops, "arrival": seconds})

    def delivered(self, number: str) -> None:
        self._tell(number, "end", contentState={"stage": "delivered", "stopsBefore": 0})

    def _tell(self, number: str, verb: str, **body: Any) -> None:
        request = urllib.request.Request(
            f"{self.url}/v1/activities/order-{number}/{verb}",
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"},
        )
        try:
            urllib.request.urlopen(request, timeout=10).close()
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)) from None


class CarelessOrders(Orders):
    """The same with a mistake that is easily made: a date as most JSON has it."""

    def on_the_way(self, number: str, stops: int, arrival: datetime) -> None:
        state = {"stage": "onTheWay", "stopsBefore": stops, "arrival": arrival.isoformat()}
        self._tell(number, "update", contentState=state)

"""What customers see, from the order to the door: python3 -m unittest"""

from __future__ import annotations

import os
import unittest
from datetime import datetime, timezone
from pathlib import Path

from lab import Lab, Phone, until
from orders import CarelessOrders, Orders, Refused

# In your repository: where the app's unit test has written it.
SCHEMA = os.environ.get("DELIVERY_SCHEMA") or str(
    Path(__file__).parent.parent / "ios-app" / "Shared" / "DeliveryAttributes.schema.json"
)
EIGHT = datetime(2026, 12, 24, 20, 0, tzinfo=timezone.utc)


class OrderTests(unittest.TestCase):
    lab: Lab

    @classmethod
    def setUpClass(cls) -> None:
        # One lab for all tests, and for each test a customer of its own.
        cls.lab = Lab(f"DeliveryAttributes={SCHEMA}").__enter__()
        cls.addClassCleanup(cls.lab.__exit__)

    def setUp(self) -> None:
        self.orders = Orders(self.lab.url, self.lab.api_key)
        self.number = self._testMethodName

    def ordered(self, **phone: object) -> Phone:
        customer = f"customer-of-{self.number}"
        phone = self.lab.phone(customer, **phone)
        self.orders.place(self.number, customer)
        phone.assert_shows(stage="ordered")
        return phone

    def test_the_customer_sees_every_stage(self) -> None:
        phone = self.ordered()
        self.orders.packed(self.number)
        phone.assert_shows(stage="packed")
        self.orders.on_the_way(self.number, 4, EIGHT)
        phone.assert_shows(stage="onTheWay", stopsBefore=4)
        self.assertEqual(phone.ignored(), [])

    def test_nobody_else_does(self) -> None:
        stranger = self.lab.phone("stranger")
        self.ordered()
        self.assertEqual(stranger.cards(), [])

    def test_a_phone_that_was_away_sees_where_it_stands_now(self) -> None:
        phone = self.ordered()
        phone.do("offline")
        self.orders.packed(self.number)
        self.orders.on_the_way(self.number, 9, EIGHT)
        self.orders.on_the_way(self.number, 1, EIGHT)
        phone.do("online")
        phone.assert_shows(stage="onTheWay", stopsBefore=1)

    def test_the_card_says_that_it_is_there_and_goes_after_four_hours(self) -> None:
        phone = self.ordered()
        self.orders.delivered(self.number)
        phone.assert_card_is("ended")
        phone.assert_shows(stage="delivered")
        self.lab.advance(4 * 3600 + 60)
        until(lambda: phone.cards() == [], phone.story)

    def test_who_swipes_the_card_away_is_left_alone(self) -> None:
        phone = self.ordered()
        phone.do("dismiss")
        self.orders.packed(self.number)
        self.assertEqual(phone.cards(), [])

    def test_a_mistyped_state_is_never_seen_where_the_server_has_no_schema(self) -> None:
        """There this mistake is silent: the server takes it, Apple takes it, and the phone drops it."""
        phone = self.ordered()
        self.lab.remove_schema("DeliveryAttributes")
        self.addCleanup(self.lab.push_schema, "DeliveryAttributes", SCHEMA)
        CarelessOrders(self.lab.url, self.lab.api_key).on_the_way(self.number, 4, EIGHT)
        # The assertion that every test of yours makes finds it, and says why.
        until(lambda: phone.ignored() != [], phone.story)
        [why] = phone.ignored()
        self.assertIn("content-state.arrival", why)
        self.assertEqual(phone.cards()[0]["contentState"]["stage"], "ordered")

    def test_a_server_that_knows_the_type_refuses_it(self) -> None:
        """The lab has given its server the schema, as a release job does in production."""
        phone = self.ordered()
        with self.assertRaises(Refused) as refused:
            CarelessOrders(self.lab.url, self.lab.api_key).on_the_way(self.number, 4, EIGHT)
        self.assertEqual((refused.exception.code, refused.exception.field), ("schemaMismatch", "contentState.arrival"))
        self.orders.on_the_way(self.number, 4, EIGHT)
        phone.assert_shows(stage="onTheWay", stopsBefore=4)


if __name__ == "__main__":
    unittest.main()

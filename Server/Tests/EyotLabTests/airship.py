"""Sends one event with Airship's own client to a server that is not Airship's.

Arguments: the server's URL, the app key, the master secret, and start, update, validate or end.
"""

import sys

import urbanairship as ua
from urbanairship.push.payload import LiveActivityEvent
from urbanairship.urls import Urls

server, key, secret, event = sys.argv[1:]
airship = ua.BasicAuthClient(key=key, secret=secret)
# It knows two places of Airship's, and no other.
airship.urls = Urls(base_url=f"{server}/api/")

push = ua.Push(airship)
push.audience = ua.or_(ua.tag("fans"), ua.named_user("nobody")) if event == "start" else ua.all_
push.device_types = ua.device_types("ios")

if event == "start":
    # Its helper knows updates and ends alone.
    card = {
        "event": "start",
        "attributes_type": "SportsActivityAttributes",
        "attributes": {"gameID": "sports-game-123"},
        "content_state": {"status": "Game about to begin!"},
        "alert": {"title": "Game about to begin", "body": "Tune in!"},
    }
elif event in ("update", "validate"):
    card = ua.live_activity(
        event=LiveActivityEvent.UPDATE,
        name="sports-game-123",
        alert={"title": "Goal", "body": "One to nil"},
        content_state={"status": "Goal!" if event == "update" else "Not sent"},
        priority=10,
    )
else:
    card = ua.live_activity(event=LiveActivityEvent.END, name="sports-game-123", priority=10)

push.notification = ua.notification(ios=ua.ios(live_activity=card))
if event == "validate":
    assert push.validate().ok
else:
    answer = push.send()
    assert answer.ok and len(answer.push_ids) == 1, answer

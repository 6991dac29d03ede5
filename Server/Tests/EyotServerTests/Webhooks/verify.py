"""Verifies a message with the public package `standardwebhooks`, as a receiver does.

Arguments: the secret. Standard input has one JSON object: `headers` and `body`, both as they came.
"""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

message = json.load(sys.stdin)
webhook = Webhook(sys.argv[1])
data = webhook.verify(message["body"], message["headers"])
assert data == json.loads(message["body"]), data

# A receiver must be able to tell: the same text with one more space is another message.
try:
    webhook.verify(message["body"] + " ", message["headers"])
except WebhookVerificationError:
    print(data["type"])
else:
    sys.exit("a changed body was verified")

# Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.
# A phone drops what does not decode, without a word.
# From "Examples/ios-app/Shared/MatchAttributes.schema.json".
from __future__ import annotations

from typing import NotRequired, TypedDict


# The attributes of a start.
class MatchAttributes(TypedDict):
    eyotActivityName: NotRequired[str | None]
    home: str
    away: str


# What the cards show: contentState.
class MatchAttributesContentState(TypedDict):
    homeScore: int
    awayScore: int
    clock: str
    lastEvent: NotRequired[str | None]

# Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.
# A phone drops what does not decode, without a word.
# From "Everything.schema.json".
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


# The attributes of a start.
class EverythingAttributes(TypedDict):
    title: str
    # UUID
    order: str
    # URL
    page: NotRequired[str | None]
    # Data: base64
    key: str
    venue: EverythingAttributesVenue


class EverythingAttributesVenue(TypedDict):
    name: str
    # UInt32: a whole number
    seats: NotRequired[int | None]


# What the cards show: contentState.
EverythingAttributesContentState = TypedDict("EverythingAttributesContentState", {
    "isLive": "bool",
    "score": "Score",
    "phase": "Phase",
    "level": NotRequired["Level | None"],
    # Date: seconds since 2001-01-01 UTC
    "kickOff": "float",
    "numbers": "EverythingAttributesContentStateNumbers",
    "goals": "list[EverythingAttributesContentStateGoals]",
    "events": "list[Event]",
    "position": "tuple[float, str | None]",
    "marks": "dict[str, int]",
    # names are whole numbers
    "byShirt": "dict[str, str | None]",
    "byPhase": "dict[EverythingAttributesContentStateByPhaseKey, list[Score]]",
    "idOrName": "int | str",
    "lists": NotRequired["list[bool | str] | None"],
    "neverNull": NotRequired["str"],
    "maybe": NotRequired["Maybe"],
    "nothing": "None",
    "anything": "Any",
    "empty": "dict[str, Any]",
    "tree": "Tree",
    "forest": "Forest",
    "names": "Names",
    "class": "str",
    "half-time": "EverythingAttributesContentStateHalf_time | EverythingAttributesContentStateHalf_time2",
})


EverythingAttributesContentStateNumbers = TypedDict("EverythingAttributesContentStateNumbers", {
    "int": "int",
    # Int8: a whole number
    "int8": "int",
    # Int16: a whole number
    "int16": "int",
    # Int32: a whole number
    "int32": "int",
    "int64": "int",
    # UInt: a whole number
    "uint": "int",
    # UInt8: a whole number
    "uint8": "int",
    # UInt16: a whole number
    "uint16": "int",
    # UInt32: a whole number
    "uint32": "int",
    # UInt64: a whole number
    "uint64": "int",
    "float": "float",
    "double": "float",
    "decimal": "float",
})


class EverythingAttributesContentStateGoals(TypedDict):
    by: str
    minute: NotRequired[int]


class EventGoal(TypedDict):
    goal: EventGoalValues


class EventCard(TypedDict):
    card: EventCardValues


class EventOver(TypedDict):
    over: dict[str, Any]


class EventGoalValues(TypedDict):
    by: str
    # Date: seconds since 2001-01-01 UTC
    _0: float


class EventCardValues(TypedDict):
    colour: EventCardValuesColour


class Score(TypedDict):
    home: int
    away: int


class Tree(TypedDict):
    name: str
    branches: list[Tree]
    parent: NotRequired[Tree | None]


EverythingAttributesContentStateByPhaseKey: TypeAlias = Literal["first", "second"]


EverythingAttributesContentStateHalf_time: TypeAlias = Literal["yes", "no"]


EverythingAttributesContentStateHalf_time2: TypeAlias = Literal[1, 2]


EventCardValuesColour: TypeAlias = Literal["yellow", "red"]


Level: TypeAlias = Literal[0, 1, -2]


Phase: TypeAlias = Literal["first", "second", "full-time"]


Event: TypeAlias = EventGoal | EventCard | EventOver


Forest: TypeAlias = dict[str, "Forest | None"]


Maybe: TypeAlias = int | None


Names: TypeAlias = list[str]

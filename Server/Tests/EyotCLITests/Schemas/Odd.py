# Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.
# A phone drops what does not decode, without a word.
# From "Odd.schema.json".
from __future__ import annotations

from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict


# What the cards show: contentState.
Odd______AttributesContentState = TypedDict("Odd______AttributesContentState", {
    "quote\"s'`": NotRequired["str"],
    "line\nbreak\u2028\u0085": NotRequired["str"],
    "*/ end /* begin": NotRequired["str"],
    "\"\"\"\\": NotRequired["int"],
    "${x}$y": NotRequired["int | None"],
    "__proto__": NotRequired["str"],
    "__mangled": NotRequired["int"],
    "_": NotRequired["str"],
    "": NotRequired["str"],
    "1st": NotRequired["str"],
    "in": "str",
    "in_": NotRequired["str"],
    "str": NotRequired["str"],
    "List": NotRequired["List"],
    "score": NotRequired["int"],
    "Score": NotRequired["int"],
    "a-b": "int",
    "a_b": NotRequired["int"],
    "größe": NotRequired["str"],
    "\u202Eright to left": NotRequired["str"],
    "smile 😀 \U000E0001": NotRequired["str"],
    "*/ choice": NotRequired["Odd______AttributesContentState___choice"],
    "no case": NotRequired["Never"],
    "none": NotRequired["Never"],
    "keys": NotRequired["dict[Odd______AttributesContentStateKeysKey, int]"],
})


Odd______AttributesContentState___choice___a_ = TypedDict("Odd______AttributesContentState___choice___a_", {
    "*/ a\n": "dict[str, Any]",
})


class Odd______AttributesContentState___choiceName(TypedDict):
    name: Box_Int_


class Box_Int_(TypedDict):
    value: int


class int_(TypedDict):
    x: int
    phase: NotRequired[Phase__]


Odd______AttributesContentStateKeysKey: TypeAlias = Literal["*/", "\"\n"]


Phase__: TypeAlias = Literal["\"); import os; (\"", "*/", "\n", "name", "ordinal", "first", "First", "${x}", "\\", "", "class", "größe", "\u202E", "\U000E0001", "😀"]


Odd______AttributesContentState___choice: TypeAlias = Odd______AttributesContentState___choice___a_ | Odd______AttributesContentState___choiceName


# The attributes of a start.
Odd______Attributes: TypeAlias = int_


gru00F6u00DFe: TypeAlias = int


Type123: TypeAlias = gru00F6u00DFe


List: TypeAlias = list["List"]


Type_Hidden: TypeAlias = List | None

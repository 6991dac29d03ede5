"""Plays a match on the phones of everybody with the tag `fans`: python3 play_match.py --pace 2"""

from __future__ import annotations

import argparse
import sys
import time

from eyot_client import Eyot, EyotError
from live_activities import MatchAttributes, MatchAttributesContentState

TIMELINE: list[tuple[str, int, int, str | None]] = [
    ("Kick-off", 0, 0, None),
    ("23'", 1, 0, "Messi, from the spot"),
    ("36'", 2, 0, "Di María, after the counter of the tournament"),
    ("Half-time", 2, 0, None),
    ("80'", 2, 1, "Mbappé, from the spot"),
    ("81'", 2, 2, "Mbappé, ninety-seven seconds later"),
    ("108'", 3, 2, "Messi"),
    ("118'", 3, 3, "Mbappé, his third"),
]


def state(clock: str, home: int, away: int, event: str | None) -> MatchAttributesContentState:
    """A state has every member each time: it replaces the one before."""
    shown: MatchAttributesContentState = {"homeScore": home, "awayScore": away, "clock": clock}
    if event:
        shown["lastEvent"] = event
    return shown


def play(eyot: Eyot, name: str, pace: float) -> None:
    attributes: MatchAttributes = {"home": "Argentina", "away": "France"}
    started = eyot.start(
        name,
        type="MatchAttributes",
        attributes=attributes,
        state=state(*TIMELINE[0]),
        alert={"title": "Kick-off", "body": "Argentina – France"},
        audience={"tag": "fans"},
        # The same match is not started twice, even if this program is.
        key=f"{name}-start",
    )
    print(f"{name}: starting on {started.starting} phones, not on {dict(started.skipped)}")
    for clock, home, away, event in TIMELINE[1:]:
        time.sleep(pace)
        alert = {"title": f"{home}:{away}", "body": event} if event else None
        done = eyot.update(name, state(clock, home, away, event), alert=alert)
        print(f"{clock:>9} {home}:{away} {done.outcome}, version {done.version}")
    time.sleep(pace)
    eyot.end(name, state("Full time", 3, 3, "4:2 on penalties"))
    print("Full time")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", default="final-2022")
    parser.add_argument("--pace", type=float, default=5, help="seconds between two moments of the match")
    options = parser.parse_args()
    try:
        play(Eyot(), options.name, options.pace)
    except EyotError as error:
        hints = {
            "keyInvalid": "is EYOT_API_KEY that of the app?",
            "schemaMismatch": "some phone of the audience has another build; see field",
            "activityEnded": "it is over: take another name, or start it again with another key",
        }
        print(f"refused, {error}", hints.get(error.code, ""), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

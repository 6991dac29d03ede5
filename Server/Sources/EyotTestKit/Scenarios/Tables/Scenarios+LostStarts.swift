import EyotDomain

/// R6: a start that can no longer arrive is not under way, and its card is still wanted.
extension Scenario {
    package static let lostStarts: [Scenario] = [
        Scenario(
            "A start that Apple took and no phone showed is made again with growing pauses, and not for ever",
            at(0, .phone("a")) + at(0.5, .fates([.dropped, .dropped, .dropped])) + at(1, .call(Call.start(1)))
                + at(9_000, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!", "671 a start 1!", "1631 a start 1!", "9000 a start 2!"], phones: ["a": "m=2"],
            until: 9_100),
        Scenario(
            "A phone that lists its cards without the start's gets another start",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1))) + at(20, .lists("a")),
            pushes: ["1 a start 1!", "91 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A phone that makes its list before a start arrives, and sends it after, gets one card",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1))) + at(2, .lists("a"))
                + at(85, .local("a", name: "m")),
            pushes: ["1 a start 1!", "86 a update 1"], phones: ["a": "m=1"], until: 2_000),
        Scenario(
            "A card that shows up after all takes the place of the further start",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1))) + at(20, .lists("a"))
                + at(25, .local("a", name: "m")) + at(60, .call(Call.update(2))),
            pushes: ["1 a start 1!", "26 a update 1", "60 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A card whose start counts as lost for good is live when its phone speaks of it",
            at(0, .phone("a")) + at(0.5, .fates([.dropped, .dropped, .dropped])) + at(1, .call(Call.start(1)))
                + at(9_000, .local("a", name: "m")) + at(9_010, .call(Call.update(2))),
            pushes: [
                "1 a start 1!", "671 a start 1!", "1631 a start 1!", "9001 a update 1", "9010 a update 2",
            ], phones: ["a": "m=2"], until: 9_100),
        Scenario(
            "No further start is made when the activity has ended",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1)))
                + at(100, .call(Call.end())),
            pushes: ["1 a start 1!"], phones: ["a": ""], until: 2_000),
        Scenario(
            "No further start is made when the person has dismissed a card of the name",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(4, .call(Call.end(2, scope: .user("user-a"))))
                + at(8, .fates([.dropped]), .call(Call.start(3))) + at(9, .report("a", .dismissed)),
            pushes: ["1 a start 1!", "4 a end 2", "8 a start 3!"], phones: ["a": "m=2 dismissed"], until: 2_000),
        Scenario(
            "No further start is made against the phone's budget of starts",
            at(0, .profile(spacing: 0, startsPerHour: 1), .phone("a")) + at(0.5, .fates([.dropped]))
                + at(1, .call(Call.start(1))),
            pushes: ["1 a start 1!"], phones: ["a": ""], until: 2_000),
        Scenario(
            "Force starts again, whatever is known of the start before",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.start(2))) + at(9, .call(Call.start(3, force: true))),
            pushes: ["1 a start 1!", "9 a start 3!"], phones: ["a": "m=3"], until: 2_000),
        Scenario(
            "Starts that displaced each other at Apple are recovered one after the other",
            at(0, .phone("a", allows: false)) + at(0.5, .fates([.dropped, .dropped]))
                + at(1, .call(Call.start(1)), .call(Call.start(2, name: "o"))) + at(20, .lists("a"))
                + at(91.5, .fates([.accepted])),
            pushes: ["1 a start 1!", "1 a start 2!", "91 a start 1!", "95 a start 2!"], phones: ["a": "m=1, o=2"]),
        Scenario(
            "After a crash a start of unknown fate is made again once it cannot arrive any more",
            at(0, .phone("a")) + at(0.5, .fates([.lostLate])) + at(1, .call(Call.start(1))) + at(2, .crash)
                + at(5, .call(Call.put(1, to: .all))),
            pushes: ["1 a start 1!", "671 a start 1!"], phones: ["a": "m=1"], until: 800),
    ]

    /// R8: a later report corrects a conclusion from a list or from silence.
    package static let corrections: [Scenario] = [
        Scenario(
            "A running card that one list leaves out is live again when its phone names it with its token",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1))) + at(8, .forgets("a"))
                + at(9, .call(Call.update(2))) + at(12, .again("a")) + at(20, .call(Call.update(3))),
            pushes: ["5 a update 1", "13 a update 2", "20 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "A running card that one list leaves out is ended when its phone names it after the end",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1))) + at(8, .forgets("a"))
                + at(9, .call(Call.end(2))) + at(12, .again("a")),
            pushes: ["5 a update 1", "13 a end 2"], phones: ["a": "m=2 ended"]),
    ]

    /// R5 and R14: an end is never late.
    package static let lateEnds: [Scenario] = [
        Scenario(
            "An end of an earlier moment ends, with the newest state",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1, asOf: 5)))
                + at(8, .call(Call.asOf(3, Call.end(9)))),
            pushes: ["5 a update 1", "8 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "An end for some of an earlier moment ends them, with what they show",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(1, asOf: 5)))
                + at(8, .call(Call.asOf(3, Call.end(9, scope: .user("user-a"))))),
            pushes: ["5 a update 1", "5 b update 1", "8 a end 1"], phones: ["a": "m=1 ended", "b": "m=1"]),
    ]
}

import EyotDomain

/// R6: a start that can no longer arrive is not under way, and its card is still wanted.
extension Scenario {
    package static let lostStarts: [Scenario] = [
        Scenario(
            "A start that phones refute by their lists is made again with growing pauses, and not for ever",
            at(0, .phone("a")) + at(0.5, .fates([.dropped, .dropped, .dropped, .dropped])) + at(1, .call(Call.start(1)))
                + at(100, .lists("a")) + at(300, .lists("a")) + at(700, .lists("a")) + at(2_600, .lists("a"))
                + at(9_000, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!", "110 a start 1!", "600 a start 1!", "2500 a start 1!", "9000 a start 2!"],
            phones: ["a": "m=2"], until: 9_100),
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
            "A card whose start counts as lost is live when its phone speaks of it",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1)))
                + at(9_000, .local("a", name: "m")) + at(9_010, .call(Call.update(2))),
            pushes: ["1 a start 1!", "9001 a update 1", "9010 a update 2"], phones: ["a": "m=2"], until: 9_200),
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
            "After a crash a start of unknown fate is made again once its phone has listed its cards",
            at(0, .phone("a")) + at(0.5, .fates([.lostLate])) + at(1, .call(Call.start(1))) + at(2, .crash)
                + at(5, .call(Call.put(1, to: .all))) + at(900, .lists("a")),
            pushes: ["1 a start 1!", "910 a start 1!"], phones: ["a": "m=1"], until: 1_000),
    ]

    /// R6: silence is no evidence. The phone may show the card and not wake its app.
    package static let silence: [Scenario] = [
        Scenario(
            "A phone that shows the card and says nothing gets no second one for hours",
            at(0, .phone("a")) + at(0.5, .fates([.unseen])) + at(1, .call(Call.start(1)))
                + at(3_600, .call(Call.put(2, to: .all))) + at(20_000, .opens("a", naming: [1])),
            pushes: ["1 a start 1!", "20001 a update 2"], phones: ["a": "m=2"], until: 40_000),
        Scenario(
            "A start that a silent phone does not show is made again after the hours of a card, twice at most",
            at(0, .phone("a")) + at(0.5, .fates([.dropped, .dropped, .dropped])) + at(1, .call(Call.start(1)))
                + at(60_000, .call(Call.put(2, to: .all))) + at(90_000, .call(Call.put(3, to: .all))),
            pushes: ["1 a start 1!", "29461 a start 1!", "58921 a start 1!", "90000 a start 3!"],
            phones: ["a": "m=3"], until: 91_000),
        Scenario(
            "A silent phone that lists its cards without the start's gets another start soon",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1))) + at(5_000, .lists("a")),
            pushes: ["1 a start 1!", "5010 a start 1!"], phones: ["a": "m=1"], until: 40_000),
        Scenario(
            "Any word of a silent phone brings the further start forward, after the time for a report of the card",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1)))
                + at(5_000, .frequentPushes("a", false)),
            pushes: ["1 a start 1!", "5090 a start 1!"], phones: ["a": "m=1"], until: 40_000),
        Scenario(
            "A card that is reported after the first word of its phone takes the place of the further start",
            at(0, .phone("a")) + at(0.5, .fates([.unseen])) + at(1, .call(Call.start(1)))
                + at(5_000, .frequentPushes("a", false)) + at(5_030, .opens("a", naming: [1])),
            pushes: ["1 a start 1!", "5031 a update 1"], phones: ["a": "m=1"], until: 40_000),
        Scenario(
            "A phone that has spoken since the start, and not of its card, gets another start when it cannot arrive",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1)))
                + at(200, .frequentPushes("a", false)),
            pushes: ["1 a start 1!", "671 a start 1!"], phones: ["a": "m=1"], until: 40_000),
        Scenario(
            "A profile that waits for no time starts again after a word of the phone only",
            at(0, .profile(spacing: 0, restartAfter: 0), .phone("a")) + at(0.5, .fates([.dropped]))
                + at(1, .call(Call.start(1))) + at(100_000, .lists("a")),
            pushes: ["1 a start 1!", "100010 a start 1!"], phones: ["a": "m=1"], until: 100_100),
        Scenario(
            "A profile may state a shorter silence",
            at(0, .profile(spacing: 0, restartAfter: 3_600), .phone("a")) + at(0.5, .fates([.dropped]))
                + at(1, .call(Call.start(1))) + at(2_000, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!", "4261 a start 2!"], phones: ["a": "m=2"], until: 5_000),
        Scenario(
            "Force starts again on a silent phone, and calls the planned start off",
            at(0, .phone("a")) + at(0.5, .fates([.dropped])) + at(1, .call(Call.start(1)))
                + at(3_000, .call(Call.start(2, force: true))),
            pushes: ["1 a start 1!", "3000 a start 2!"], phones: ["a": "m=2"], until: 40_000),
        Scenario(
            "The next generation starts a silent phone",
            at(0, .phone("a")) + at(0.5, .fates([.unseen])) + at(1, .call(Call.start(1)))
                + at(3_000, .call(Call.end())) + at(3_010, .call(Call.start(2)))
                + at(3_020, .opens("a", naming: [2, 1])),
            pushes: ["1 a start 1!", "3010 a start 2!", "3021 a.2 end 2", "3021 a update 2"],
            phones: ["a": "m=2, m=2 ended"],
            until: 3_100),
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

import EyotDomain

/// R5 and R13: ends win, and a dismissed card stays away.
extension Scenario {
    package static let ends: [Scenario] = [
        Scenario(
            "An end without a state shows the last one",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1))) + at(9, .call(Call.end())),
            pushes: ["5 a update 1", "9 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "An end that overtakes an update brings its state along",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(5, .call(Call.update(1)), .call(Call.update(2)), .call(Call.end())),
            pushes: ["5 a update 1", "6 a end 2"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A token that arrives after the end is ended",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1))) + at(5, .call(Call.end(2)))
                + at(9, .allow("a")),
            pushes: ["1 a start 1!", "10 a end 2"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A card that appears after the end is ended too, and opens nothing",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1, to: .user("user-b"))))
                + at(5, .call(Call.end(2)))
                + at(9, .local("a", name: "m")) + at(12, .refused(Call.update(3), .activityEnded)),
            pushes: ["1 b start 1!", "5 b end 2", "10 a end 2"], phones: ["a": "m=2 ended", "b": "m=2 ended"]),
        Scenario(
            "An update after the end is refused and nothing is revived",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.end(1)))
                + at(9, .refused(Call.update(2), .activityEnded)),
            pushes: ["5 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "A start after an end opens the next generation, and the old card stays ended",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.end(2))) + at(9, .call(Call.start(3)))
                + at(12, .call(Call.update(4))),
            pushes: ["1 a start 1!", "5 a end 2", "9 a start 3!", "12 a.2 update 4"],
            phones: ["a": "m=2 ended, m=4"]),
        Scenario(
            "A card of the old generation whose token comes after the restart is only ended",
            at(0, .phone("a", allows: false), .phone("b")) + at(1, .call(Call.start(1))) + at(5, .call(Call.end(2)))
                + at(9, .call(Call.start(3, to: .user("user-b")))) + at(12, .token("a"))
                + at(20, .call(Call.update(4))),
            pushes: ["1 a start 1!", "1 b start 1!", "5 b end 2", "9 b start 3!", "13 a end 2", "20 b.2 update 4"],
            phones: ["a": "m=2 ended", "b": "m=2 ended, m=4"]),
        Scenario(
            "With cards of both generations waiting for Allow, each gets what is its own",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1))) + at(5, .call(Call.end(2)))
                + at(9, .call(Call.start(3))) + at(12, .allow("a")),
            pushes: ["1 a start 1!", "9 a start 3!", "13 a end 2"], phones: ["a": "m=2 ended, m=3"]),
        Scenario(
            "After eight hours iOS has ended a card, and nothing is sent to it any more",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m")) + at(1, .call(Call.update(1)))
                + at(14_400, .local("b", name: "m")) + at(28_790, .call(Call.update(2)))
                + at(28_801, .call(Call.update(3))),
            pushes: ["1 a update 1", "14401 b update 1", "28790 a update 2", "28790 b update 2", "28801 b update 3"],
            phones: ["a": "m=2", "b": "m=3"], until: 28_900),
        Scenario(
            "An end that Apple took and the phone never got is given again when the phone speaks of the card",
            at(0, .phone("a"), .local("a", name: "m")) + at(1, .call(Call.update(1))) + at(4.5, .fates([.dropped]))
                + at(5, .call(Call.end(2))) + at(20, .again("a")),
            pushes: ["1 a update 1", "5 a end 2", "21 a end 2"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A start that has not left when the end comes does not leave",
            at(0, .phone("a")) + at(0.5, .fates([.refused(.serviceUnavailable)])) + at(1, .call(Call.start(1)))
                + at(1.5, .call(Call.end())),
            pushes: ["1 a start 1!"], phones: ["a": ""]),
        Scenario(
            "An end to a subset ends those cards and no other",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(1))) + at(8, .call(Call.end(2, scope: .user("user-a"))))
                + at(11, .call(Call.update(3))),
            pushes: ["5 a update 1", "5 b update 1", "8 a end 2", "11 b update 3"],
            phones: ["a": "m=2 ended", "b": "m=3"]),
        Scenario(
            "A card that is to be ended is not kept alive by an update to it",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.shutdown)]))
                + at(5, .call(Call.end(1, scope: .user("user-a")))) + at(5.5, .call(Call.update(2))),
            pushes: ["5 a end 1", "6 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "A rotation after an end that was accepted is ended once more",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.init(verdict: .accepted, arrives: false)]))
                + at(5, .call(Call.end(1))) + at(9, .token("a")),
            pushes: ["5 a end 1", "10 a end 1"], phones: ["a": "m=1 ended"]),
    ]

    package static let dismissals: [Scenario] = [
        Scenario(
            "A start that has not left when the person dismisses the card does not leave",
            at(0, .phone("a")) + at(1, .call(Call.start(1)))
                + at(4.5, .fates([.refused(.serviceUnavailable), .refused(.serviceUnavailable)]))
                + at(5, .call(Call.end(2, scope: .user("user-a"))), .call(Call.start(3)))
                + at(5.5, .report("a", .dismissed)),
            pushes: ["1 a start 1!", "5 a end 2", "5 a start 3!"], phones: ["a": "m=1 dismissed"]),
        Scenario(
            "A dismissed card gets nothing more",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(4, .report("a", .dismissed))
                + at(5, .call(Call.update(2))),
            pushes: ["1 a start 1!"], phones: ["a": "m=1 dismissed"]),
        Scenario(
            "A dismissal followed by PUT starts nothing",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.put(1, to: .all))) + at(4, .report("a", .dismissed))
                + at(5, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!", "1 b start 1!", "5 b update 2"], phones: ["a": "m=1 dismissed", "b": "m=2"]),
        Scenario(
            "A card that vanished in one moment counts as dismissed, and PUT starts nothing",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .report("a", .vanished))
                + at(5, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!"], phones: ["a": "m=1 dismissed"]),
        Scenario(
            "A card that vanished when it was to be ended counts as ended, and PUT starts it again",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all)))
                + at(4, .call(Call.end(2, scope: .user("user-a")))) + at(5, .report("a", .vanished))
                + at(6, .call(Call.put(3, to: .all))),
            pushes: ["1 a start 1!", "4 a end 2", "6 a start 3!"], phones: ["a": "m=2 dismissed, m=3"]),
        Scenario(
            "A card that was removed while its app did not run counts as dismissed, and PUT starts nothing",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .removes("a"), .lists("a"))
                + at(8, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!"], phones: ["a": "m=1 dismissed"]),
        Scenario(
            "A card that was ended and removed while its app did not run counts as ended, and PUT starts it again",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all)))
                + at(4, .fates([.lostLate]), .call(Call.end(2, scope: .user("user-a"))))
                + at(5, .removes("a"), .lists("a")) + at(6, .answers) + at(8, .call(Call.put(3, to: .all))),
            pushes: ["1 a start 1!", "4 a end 2", "8 a start 3!"], phones: ["a": "m=1 dismissed, m=3"]),
        Scenario(
            "A card that vanished before anybody knew of the one that takes its name counts as dismissed",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .swap("a", name: "m", vanishing: 1))
                + at(6, .report("a", .ended, card: 2)) + at(7, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!", "5 a.2 update 1"], phones: ["a": "m=1 dismissed, m=1 ended"]),
        Scenario(
            "A card that vanished after it had given its name up may have been ended, and PUT starts it again",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .local("a", name: "m"))
                + at(4.5, .report("a", .vanished)) + at(6, .report("a", .ended, card: 2))
                + at(7, .call(Call.put(2, to: .all))),
            pushes: ["1 a start 1!", "4 a end 1", "5 a.2 update 1", "7 a start 2!"],
            phones: ["a": "m=1 dismissed, m=1 ended, m=2"]),
        Scenario(
            "A start that was under way when a card was dismissed, and has not left, is not made",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .call(Call.end(2, scope: .user("user-a"))))
                + at(8, .fates([.notProcessedLate]), .call(Call.put(3, to: .all))) + at(9, .report("a", .dismissed))
                + at(10, .answers),
            pushes: ["1 a start 1!", "4 a end 2", "8 a start 3!"], phones: ["a": "m=2 dismissed"]),
        Scenario(
            "A start that was called off on its way goes again, once the caller wants dismissed cards back",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .call(Call.end(2, scope: .user("user-a"))))
                + at(8, .fates([.notProcessedLate]), .call(Call.put(3, to: .all))) + at(9, .report("a", .dismissed))
                + at(9.5, .call(Call.put(4, to: .all, restartsDismissed: true))) + at(10, .answers),
            pushes: ["1 a start 1!", "4 a end 2", "8 a start 3!", "10 a start 4!"],
            phones: ["a": "m=2 dismissed, m=4"]),
        Scenario(
            "A start that Apple refuses for the moment does not go again when a card was dismissed meanwhile",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .call(Call.end(2, scope: .user("user-a"))))
                + at(8, .fates([.refused(.shutdown, isLate: true)]), .call(Call.put(3, to: .all)))
                + at(9, .report("a", .dismissed)) + at(10, .answers),
            pushes: ["1 a start 1!", "4 a end 2", "8 a start 3!"], phones: ["a": "m=2 dismissed"]),
        Scenario(
            "A start that is to bring a dismissed card back goes, also if the phone tells of the removal after it",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .call(Call.end(2, scope: .user("user-a"))))
                + at(8, .halt(.activity, true), .call(Call.put(3, to: .all, restartsDismissed: true)))
                + at(9, .report("a", .dismissed)) + at(10, .halt(.activity, false)),
            pushes: ["1 a start 1!", "4 a end 2", "10 a start 3!"], phones: ["a": "m=2 dismissed, m=3"]),
        Scenario(
            "A dismissed card starts again where the caller says so",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .report("a", .dismissed))
                + at(5, .call(Call.put(2, to: .all, restartsDismissed: true))),
            pushes: ["1 a start 1!", "5 a start 2!"], phones: ["a": "m=1 dismissed, m=2"]),
        Scenario(
            "A start that has not left is withdrawn if the phone has the card that counted as gone",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(50, .forgets("a"))
                + at(60, .halt(.activity, true), .call(Call.put(2, to: .all, restartsDismissed: true)))
                + at(70, .again("a")) + at(80, .halt(.activity, false)),
            pushes: ["1 a start 1!", "80 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A dismissal in one generation does not count in the next",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(4, .report("a", .dismissed))
                + at(5, .call(Call.end()))
                + at(9, .call(Call.start(2))),
            pushes: ["1 a start 1!", "9 a start 2!"], phones: ["a": "m=1 dismissed, m=2"]),
        Scenario(
            "A rotation that comes after a dismissal revives nothing",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(4, .report("a", .dismissed)) + at(5, .token("a"))
                + at(9, .call(Call.update(2))),
            pushes: ["1 a start 1!"], phones: ["a": "m=1 dismissed"]),
        Scenario(
            "A card whose token died may have been dismissed, and is not started again by PUT",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all)))
                + at(4, .fates([.refused(.unregistered, deadSince: 3)])) + at(5, .call(Call.put(2, to: .all)))
                + at(9, .call(Call.put(3, to: .all))),
            pushes: ["1 a start 1!", "5 a update 2"], phones: ["a": "m=1"]),
        Scenario(
            "The same state put twice does nothing the second time",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(5, .call(Call.put(1, to: .all))),
            pushes: ["1 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "The same state put again starts the cards that lack, and pushes to no other",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(4, .phone("b"))
                + at(5, .call(Call.put(1, to: .all))),
            pushes: ["1 a start 1!", "5 b start 1!"], phones: ["a": "m=1", "b": "m=1"]),
    ]
}

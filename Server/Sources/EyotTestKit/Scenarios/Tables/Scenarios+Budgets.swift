import EyotDomain

/// The limits of a type's profile: states that come faster than its spacing, and starts beyond a phone's hourly limit.
extension Scenario {
    package static let budgets: [Scenario] = [
        Scenario(
            "States that come faster than the spacing are conflated, and the newest goes when it is over",
            at(0, .profile(spacing: 10), .phone("a"), .local("a", name: "m"))
                + at(5, .call(Call.update(1))) + at(6, .call(Call.update(2))) + at(8, .call(Call.update(3)))
                + at(20, .call(Call.update(4))) + at(40, .call(Call.update(5))),
            pushes: ["5 a update 1", "15 a update 3", "25 a update 4", "40 a update 5"], phones: ["a": "m=5"]),
        Scenario(
            "An alert, an urgent state and an end wait for no spacing",
            at(0, .profile(spacing: 10), .phone("a"), .local("a", name: "m"))
                + at(5, .call(Call.update(1))) + at(7, .call(Call.alert(2, at: 7)))
                + at(9, .call(Call.update(3, urgent: true))) + at(11, .call(Call.update(4)))
                + at(13, .call(Call.end(5))),
            pushes: ["5 a update 1", "7 a update 2!", "9 a update 3", "13 a end 5"], phones: ["a": "m=5 ended"]),
        Scenario(
            "What overtakes an urgent state that has not left is urgent too",
            at(0, .profile(spacing: 10), .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(6.5, .fates([.refused(.shutdown)])) + at(7, .call(Call.update(2, urgent: true)))
                + at(7.5, .call(Call.update(3))),
            pushes: ["5 a update 1", "7 a update 2", "8 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "The first state of a card waits for no spacing",
            at(0, .profile(spacing: 10), .phone("a"), .phone("b"), .local("b", name: "m"))
                + at(2, .call(Call.update(1))) + at(5, .local("a", name: "m")),
            pushes: ["2 b update 1", "6 a update 1"], phones: ["a": "m=1", "b": "m=1"]),
        Scenario(
            "A phone without frequent pushes has a spacing of its own, though the others are pushed all the while",
            at(0, .profile(spacing: 0, sparing: 10), .phone("a"), .phone("b"), .frequentPushes("b", false))
                + at(1, .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(1))) + at(8, .call(Call.update(2))) + at(11, .call(Call.update(3)))
                + at(14, .call(Call.update(4))) + at(17, .call(Call.update(5))),
            pushes: [
                "5 a update 1", "5 b update 1", "8 a update 2", "11 a update 3", "14 a update 4", "15 b update 4",
                "17 a update 5", "25 b update 5",
            ], phones: ["a": "m=5", "b": "m=5"]),
        Scenario(
            "A phone gets no more starts within an hour than the profile allows, and then again",
            at(0, .profile(spacing: 0, startsPerHour: 2), .phone("a")) + at(1, .call(Call.start(1)))
                + at(5, .report("a", .ended), .call(Call.start(2)))
                + at(9, .report("a", .ended, card: 2), .call(Call.start(3)))
                + at(3_602, .call(Call.start(4))),
            pushes: ["1 a start 1!", "5 a start 2!", "3602 a start 4!"],
            phones: ["a": "m=1 ended, m=2 ended, m=4"], until: 3_700),
        Scenario(
            "Planned starts count against the hour in which they leave, and one that is moved counts once",
            at(0, .profile(spacing: 0, startsPerHour: 1), .phone("a"))
                + at(1, .call(Call.start(1, moments: .init(starts: 7_200))))
                + at(2, .call(Call.start(2, moments: .init(starts: 7_300))))
                + at(3, .call(Call.start(3, name: "n", moments: .init(starts: 7_400)))),
            pushes: ["7300 a start 2!"], phones: ["a": "m=2"], until: 7_500),
    ]

    package static let localChanges: [Scenario] = [
        Scenario(
            "A card that the app changed is left alone, also when its phone asks again",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(9, .report("a", .locallyChanged)) + at(12, .again("a")),
            pushes: ["5 a update 1"], phones: ["a": "m=0"]),
        Scenario(
            "What is declared after the app changed a card takes its place",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(9, .report("a", .locallyChanged)) + at(20, .call(Call.update(2))),
            pushes: ["5 a update 1", "20 a update 2"], phones: ["a": "m=2"]),
    ]
}

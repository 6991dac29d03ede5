import EyotDomain

/// R2, R3, R7: the newest state wins, no replica starves, and seconds on the wire only rise.
extension Scenario {
    package static let order: [Scenario] = [
        Scenario(
            "Three updates in a second leave as two: the first, and the newest when the second is over",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(5, .call(Call.update(1)), .call(Call.update(2)), .call(Call.update(3))),
            pushes: ["5 a update 1", "6 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "An update declared while another is on its way follows it, and those between are skipped",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.late])) + at(5, .call(Call.update(1)))
                + at(7, .call(Call.update(2))) + at(8, .call(Call.update(3))) + at(9, .answers),
            pushes: ["5 a update 1", "10 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "A page on its way does not keep other cards of the activity waiting",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m")) + at(4, .fates([.late]))
                + at(5, .call(Call.update(1))) + at(6, .local("b", name: "m")) + at(20, .answers),
            pushes: ["5 a update 1", "7 b update 1"], phones: ["a": "m=1", "b": "m=1"]),
        Scenario(
            "A state declared twice by different calls is declared twice",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1))) + at(9, .call(Call.update(1))),
            pushes: ["5 a update 1", "9 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "An end that follows an update within its second waits for the next second",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)), .call(Call.end(2))),
            pushes: ["5 a update 1", "6 a end 2"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A clock that steps back holds pushes until it has caught up",
            at(0, .phone("a"), .local("a", name: "m")) + at(10, .call(Call.update(1)))
                + at(12, .clock(by: -6), .call(Call.update(2))),
            pushes: ["10 a update 1", "17 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A clock that steps forward holds nothing",
            at(0, .phone("a"), .local("a", name: "m")) + at(10, .call(Call.update(1)))
                + at(12, .clock(by: 3_600), .call(Call.update(2))),
            pushes: ["10 a update 1", "12 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A process that dies and comes back within the second does not push twice in it",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)), .crash, .call(Call.update(2))),
            pushes: ["5 a update 1", "6 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "The answer to a registration counts as a push: the next one carries a later second",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(8, .token("a"), .call(Call.update(2))),
            pushes: ["5 a update 1", "9 a update 2"], phones: ["a": "m=2"]),
    ]

    /// R14: late callers lose, and a repeated request gets its first answer.
    package static let lateCallers: [Scenario] = [
        Scenario(
            "An older truth told later is not applied",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(2, asOf: 4)))
                + at(6, .call(Call.update(1, asOf: 3))) + at(8, .call(Call.update(3, asOf: 7))),
            pushes: ["5 a update 2", "8 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "A retry of an older call after a newer one gets its first answer and changes nothing",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1), key: "k1"))
                + at(7, .call(Call.update(2), key: "k2")) + at(9, .call(Call.update(1), key: "k1")),
            pushes: ["5 a update 1", "7 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A declaration that has seen an older version than the newest is not applied",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(7, .call(Call.matching(.tag(VersionTag(generation: 1, version: 1)), Call.update(2))))
                + at(9, .call(Call.matching(.tag(VersionTag(generation: 1, version: 1)), Call.update(9)))),
            pushes: ["5 a update 1", "7 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A truth for one user is not undone by an older one for everyone",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(1, asOf: 1)))
                + at(8, .call(Call.update(5, scope: .user("user-a"), asOf: 7)))
                + at(11, .call(Call.update(3, asOf: 6))),
            pushes: ["5 a update 1", "5 b update 1", "8 a update 5", "11 b update 3"], phones: ["a": "m=5", "b": "m=3"]),
        Scenario(
            "A truth for everyone that is told again, and is later than one user's, holds for that user too",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(1, asOf: 1)))
                + at(8, .call(Call.update(5, scope: .user("user-a"), asOf: 7)))
                + at(11, .call(Call.put(3, to: nil, asOf: 6))) + at(14, .call(Call.put(3, to: nil, asOf: 6)))
                + at(17, .call(Call.put(3, to: nil, asOf: 13))) + at(20, .call(Call.put(3, to: nil, asOf: 19))),
            pushes: [
                "5 a update 1", "5 b update 1", "8 a update 5", "11 b update 3", "17 a update 3", "17 b update 3",
            ],
            phones: ["a": "m=3", "b": "m=3"]),
        Scenario(
            "A truth that was told again is as late as it was told last",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.put(1, to: nil, asOf: 4)))
                + at(8, .call(Call.put(1, to: nil, asOf: 7))) + at(10, .call(Call.put(9, to: nil, asOf: 6)))
                + at(12, .call(Call.update(8, asOf: 5))) + at(14, .call(Call.update(2, asOf: 8))),
            pushes: ["5 a update 1", "14 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "The state of a later start is not undone by an older truth for everyone",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1, to: .user("user-a"), moments: .init(asOf: 1))))
                + at(5, .call(Call.start(2, to: .user("user-b"), moments: .init(asOf: 4))))
                + at(9, .call(Call.update(3, asOf: 3))),
            pushes: ["1 a start 1!", "5 b start 2!", "9 a update 3"], phones: ["a": "m=3", "b": "m=2"]),
        Scenario(
            "Older truths about one user do not touch another's",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(8, scope: .user("user-a"), asOf: 8)))
                + at(7, .call(Call.update(4, scope: .user("user-b"), asOf: 4)))
                + at(9, .call(Call.update(3, scope: .user("user-a"), asOf: 3))),
            pushes: ["5 a update 8", "7 b update 4"], phones: ["a": "m=8", "b": "m=4"]),
        Scenario(
            "A start whose truth is older than the last end does not open it again",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.end()))
                + at(9, .call(Call.start(2, moments: .init(asOf: 3)))),
            pushes: ["1 a start 1!", "5 a end 1"], phones: ["a": "m=1 ended"]),
    ]
}

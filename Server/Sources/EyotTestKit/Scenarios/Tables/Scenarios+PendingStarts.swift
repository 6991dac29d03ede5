import EyotDomain

/// R1, R4, R5: a scoped declaration applies to its members with pending starts too.
extension Scenario {
    package static let pendingStarts: [Scenario] = [
        Scenario(
            "A card that a start has not got to starts with what was declared for it since",
            at(0, .phone("a"), .phone("b"), .phone("c"))
                + at(1, .calls([Call.start(1), Call.update(2, scope: .user("user-c"))])),
            pushes: ["1 a start 1!", "1 b start 1!", "1 c start 2!"], phones: ["a": "m=1", "b": "m=1", "c": "m=2"]),
        Scenario(
            "A card that a start has not got to is not started where it was ended since",
            at(0, .phone("a"), .phone("b"), .phone("c"))
                + at(1, .calls([Call.start(1), Call.end(2, scope: .user("user-c"))])),
            pushes: ["1 a start 1!", "1 b start 1!"], phones: ["a": "m=1", "b": "m=1", "c": ""]),
        Scenario(
            "A card that a start has not got to starts with the alert that was declared for it since",
            at(0, .phone("a"), .phone("b"), .phone("c"))
                + at(
                    1,
                    .calls([Call.silent(Call.start(1)), Call.alert(2, at: 1, scope: .user("user-c"))])),
            pushes: ["1 a start 1", "1 b start 1", "1 c start 2!"], phones: ["a": "m=1", "b": "m=1", "c": "m=2"]),
        Scenario(
            "Of two that were declared for a card that a start has not got to the later one counts",
            at(0, .phone("a"), .phone("b"), .phone("c"))
                + at(
                    1,
                    .calls([
                        Call.start(1), Call.update(2, scope: .user("user-c")),
                        Call.update(3, scope: .not(.user("user-a"))), Call.update(4, scope: .user("user-c")),
                    ])),
            pushes: ["1 a start 1!", "1 b start 3!", "1 c start 4!"], phones: ["a": "m=1", "b": "m=3", "c": "m=4"]),
        Scenario(
            "An older truth for some does not concern who a start has not got to and whom the newer one is for",
            at(0, .phone("a"), .phone("b"), .phone("c"))
                + at(
                    1,
                    .calls([
                        Call.start(1), Call.update(2, scope: .user("user-c"), asOf: 0.5),
                        Call.update(3, scope: .not(.user("user-a")), asOf: 0.2),
                    ])),
            pushes: ["1 a start 1!", "1 b start 3!", "1 c start 2!"], phones: ["a": "m=1", "b": "m=3", "c": "m=2"]),
    ]
}

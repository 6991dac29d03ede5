import EyotDomain

/// R1: when declarations stop, every live replica shows its newest one, or is known dead with the reason.
extension Scenario {
    package static let convergence: [Scenario] = [
        Scenario(
            "A start reaches the audience and an update reaches the cards",
            at(0, .phone("a"), .phone("b"), .phone("c", tags: [])) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.update(2))),
            pushes: ["1 a start 1!", "1 b start 1!", "5 a update 2", "5 b update 2"],
            phones: ["a": "m=2", "b": "m=2", "c": ""]),
        Scenario(
            "A token that arrives after an update is brought up to date at once",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1))) + at(5, .call(Call.update(2)))
                + at(9, .allow("a")),
            pushes: ["1 a start 1!", "10 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A token that arrives when nothing has changed costs no push",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1))) + at(9, .allow("a")),
            pushes: ["1 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A card that the app starts itself is told the state and brought to it",
            at(0, .phone("a"), .phone("b", tags: [])) + at(1, .call(Call.start(1)), .call(Call.update(2)))
                + at(9, .local("b", name: "m")),
            pushes: ["1 a start 1!", "2 a update 2", "10 b update 2"], phones: ["a": "m=2", "b": "m=2"]),
        Scenario(
            "A name first seen on a phone waits for its first declaration",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(7))),
            pushes: ["5 a update 7"], phones: ["a": "m=7"]),
        Scenario(
            "A start on a name that phones brought up declares the state for their cards too",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m")) + at(5, .call(Call.start(1))),
            pushes: ["5 a update 1", "5 b start 1!"], phones: ["a": "m=1", "b": "m=1"]),
        Scenario(
            "Several cards on one phone are told apart by name",
            at(0, .phone("a"), .local("a", name: "m"), .local("a", name: "o"))
                + at(5, .call(Call.update(1)), .call(Call.update(2, name: "o"))),
            pushes: ["5 a update 1", "5 a.2 update 2"], phones: ["a": "m=1, o=2"]),
        Scenario(
            "A refusal that will pass is tried again, later each time",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(4, .fates([.refused(.internalServerError), .refused(.serviceUnavailable)]))
                + at(5, .call(Call.update(1))),
            pushes: ["5 a update 1", "6 a update 1", "8 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "Something newer does not wait for the pause after a refusal",
            at(0, .phone("a"), .local("a", name: "m"))
                + at(4, .fates([.refused(.shutdown), .refused(.shutdown), .refused(.shutdown), .refused(.shutdown)]))
                + at(5, .call(Call.update(1))) + at(14, .call(Call.update(2))),
            pushes: ["5 a update 1", "6 a update 1", "8 a update 1", "12 a update 1", "14 a update 2"],
            phones: ["a": "m=2"]),
        Scenario(
            "Too many pushes to one token pause that token alone, newer states too",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(4, .fates([.refused(.tooManyRequests), .accepted, .refused(.tooManyRequests)]))
                + at(5, .call(Call.update(1))) + at(6.5, .call(Call.update(2))),
            pushes: ["5 a update 1", "5 b update 1", "6 a update 1", "6 b update 2", "8 a update 2"],
            phones: ["a": "m=2", "b": "m=2"]),
        Scenario(
            "A push that provably did not arrive goes again at once",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.notProcessed]))
                + at(5, .call(Call.update(1))),
            pushes: ["5 a update 1", "5 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A push whose fate is unknown goes again",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.lost])) + at(5, .call(Call.update(1))),
            pushes: ["5 a update 1", "6 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A state that Apple cannot take waits for the next one",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.payloadTooLarge)]))
                + at(5, .call(Call.update(1))) + at(50, .call(Call.update(2))),
            pushes: ["5 a update 1", "50 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A process that dies loses nothing that was accepted",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(4, .fates([.late, .late])) + at(5, .call(Call.update(1)), .crash),
            pushes: ["5 a update 1", "5 b update 1", "5 a update 1", "5 b update 1"],
            phones: ["a": "m=1", "b": "m=1"]),
        Scenario(
            "A card that the app stops tracking is left alone",
            at(0, .phone("a"), .local("a", name: "m"), .report("a", .started)) + at(5, .call(Call.update(1)))
                + at(6, .report("a", .ended)) + at(9, .call(Call.update(2))),
            pushes: ["5 a update 1"], phones: ["a": "m=1 ended"]),
    ]
}

import EyotDomain

/// R6: a start is made at most once, whatever is lost.
extension Scenario {
    /// A start that Apple refuses in both environments, for example because of a wrong topic.
    private static let refusedForTheTopic: [Step] =
        at(0, .phone("a")) + at(0.5, .fates(Array(repeating: .refused(.deviceTokenNotForTopic), count: 2)))
        + at(1, .call(Call.start(1)))

    package static let starts: [Scenario] = [
        Scenario(
            "A start says the type of what runs without one, and starts its cards",
            at(0, .phone("a")) + at(1, .call(Call.untyped(Call.put(1, to: nil)))) + at(5, .call(Call.start(2))),
            pushes: ["5 a start 2!"], phones: ["a": "m=2"]),
        Scenario(
            "A start that was refused for the app's sake goes again when the app is resumed",
            refusedForTheTopic + at(20, .resume), pushes: ["1 a start 1!", "2 a start 1!", "20 a start 1!"],
            phones: ["a": "m=1"]),
        Scenario(
            "A start that was refused for the app's sake does not go again after the end",
            refusedForTheTopic + at(10, .call(Call.end())) + at(20, .resume),
            pushes: ["1 a start 1!", "2 a start 1!"], phones: ["a": ""]),
        Scenario(
            "A start that was refused for the app's sake does not go again after an end for its person",
            refusedForTheTopic + at(10, .call(Call.end(scope: .user("user-a")))) + at(20, .resume),
            pushes: ["1 a start 1!", "2 a start 1!"], phones: ["a": ""]),
        Scenario(
            "A start that was refused for the app's sake goes again with what was declared for its person meanwhile",
            refusedForTheTopic + at(10, .call(Call.update(2, scope: .user("user-a")))) + at(20, .resume),
            pushes: ["1 a start 1!", "2 a start 1!", "20 a start 2!"], phones: ["a": "m=2"]),
        Scenario(
            "A start that was refused for the app's sake does not go again where another one took its place",
            refusedForTheTopic + at(5, .startToken("a"), .call(Call.put(2, to: .all))) + at(20, .report("a", .ended))
                + at(25, .resume),
            pushes: ["1 a start 1!", "2 a start 1!", "5 a start 2!"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A start that goes again when its app is mended is not lost to a phone that says what runs",
            at(0, .phone("a")) + at(0.5, .fates(Array(repeating: .refused(.invalidProviderToken), count: 4)))
                + at(1, .call(Call.start(1))) + at(700, .lists("a")) + at(800, .resume),
            pushes: ["1 a start 1!", "61 a start 1!", "181 a start 1!", "421 a start 1!", "800 a start 1!"],
            phones: ["a": "m=1"], until: 900),
        Scenario(
            "A start that was refused for the app's sake does not go again where the person has dismissed the card",
            refusedForTheTopic + at(10, .local("a", name: "m")) + at(12, .report("a", .dismissed)) + at(20, .resume),
            pushes: ["1 a start 1!", "2 a start 1!", "11 a update 1"], phones: ["a": "m=1 dismissed"]),
        Scenario(
            "A start whose answer is lost is not made again, and its card is taken in",
            at(0, .phone("a")) + at(0.5, .fates([.answerLost])) + at(1, .call(Call.start(1)))
                + at(50, .call(Call.update(2))),
            pushes: ["1 a start 1!", "2 a update 1", "50 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A start that was lost is not made again by itself, nor by asking again",
            at(0, .phone("a")) + at(0.5, .fates([.lost])) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.put(1, to: .all)))
                + at(9, .call(Call.start(2))),
            pushes: ["1 a start 1!"], phones: ["a": ""]),
        Scenario(
            "A start of unknown fate is made again by force",
            at(0, .phone("a")) + at(0.5, .fates([.lost])) + at(1, .call(Call.start(1)))
                + at(9, .call(Call.start(2, force: true))),
            pushes: ["1 a start 1!", "9 a start 2!"], phones: ["a": "m=2"]),
        Scenario(
            "A start of which nothing came is made again once its phone has spoken, with the newest state",
            at(0, .phone("a")) + at(0.5, .fates([.lost])) + at(1, .call(Call.start(1)))
                + at(300, .call(Call.update(2))) + at(600, .call(Call.start(3))) + at(680, .lists("a")),
            pushes: ["1 a start 1!", "690 a start 2!"], phones: ["a": "m=2"], until: 800),
        Scenario(
            "A process that dies between start and answer does not start twice",
            at(0, .phone("a", allows: false)) + at(0.5, .fates([.late])) + at(1, .call(Call.start(1)), .crash)
                + at(5, .call(Call.put(1, to: .all))) + at(9, .allow("a")),
            pushes: ["1 a start 1!", "10 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A start that provably did not arrive goes again",
            at(0, .phone("a")) + at(0.5, .fates([.notProcessed])) + at(1, .call(Call.start(1))),
            pushes: ["1 a start 1!", "1 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A start that Apple asks to try later goes again later, with the newest state",
            at(0, .phone("a")) + at(0.5, .fates([.refused(.serviceUnavailable)])) + at(1, .call(Call.start(1)))
                + at(1.5, .call(Call.update(2))),
            pushes: ["1 a start 1!", "2 a start 2!"], phones: ["a": "m=2"]),
        Scenario(
            "A start to a dead token fails, and the token is not used again",
            at(0, .phone("a")) + at(0.5, .fates([.refused(.unregistered)])) + at(1, .call(Call.start(1)))
                + at(9, .call(Call.start(2))),
            pushes: ["1 a start 1!"], phones: ["a": ""]),
        Scenario(
            "A device that already has the card gets no second one",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.start(2))),
            pushes: ["1 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A start waiting for Allow is not made a second time",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1))) + at(5, .call(Call.start(2)))
                + at(9, .call(Call.put(3, to: .all))) + at(15, .allow("a")),
            pushes: ["1 a start 1!", "16 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "A local start before the remote one leaves takes its place",
            at(0, .phone("a")) + at(0.5, .fates([.refused(.serviceUnavailable)])) + at(1, .call(Call.start(1)))
                + at(1.5, .local("a", name: "m")),
            pushes: ["1 a start 1!", "2 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "Of a local start racing a remote one the second card stays and the first is ended",
            at(0, .phone("a", allows: false)) + at(0.5, .fates([.late])) + at(1, .call(Call.start(1)))
                + at(2, .local("a", name: "m")) + at(3, .answers) + at(5, .allow("a")) + at(9, .call(Call.update(2))),
            pushes: ["1 a start 1!", "3 a.2 update 1", "6 a end 1", "9 a.2 update 2"], phones: ["a": "m=1 ended, m=2"]),
        Scenario(
            "A phone that cannot be started remotely is skipped",
            at(0, .phone("a", os: OSVersion(16, 4)), .phone("b")) + at(1, .call(Call.start(1)))
                + at(3, .local("a", name: "m")) + at(5, .call(Call.update(2))),
            pushes: ["1 b start 1!", "4 a update 1", "5 b update 2", "5 a update 2"], phones: ["a": "m=2", "b": "m=2"]),
        Scenario(
            "A start that the phone never showed is over once the phone says what runs",
            at(0, .phone("a")) + at(0.5, .fates([.init(verdict: .accepted, arrives: false)]))
                + at(1, .call(Call.start(1))) + at(300, .lists("a"), .call(Call.start(2)))
                + at(700, .lists("a"), .call(Call.start(3))),
            pushes: ["1 a start 1!", "300 a start 2!"], phones: ["a": "m=2"], until: 800),
    ]
}

import EyotDomain

/// Canaries: a share gets the state first, and the others after Apple has accepted it.
extension Scenario {
    /// Makes phones, each with a card that it started itself.
    private static func cards(_ names: String...) -> [Step] {
        names.flatMap { at(0, .phone($0), .local($0, name: "m")) }
    }

    package static let canaries: [Scenario] = canariesThatPass + canariesThatFail + canariesAndEnds + canariesAndShares

    private static let canariesThatPass: [Scenario] = [
        Scenario(
            "A canary goes to the first cards, and when its wait is over to everybody",
            cards("a", "b", "c", "d") + at(5, .call(Call.canary(25, Call.update(1)))),
            pushes: ["5 a update 1", "15 b update 1", "15 c update 1", "15 d update 1"],
            phones: ["a": "m=1", "b": "m=1", "d": "m=1"]),
        Scenario(
            "Something newer for everybody takes a canary's place at once",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.update(1)))) + at(8, .call(Call.update(2))),
            pushes: ["5 a update 1", "8 a update 2", "8 b update 2"], phones: ["a": "m=2", "b": "m=2"]),
        Scenario(
            "A canary takes another one's place, and who had that stays in its share",
            cards("a", "b", "c", "d") + at(5, .call(Call.canary(50, Call.update(1))))
                + at(8, .call(Call.canary(25, Call.update(2)))),
            pushes: ["5 a update 1", "5 b update 1", "8 a update 2", "8 b update 2", "18 c update 2", "18 d update 2"],
            phones: ["a": "m=2", "d": "m=2"]),
        Scenario(
            "A process that dies while a canary waits goes on with it",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.update(1)))) + at(9, .crash),
            pushes: ["5 a update 1", "15 b update 1"], phones: ["b": "m=1"]),
        Scenario(
            "A process that dies before Apple has answered sends a canary to its share again",
            cards("a", "b") + at(4, .fates([.late])) + at(5, .call(Call.canary(50, Call.update(1)))) + at(7, .crash),
            pushes: ["5 a update 1", "7 a update 1", "17 b update 1"], phones: ["b": "m=1"]),
        Scenario(
            "A canary's alert is heard by everybody, also by a card that came while it waited",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.alert(1, at: 5))))
                + at(7, .phone("c"), .local("c", name: "m")),
            pushes: ["5 a update 1!", "15 b update 1!", "15 c update 1!"], phones: ["c": "m=1"]),
        Scenario(
            "An alert whose canary something newer has replaced goes out with that",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.alert(1, at: 5)))) + at(8, .call(Call.update(2))),
            pushes: ["5 a update 1!", "8 a update 2", "8 b update 2!"], phones: ["b": "m=2"]),
        Scenario(
            "A canary's alert is heard by a card that was told something of its own while it waited",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.alert(1, at: 5))))
                + at(8, .call(Call.update(2, scope: .user("user-b")))),
            pushes: ["5 a update 1!", "8 b update 2", "15 b update 2!"], phones: ["b": "m=2"]),
        Scenario(
            "An alert of a card's own that is newer than a canary's takes its place",
            cards("a", "b", "c") + at(5, .call(Call.canary(30, Call.alert(1, at: 5))))
                + at(8, .call(Call.alert(2, at: 8, scope: .user("user-b")))),
            pushes: ["5 a update 1!", "8 b update 2!", "15 c update 1!"], phones: ["b": "m=2", "c": "m=1"]),
        Scenario(
            "A canary's alert is heard by a card that was started with a state of its own while it waited",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.alert(1, at: 5))))
                + at(8, .phone("c"), .call(Call.silent(Call.start(2, to: .user("user-c"))))),
            pushes: ["5 a update 1!", "8 c start 2", "15 b update 1!", "15 c update 2!"], phones: ["c": "m=2"]),
        Scenario(
            "A put that repeats what is tried out changes nothing, and one for everybody goes to everybody",
            cards("a", "b", "c") + at(5, .call(Call.canary(30, Call.put(1, to: nil))))
                + at(7, .call(Call.canary(30, Call.put(1, to: nil))))
                + at(20, .call(Call.canary(30, Call.put(2, to: nil))))
                + at(22, .call(Call.put(2, to: nil))),
            pushes: [
                "5 a update 1", "15 b update 1", "15 c update 1", "20 a update 2", "22 a update 2", "22 b update 2",
                "22 c update 2",
            ]),
        Scenario(
            "A state for one card goes to it while a canary waits, and stays there",
            cards("a", "b", "c") + at(5, .call(Call.canary(30, Call.update(1))))
                + at(8, .call(Call.update(2, scope: .user("user-c")))),
            pushes: ["5 a update 1", "8 c update 2", "15 b update 1"], phones: ["a": "m=1", "b": "m=1", "c": "m=2"]),
        Scenario(
            "A canary that an operator halts waits, and goes on when it is resumed",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.update(1)))) + at(8, .halt(.activity, true))
                + at(20, .halt(.activity, false)),
            pushes: ["5 a update 1", "20 b update 1"], phones: ["b": "m=1"]),
    ]

    private static let canariesThatFail: [Scenario] = [
        Scenario(
            "A canary that Apple refuses goes no further, until an operator resumes the activity",
            cards("a", "b", "c") + at(4, .fates([.refused(.payloadTooLarge)]))
                + at(5, .call(Call.canary(30, Call.update(1)))) + at(60, .halt(.activity, false)),
            pushes: ["5 a update 1", "60 b update 1", "60 c update 1"], phones: ["a": "m=-", "b": "m=1"]),
        Scenario(
            "Something newer for everybody takes the place of a canary that failed, and ends the halt",
            cards("a", "b") + at(1, .call(Call.update(1))) + at(4, .fates([.refused(.payloadTooLarge)]))
                + at(5, .call(Call.canary(50, Call.alert(2, at: 5)))) + at(20, .call(Call.update(3))),
            pushes: ["1 a update 1", "1 b update 1", "5 a update 2!", "20 a update 3", "20 b update 3"],
            phones: ["a": "m=3", "b": "m=3"]),
        Scenario(
            "An operator's halt outlasts the canary that failed in it",
            cards("a", "b") + at(4, .fates([.refused(.payloadTooLarge, isLate: true)]))
                + at(5, .call(Call.canary(50, Call.update(1)))) + at(6, .halt(.activity, true)) + at(7, .answers)
                + at(20, .call(Call.update(2))) + at(30, .halt(.activity, false)),
            pushes: ["5 a update 1", "30 a update 2", "30 b update 2"], phones: ["b": "m=2"]),
        Scenario(
            "A canary to which no answer comes fails as well",
            cards("a", "b") + at(4, .fates([.lost])) + at(5, .call(Call.canary(50, Call.update(1)))),
            pushes: ["5 a update 1", "6 a update 1"], phones: ["a": "m=1", "b": "m=-"]),
        Scenario(
            "A canary passes with as many refusals as its caller allows",
            cards("a", "b", "c", "d") + at(4, .fates([.refused(.payloadTooLarge)]))
                + at(5, .call(Call.canary(50, refusals: 0.5, Call.update(1)))),
            pushes: ["5 a update 1", "5 b update 1", "15 c update 1", "15 d update 1"], phones: ["d": "m=1"]),
        Scenario(
            "Dead tokens do not speak against a canary",
            cards("a", "b", "c", "d") + at(4, .fates([.refused(.unregistered)]))
                + at(5, .call(Call.canary(50, Call.update(1)))),
            pushes: ["5 a update 1", "5 b update 1", "15 c update 1", "15 d update 1"], phones: ["d": "m=1"]),
        Scenario(
            "The halt of a canary that failed outlasts the process",
            cards("a", "b") + at(4, .fates([.refused(.payloadTooLarge)]))
                + at(5, .call(Call.canary(50, Call.update(1)))) + at(9, .crash) + at(50, .halt(.activity, false)),
            pushes: ["5 a update 1", "50 b update 1"], phones: ["b": "m=1"]),
    ]

    private static let canariesAndEnds: [Scenario] = [
        Scenario(
            "An end for everybody wins over a canary, and carries the newest state",
            cards("a", "b") + at(5, .call(Call.canary(50, Call.update(1)))) + at(8, .call(Call.end())),
            pushes: ["5 a update 1", "8 a end 1", "8 b end 1"], phones: ["a": "m=1 ended", "b": "m=1 ended"]),
        Scenario(
            "An end for everybody does not carry what Apple refused",
            cards("a", "b") + at(1, .call(Call.update(1))) + at(4, .fates([.refused(.payloadTooLarge)]))
                + at(5, .call(Call.canary(50, Call.update(2)))) + at(8, .call(Call.end())),
            pushes: ["1 a update 1", "1 b update 1", "5 a update 2", "8 a end 1", "8 b end 1"],
            phones: ["a": "m=1 ended", "b": "m=1 ended"]),
        Scenario(
            "A planned end comes though a canary waits",
            cards("a", "b") + at(4, .call(Call.ending(at: 8, Call.update(1))))
                + at(5, .call(Call.canary(50, Call.update(2)))),
            pushes: ["4 a update 1", "4 b update 1", "5 a update 2", "8 a end 2", "8 b end 2"],
            phones: ["b": "m=2 ended"]),
        Scenario(
            "An end may be a canary, and nothing but another end takes its place",
            cards("a", "b") + at(1, .call(Call.update(1))) + at(5, .call(Call.canary(50, Call.end())))
                + at(8, .refused(Call.update(2), .activityEnded), .refused(Call.start(3), .activityEnded))
                + at(9, .phone("c"), .local("c", name: "m")),
            pushes: ["1 a update 1", "1 b update 1", "5 a end 1", "10 c update 1", "15 b end 1", "15 c end 1"],
            phones: ["a": "m=1 ended", "b": "m=1 ended", "c": "m=1 ended"]),
        Scenario(
            "An end that was tried out comes to a card of which Apple has refused something newer",
            cards("a", "b") + at(1, .call(Call.update(1))) + at(5, .call(Call.canary(50, Call.end(9))))
                + at(7, .fates([.refused(.payloadTooLarge)])) + at(8, .call(Call.update(2, scope: .user("user-b")))),
            pushes: ["1 a update 1", "1 b update 1", "5 a end 9", "8 b update 2", "15 b end 9"],
            phones: ["a": "m=9 ended", "b": "m=9 ended"]),
        Scenario(
            "A card of the share that gets its token late gets the end that is tried out, with its state",
            at(0, .phone("a"), .local("a", name: "m", token: false)) + cards("b", "c", "d")
                + at(1, .call(Call.update(1))) + at(5, .call(Call.canary(50, Call.end(9)))) + at(8, .token("a")),
            pushes: [
                "1 b update 1", "1 c update 1", "1 d update 1", "5 b end 9", "9 a end 9", "15 c end 9", "15 d end 9",
            ], phones: ["a": "m=9 ended", "d": "m=9 ended"]),
        Scenario(
            "An end takes the place of one that is tried out",
            cards("a", "b") + at(1, .call(Call.update(1))) + at(5, .call(Call.canary(50, Call.end())))
                + at(8, .call(Call.end(2))),
            pushes: ["1 a update 1", "1 b update 1", "5 a end 1", "8 b end 2"],
            phones: ["a": "m=1 ended", "b": "m=2 ended"]),
        Scenario(
            "A start may be a canary: the other phones start when its wait is over",
            at(0, .phone("a"), .phone("b"), .phone("c")) + at(1, .call(Call.canary(30, Call.start(1)))),
            pushes: ["1 a start 1!", "11 b start 1!", "11 c start 1!"], phones: ["a": "m=1", "c": "m=1"]),
        Scenario(
            "Starts that a canary holds back go with what takes its place",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.canary(50, Call.start(1))))
                + at(5, .call(Call.update(2))),
            pushes: ["1 a start 1!", "5 a update 2", "5 b start 2!"], phones: ["a": "m=2", "b": "m=2"]),
        Scenario(
            "A start that only adds cards cannot be a canary",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1, to: .user("user-a"))))
                + at(3, .refused(Call.canary(50, Call.start(2)), .fieldInvalid)),
            pushes: ["1 a start 1!"]),
    ]

    private static let canariesAndShares: [Scenario] = [
        Scenario(
            "A card that comes while a canary waits has what everybody has, and one of the share what the share has",
            cards("a", "b") + at(1, .call(Call.update(1))) + at(5, .call(Call.canary(50, Call.update(2))))
                + at(7, .phone("c"), .local("c", name: "m"), .token("a")),
            pushes: ["1 a update 1", "1 b update 1", "5 a update 2", "8 c update 1", "15 b update 2", "15 c update 2"],
            phones: ["a": "m=2", "c": "m=2"]),
        Scenario(
            "Where nobody of its share can be asked a canary takes a larger one",
            at(0, .phone("a"), .local("a", name: "m", token: false)) + cards("b", "c", "d")
                + at(5, .call(Call.canary(25, Call.update(1)))),
            pushes: ["5 b update 1", "15 c update 1", "15 d update 1"], phones: ["d": "m=1"]),
        Scenario(
            "One throttled token does not hold a canary for long",
            cards("a", "b", "c", "d")
                + at(4, .fates([.accepted] + Array(repeating: .refused(.tooManyRequests), count: 5)))
                + at(5, .call(Call.canary(50, Call.update(1)))),
            pushes: [
                "5 a update 1", "5 b update 1", "6 b update 1", "8 b update 1", "12 b update 1", "20 b update 1",
                "25 c update 1", "25 d update 1", "36 b update 1",
            ], phones: ["b": "m=1", "d": "m=1"]),
        Scenario(
            "A canary goes no further while Apple cannot be reached, however long that takes",
            cards("a", "b", "c", "d")
                + at(4, .fates(Array(repeating: .refused(.serviceUnavailable), count: 10)))
                + at(5, .call(Call.canary(50, Call.update(1)))),
            pushes: [
                "5 a update 1", "5 b update 1", "6 a update 1", "6 b update 1", "8 a update 1", "8 b update 1",
                "12 a update 1", "12 b update 1", "20 a update 1", "20 b update 1", "36 a update 1", "36 b update 1",
                "46 c update 1", "46 d update 1",
            ], phones: ["b": "m=1", "d": "m=1"]),
        Scenario(
            "A start that is planned for later keeps nobody from what a canary has tried out",
            cards("a", "b", "c")
                + at(1, .phone("e"), .call(Call.start(7, to: .user("user-e"), moments: .init(starts: 90))))
                + at(5, .call(Call.canary(25, Call.update(1)))),
            pushes: [
                "1 a update 7", "1 b update 7", "1 c update 7", "5 a update 1", "25 b update 1", "25 c update 1",
                "90 e start 1!",
            ],
            phones: ["b": "m=1", "e": "m=1"]),
        Scenario(
            "A share that has to wait for its spacing is waited for",
            at(0, .profile(spacing: 20)) + cards("a", "b") + at(5, .call(Call.update(1)))
                + at(8, .call(Call.canary(50, Call.update(2)))),
            pushes: ["5 a update 1", "5 b update 1", "25 a update 2", "35 b update 2"], phones: ["b": "m=2"]),
    ]
}

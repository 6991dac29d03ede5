import EyotDomain

/// Names, scopes and replicas: a name that is shared, tracked twice, or scoped.
extension Scenario {
    package static let names: [Scenario] = [
        Scenario(
            "A private name shared by several users takes a narrowed update",
            at(0, .phone("a"), .phone("b"), .phone("c")) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.update(2, scope: .user("user-b")))),
            pushes: ["1 a start 1!", "1 b start 1!", "1 c start 1!", "5 b update 2"],
            phones: ["a": "m=1", "b": "m=2", "c": "m=1"]),
        Scenario(
            "A narrowed update is overtaken by a later one for everyone",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.update(2, scope: .user("user-b")))) + at(9, .call(Call.update(3))),
            pushes: ["1 a start 1!", "1 b start 1!", "5 b update 2", "9 a update 3", "9 b update 3"],
            phones: ["a": "m=3", "b": "m=3"]),
        Scenario(
            "A narrowed update later than one for everyone stays",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1))) + at(5, .call(Call.update(2)))
                + at(9, .call(Call.update(3, scope: .user("user-b")))),
            pushes: ["1 a start 1!", "1 b start 1!", "5 a update 2", "5 b update 2", "9 b update 3"],
            phones: ["a": "m=2", "b": "m=3"]),
        Scenario(
            "The same name started for another user is that user's alone",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1, to: .user("user-a"))))
                + at(5, .call(Call.start(2, to: .user("user-b")))) + at(9, .call(Call.update(3))),
            pushes: ["1 a start 1!", "5 b start 2!", "9 a update 3", "9 b update 3"], phones: ["a": "m=3", "b": "m=3"]),
        Scenario(
            "A scope is frozen: a card that comes later shows what is declared for everyone",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m")) + at(4, .call(Call.update(1)))
                + at(6, .call(Call.update(2, scope: .tag("fans")))) + at(9, .local("b", name: "m")),
            pushes: ["4 a update 1", "6 a update 2", "10 b update 1"], phones: ["a": "m=2", "b": "m=1"]),
        Scenario(
            "A start that is under way belongs to a scope",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.update(2, scope: .user("user-a")))) + at(9, .allow("a")),
            pushes: ["1 a start 1!", "10 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "The same name tracked twice: the newer card stays, the older one is ended",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1))) + at(9, .local("a", name: "m"))
                + at(14, .call(Call.update(2))),
            pushes: ["5 a update 1", "9 a end 1", "10 a.2 update 1", "14 a.2 update 2"], phones: ["a": "m=1 ended, m=2"]
        ),
        Scenario(
            "The card that takes over a name takes over what was declared for its user",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(1, scope: .user("user-a")))) + at(9, .local("a", name: "m")),
            pushes: ["5 a update 1", "9 a end 1", "10 a.2 update 1"], phones: ["a": "m=1 ended, m=1", "b": "m=-"]),
        Scenario(
            "A second card under a name whose first has no token ends that one with the answer, and by its token if one comes",
            at(0, .phone("a"), .local("a", name: "m", token: false), .local("a", name: "m"))
                + at(5, .call(Call.update(1))) + at(9, .token("a", card: 1)),
            pushes: ["5 a.2 update 1", "10 a end 1"], phones: ["a": "m=- ended, m=1"]),
        Scenario(
            "Two phones of one user each have their card",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1, to: .or([.user("user-a"), .user("user-b")])))),
            pushes: ["1 a start 1!", "1 b start 1!"], phones: ["a": "m=1", "b": "m=1"]),
        Scenario(
            "Calls to a name that nobody knows are refused",
            at(0, .phone("a"))
                + at(
                    1, .refused(Call.update(1, name: "x"), .activityUnknown),
                    .refused(Call.end(name: "x"), .activityUnknown)),
            pushes: [], phones: ["a": ""]),
        Scenario(
            "A list of what runs retires the cards that are gone",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.start(1, to: .user("nobody"))))
                + at(8, .report("a", .ended)) + at(9, .lists("a"), .call(Call.update(2))),
            pushes: ["5 a update 1"], phones: ["a": "m=1 ended"]),
    ]
}

import EyotDomain

/// R4: an alert is given once to each card that existed, with the newest state, or counted as not given.
extension Scenario {
    package static let alerts: [Scenario] = [
        Scenario(
            "An alert goes out with its state",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.alert(1, at: 5))),
            pushes: ["5 a update 1!"], phones: ["a": "m=1"]),
        Scenario(
            "An update that overtakes an alert carries it",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(5.2, .call(Call.alert(2, at: 5))) + at(5.4, .call(Call.update(3))),
            pushes: ["5 a update 1", "6 a update 3!"], phones: ["a": "m=3"]),
        Scenario(
            "Of an alert superseded twice the newest is given, once",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(5.2, .call(Call.alert(2, at: 5))) + at(5.4, .call(Call.alert(3, at: 5)))
                + at(5.6, .call(Call.alert(4, at: 5))) + at(9, .call(Call.update(5))),
            pushes: ["5 a update 1", "6 a update 4!", "9 a update 5"], phones: ["a": "m=5"]),
        Scenario(
            "An end carries a live alert",
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(5.2, .call(Call.alert(2, at: 5)), .call(Call.end())),
            pushes: ["5 a update 1", "6 a end 2!"], phones: ["a": "m=2 ended"]),
        Scenario(
            "An alert that is too old is dropped and its state goes on",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.shutdown), .refused(.shutdown)]))
                + at(5, .call(Call.alert(1, at: 5, lifetime: 2))),
            pushes: ["5 a update 1!", "6 a update 1!", "8 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "An alert whose fate is unknown is not given again",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.lost])) + at(5, .call(Call.alert(1, at: 5))),
            pushes: ["5 a update 1!", "6 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "An alert on its way when the process dies is not given again",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.late]))
                + at(5, .call(Call.alert(1, at: 5))) + at(6, .crash),
            pushes: ["5 a update 1!", "6 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A newer alert than the one on its way when the process died is given",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.late]))
                + at(5, .call(Call.alert(1, at: 5))) + at(6, .crash, .call(Call.alert(2, at: 6))),
            pushes: ["5 a update 1!", "6 a update 1", "7 a update 2!"], phones: ["a": "m=2"]),
        Scenario(
            "An urgent alert on its way when the process dies is given again",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.late]))
                + at(5, .call(Call.alert(1, at: 5, urgent: true))) + at(6, .crash),
            pushes: ["5 a update 1!", "6 a update 1!"], phones: ["a": "m=1"]),
        Scenario(
            "An urgent alert whose fate is unknown is given again",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.lost]))
                + at(5, .call(Call.alert(1, at: 5, urgent: true))),
            pushes: ["5 a update 1!", "6 a update 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A card that comes later hears no old alert",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m")) + at(5, .call(Call.alert(1, at: 5)))
                + at(9, .local("b", name: "m")),
            pushes: ["5 a update 1!", "10 b update 1"], phones: ["a": "m=1", "b": "m=1"]),
        Scenario(
            "An alert between a start and its card's token is given once the token is there",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1))) + at(5, .call(Call.alert(2, at: 5)))
                + at(9, .allow("a")),
            pushes: ["1 a start 1!", "10 a update 2!"], phones: ["a": "m=2"]),
        Scenario(
            "An alert between a card's beginning and its token is given once the token is there",
            at(0, .phone("a"), .local("a", name: "m", token: false)) + at(5, .call(Call.alert(1, at: 5)))
                + at(9, .token("a")),
            pushes: ["10 a update 1!"], phones: ["a": "m=1"]),
        Scenario(
            "An alert that grew old before the card's token came is not given",
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.alert(2, at: 5, lifetime: 3))) + at(9, .allow("a")),
            pushes: ["1 a start 1!", "10 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "A rotation loses no alert",
            at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(.unregistered)]))
                + at(5, .call(Call.alert(1, at: 5))) + at(7, .token("a")),
            pushes: ["5 a update 1!", "8 a update 1!"], phones: ["a": "m=1"]),
        Scenario(
            "A scoped alert is heard by its scope alone",
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.update(1))) + at(8, .call(Call.alert(2, at: 8, scope: .user("user-b")))),
            pushes: ["5 a update 1", "5 b update 1", "8 b update 2!"], phones: ["a": "m=1", "b": "m=2"]),
        Scenario(
            "An alert that comes with a new start is not given once more with the end of the old card",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(4, .halt(.activity, true))
                + at(5, .call(Call.end(2, scope: .user("user-a")))) + at(6, .call(Call.alerting(3, at: 6)))
                + at(8, .halt(.activity, false)),
            pushes: ["1 a start 1!", "8 a end 2", "8 a start 3!"], phones: ["a": "m=2 ended, m=3"]),
        Scenario(
            "An alert that left with a start whose answer is late is not given again",
            at(0, .phone("a")) + at(0.5, .halt(.app, true), .fates([.late]))
                + at(1, .call(Call.start(1))) + at(2, .call(Call.alert(2, at: 2))) + at(3, .halt(.app, false))
                + at(6, .call(Call.update(3))) + at(9, .answers),
            pushes: ["3 a start 2!", "10 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "An alert of a PUT is for the cards that it starts and for those that run, and its repetition only starts",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all))) + at(5, .phone("b"))
                + at(6, .call(Call.put(2, to: .all))) + at(9, .call(Call.alerting(3, at: 9, saying: "other"))),
            pushes: ["1 a start 1!", "6 a update 2", "6 b start 2!", "9 a update 3!", "9 b update 3!"],
            phones: ["a": "m=3", "b": "m=3"]),
    ]
}

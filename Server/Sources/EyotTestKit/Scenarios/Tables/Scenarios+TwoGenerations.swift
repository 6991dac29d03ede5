import EyotDomain

/// R6: two starts of one name are under way for one phone, and each card belongs to one of them.
extension Scenario {
    private static let both: [Step] =
        at(0, .phone("a")) + at(0.5, .fates([.unseen, .unseen])) + at(1, .call(Call.start(1)))
        + at(5, .call(Call.end())) + at(9, .call(Call.start(2)))

    package static let twoGenerations: [Scenario] = [
        Scenario(
            "Of two cards of one name that the app finds when it is opened, the one that it names last stays",
            both + at(20, .opens("a", naming: [1, 2])) + at(60, .call(Call.update(3))),
            pushes: ["1 a start 1!", "9 a start 2!", "21 a end 2", "21 a.2 update 2", "60 a.2 update 3"],
            phones: ["a": "m=2 ended, m=3"]),
        Scenario(
            "Of two cards that the app finds in the other order, one stays too, with the newest state",
            both + at(20, .opens("a", naming: [2, 1])) + at(60, .call(Call.update(3))),
            pushes: ["1 a start 1!", "9 a start 2!", "21 a.2 end 2", "21 a update 2", "60 a update 3"],
            phones: ["a": "m=3, m=2 ended"]),
        Scenario(
            "Of two cards of one name that are both left to the server, one stays",
            both + at(20, .opens("a", naming: [1, 2], removes: false)) + at(60, .call(Call.update(3))),
            pushes: ["1 a start 1!", "9 a start 2!", "21 a end 2", "21 a.2 update 2", "60 a.2 update 3"],
            phones: ["a": "m=2 ended, m=3"]),
        Scenario(
            "Of two cards that are left to the server in the other order, one stays",
            both + at(20, .opens("a", naming: [2, 1], removes: false)) + at(60, .call(Call.update(3))),
            pushes: ["1 a start 1!", "9 a start 2!", "21 a.2 end 2", "21 a update 2", "60 a update 3"],
            phones: ["a": "m=3, m=2 ended"]),
        Scenario(
            "A card that is reported minutes after the other one of its name takes its place",
            both + at(20, .opens("a", naming: [1])) + at(300, .opens("a", naming: [2]))
                + at(360, .call(Call.update(3))),
            pushes: [
                "1 a start 1!", "9 a start 2!", "21 a update 2", "300 a end 2", "301 a.2 update 2", "360 a.2 update 3",
            ],
            phones: ["a": "m=2 ended, m=3"], until: 400),
        Scenario(
            "An older start's card that arrives after the newer one leaves one card",
            both + at(20, .opens("a", naming: [2])) + at(300, .opens("a", naming: [1]))
                + at(360, .call(Call.update(3))),
            pushes: [
                "1 a start 1!", "9 a start 2!", "21 a.2 update 2", "300 a.2 end 2", "301 a update 2", "360 a update 3",
            ],
            phones: ["a": "m=3, m=2 ended"], until: 400),
        Scenario(
            "Two cards whose tokens come in the other order: the card that was seen last stays",
            at(0, .phone("a", allows: false)) + at(0.5, .fates([.unseen, .unseen])) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.end())) + at(9, .call(Call.start(2))) + at(20, .opens("a", naming: [1, 2]))
                + at(30, .token("a", card: 2)) + at(31, .token("a", card: 1)) + at(60, .call(Call.update(3))),
            pushes: ["1 a start 1!", "9 a start 2!", "31 a.2 update 2", "32 a end 2", "60 a.2 update 3"],
            phones: ["a": "m=2 ended, m=3"]),
        Scenario(
            "A start, an end and a start at once leave one card with the newest state",
            at(0, .phone("a")) + at(1, .calls([Call.start(1), Call.end(), Call.start(2)]))
                + at(60, .call(Call.update(3))),
            pushes: ["1 a start 2!", "60 a update 3"], phones: ["a": "m=3"]),
        Scenario(
            "Three generations under way leave one card",
            at(0, .phone("a")) + at(0.5, .fates([.unseen, .unseen, .unseen])) + at(1, .call(Call.start(1)))
                + at(2, .call(Call.end())) + at(3, .call(Call.start(2))) + at(4, .call(Call.end()))
                + at(5, .call(Call.start(3))) + at(20, .opens("a", naming: [2, 3, 1])) + at(60, .call(Call.update(4))),
            pushes: [
                "1 a start 1!", "3 a start 2!", "5 a start 3!", "21 a.2 end 3", "21 a.3 end 3", "21 a update 3",
                "60 a update 4",
            ],
            phones: ["a": "m=4, m=3 ended, m=3 ended"]),
        Scenario(
            "A card of the older start after the activity has ended is ended",
            both + at(20, .opens("a", naming: [2])) + at(30, .call(Call.end())) + at(40, .opens("a", naming: [1])),
            pushes: ["1 a start 1!", "9 a start 2!", "21 a.2 update 2", "30 a.2 end 2", "41 a end 1"],
            phones: ["a": "m=1 ended, m=2 ended"]),
        Scenario(
            "A card of the older start stays away where a scope has ended the phone's card",
            both + at(20, .opens("a", naming: [2])) + at(30, .call(Call.end(scope: .user("user-a"))))
                + at(40, .opens("a", naming: [1])),
            pushes: ["1 a start 1!", "9 a start 2!", "21 a.2 update 2", "30 a.2 end 2", "41 a end 1"],
            phones: ["a": "m=1 ended, m=2 ended"]),
    ]
}

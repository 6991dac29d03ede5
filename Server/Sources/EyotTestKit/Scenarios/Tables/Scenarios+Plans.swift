import EyotDomain

/// Planned ends and starts: they come at their moment, despite crashes and clock changes.
extension Scenario {
    package static let plannedEnds: [Scenario] = [
        Scenario(
            "A planned end comes at its time with the last state",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 30)))) + at(5, .call(Call.update(2))),
            pushes: ["1 a start 1!", "5 a update 2", "30 a end 2"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A planned end survives the process",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 30)))) + at(20, .crash),
            pushes: ["1 a start 1!", "30 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "A planned end that came while no process ran is made up for",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 30)))) + at(20, .clock(by: 60), .crash),
            pushes: ["1 a start 1!", "20 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "An end that came by call makes the planned one moot",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 30)))) + at(5, .call(Call.end())),
            pushes: ["1 a start 1!", "5 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "A planned end moves forward, back, and away",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 30))))
                + at(5, .call(Call.ending(at: 60, Call.update(2)))) + at(40, .call(Call.ending(at: 50, Call.update(3))))
                + at(45, .call(Call.ending(at: nil, Call.update(4))))
                + at(70, .call(Call.ending(at: 80, Call.update(5)))),
            pushes: [
                "1 a start 1!", "5 a update 2", "40 a update 3", "45 a update 4", "70 a update 5", "80 a end 5",
            ], phones: ["a": "m=5 ended"]),
        Scenario(
            "Moving the planned end with a PUT of the same state pushes nothing else",
            at(0, .phone("a")) + at(1, .call(Call.put(1, to: .all)))
                + at(5, .call(Call.ending(at: 30, Call.put(1, to: .all)))),
            pushes: ["1 a start 1!", "30 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "A later start moves the planned end, also where it starts nobody",
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.start(2, moments: .init(ends: 30)))),
            pushes: ["1 a start 1!", "30 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "A clock that is set forward past the planned end brings it at once, with the last state",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 3_600)))) + at(5, .call(Call.update(2)))
                + at(9, .clock(by: 7_200)),
            pushes: ["1 a start 1!", "5 a update 2", "9 a end 2"], phones: ["a": "m=2 ended"]),
        Scenario(
            "A clock that is set back puts the planned end off until it is that time again",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 30)))) + at(20, .clock(by: -40)),
            pushes: ["1 a start 1!", "70 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "What ended by the clock stays ended when the clock is set back",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(ends: 30)))) + at(31, .clock(by: -20))
                + at(35, .refused(Call.update(2), .activityEnded)),
            pushes: ["1 a start 1!", "30 a end 1"], phones: ["a": "m=1 ended"]),
        Scenario(
            "From the planned end on callers find it ended, also where the app is paused and nobody has looked",
            at(0, .phone("a")) + at(0.5, .fates([.accepted, .refused(.invalidProviderToken)]))
                + at(1, .call(Call.start(1, moments: .init(ends: 30)))) + at(5, .call(Call.update(2)))
                + at(31, .refused(Call.update(3), .activityEnded)) + at(40, .resume),
            pushes: ["1 a start 1!", "5 a update 2", "40 a end 2"], phones: ["a": "m=2 ended"]),
    ]

    package static let plannedStarts: [Scenario] = [
        Scenario(
            "A planned start leaves at its time, with the newest state, to those of whom it was accepted",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(starts: 30))))
                + at(5, .phone("b"), .call(Call.update(2))),
            pushes: ["30 a start 2!"], phones: ["a": "m=2", "b": ""]),
        Scenario(
            "A planned start survives the process",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(starts: 30)))) + at(20, .crash),
            pushes: ["30 a start 1!"], phones: ["a": "m=1"]),
        Scenario(
            "An end before its time calls a planned start off",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(starts: 30)))) + at(20, .call(Call.end())),
            pushes: [], phones: ["a": ""]),
        Scenario(
            "A planned start whose phone has the card by then is not made",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(starts: 30))))
                + at(20, .local("a", name: "m")),
            pushes: ["21 a update 1"], phones: ["a": "m=1"]),
        Scenario(
            "A start now takes the place of a planned one, and one for the same time changes nothing",
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1, moments: .init(starts: 30))))
                + at(2, .call(Call.start(2, moments: .init(starts: 30))))
                + at(5, .call(Call.start(3, to: .user("user-a")))),
            pushes: ["5 a start 3!", "30 b start 1!"], phones: ["a": "m=3", "b": "m=1"]),
        Scenario(
            "A planned start moves with a start for another time",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(starts: 30))))
                + at(5, .call(Call.start(2, moments: .init(starts: 60)))),
            pushes: ["60 a start 2!"], phones: ["a": "m=2"]),
        Scenario(
            "A clock that is set forward brings a planned start at once, one that is set back puts it off",
            at(0, .phone("a"), .phone("b"))
                + at(1, .call(Call.start(1, to: .user("user-a"), moments: .init(starts: 3_600))))
                + at(5, .clock(by: 7_200))
                + at(8, .call(Call.start(2, to: .user("user-b"), moments: .init(starts: 7_230))))
                + at(20, .clock(by: -20)),
            pushes: ["5 a start 1!", "50 b start 2!"], phones: ["a": "m=1", "b": "m=2"]),
        Scenario(
            "An activity that was planned starts and ends at its times",
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(starts: 30, ends: 60)))),
            pushes: ["30 a start 1!", "60 a end 1"], phones: ["a": "m=1 ended"]),
    ]
}

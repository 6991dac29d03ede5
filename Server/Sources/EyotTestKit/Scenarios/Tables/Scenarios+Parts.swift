import EyotDomain

/// R10: pushes with a verdict do not wait for the others of their page.
extension Scenario {
    private static let three =
        at(0, .phone("a"), .phone("b"), .phone("c"))
        + at(1, .local("a", name: "m"), .local("b", name: "m"), .local("c", name: "m"))

    package static let parts: [Scenario] = [
        Scenario(
            "Who was answered gets the next update while another card of the page waits for its answer",
            three + at(4, .fates([.accepted, .late])) + at(5, .call(Call.update(1))) + at(7, .call(Call.update(2)))
                + at(9, .answers),
            pushes: [
                "5 a update 1", "5 b update 1", "5 c update 1", "7 a update 2", "7 c update 2", "10 b update 2",
            ], phones: ["a": "m=2", "b": "m=2", "c": "m=2"]),
        Scenario(
            "A clock that is set back while a push waits for its answer repeats none of its seconds",
            at(0, .phone("a")) + at(1, .local("a", name: "m")) + at(4, .fates([.late]))
                + at(5, .call(Call.update(1))) + at(6, .clock(by: -3)) + at(7, .answers)
                + at(8, .call(Call.update(2))),
            pushes: ["5 a update 1", "9 a update 2"], phones: ["a": "m=2"]),
        Scenario(
            "What was lost goes again, and nobody else has it twice",
            three + at(4, .fates([.accepted, .lostLate])) + at(5, .call(Call.update(1))) + at(9, .answers),
            pushes: ["5 a update 1", "5 b update 1", "5 c update 1", "10 b update 1"],
            phones: ["a": "m=1", "b": "m=1", "c": "m=1"]),
        Scenario(
            "Where most of a page wait for their answers, those that have theirs do not",
            three + at(4, .fates([.lostLate, .late])) + at(5, .call(Call.update(1))) + at(7, .call(Call.update(2)))
                + at(9, .answers),
            pushes: [
                "5 a update 1", "5 b update 1", "5 c update 1", "7 c update 2", "10 a update 2", "10 b update 2",
            ], phones: ["a": "m=2", "b": "m=2", "c": "m=2"]),
        Scenario(
            "Answers to pushes of an older page come after a newer page of the same cards",
            three + at(4, .fates([.late, .accepted, .accepted, .accepted, .late])) + at(5, .call(Call.update(1)))
                + at(7, .call(Call.update(2))) + at(8, .call(Call.update(3))) + at(9, .answers),
            pushes: [
                "5 a update 1", "5 b update 1", "5 c update 1", "7 b update 2", "7 c update 2", "8 b update 3",
                "10 a update 3", "10 c update 3",
            ], phones: ["a": "m=3", "b": "m=3", "c": "m=3"]),
        Scenario(
            "After a crash who had no verdict is pushed to again, and who had one is not",
            three + at(4, .fates([.accepted, .late])) + at(5, .call(Call.update(1))) + at(7, .crash),
            pushes: ["5 a update 1", "5 b update 1", "5 c update 1", "7 b update 1"],
            phones: ["a": "m=1", "b": "m=1", "c": "m=1"]),
        Scenario(
            "An end of a page of which one has no answer is an end for each",
            three + at(4, .fates([.accepted, .lostLate])) + at(5, .call(Call.end(1))) + at(9, .answers),
            pushes: ["5 a end 1", "5 b end 1", "5 c end 1", "10 b end 1"],
            phones: ["a": "m=1 ended", "b": "m=1 ended", "c": "m=1 ended"]),
        Scenario(
            "An alert is given once to who waited for an answer, as to the others",
            three + at(4, .fates([.accepted, .late])) + at(5, .call(Call.alert(1, at: 5)))
                + at(7, .call(Call.update(2))) + at(9, .answers),
            pushes: [
                "5 a update 1!", "5 b update 1!", "5 c update 1!", "7 a update 2", "7 c update 2", "10 b update 2",
            ], phones: ["a": "m=2", "b": "m=2", "c": "m=2"]),
        Scenario(
            "A token that died among cards without an answer is dead at once",
            three + at(4, .fates([.late, .refused(.unregistered)])) + at(5, .call(Call.update(1)))
                + at(7, .call(Call.update(2))) + at(9, .answers),
            pushes: [
                "5 a update 1", "5 b update 1", "5 c update 1", "7 c update 2", "10 a update 2",
            ], phones: ["a": "m=2", "c": "m=2"]),
    ]
}

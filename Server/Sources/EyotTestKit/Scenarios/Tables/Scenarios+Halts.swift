import EyotDomain

/// Halts: nothing is sent, and nothing is lost.
extension Scenario {
    package static let halts: [Scenario] =
        Halt.Switch.allCases.flatMap { by in
            [
                Scenario(
                    "What was declared while the \(by) was halted goes out in its newest state",
                    at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                        + at(6, .halt(by, true)) + at(7, .call(Call.update(2))) + at(9, .call(Call.update(3)))
                        + at(20, .halt(by, false)),
                    pushes: ["5 a update 1", "20 a update 3"], phones: ["a": "m=3"]),
                Scenario(
                    "What is on its way when the \(by) is halted arrives, and is not followed",
                    at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.late])) + at(5, .call(Call.update(1)))
                        + at(6, .halt(by, true)) + at(7, .call(Call.update(2))) + at(9, .answers)
                        + at(20, .halt(by, false)),
                    pushes: ["5 a update 1", "20 a update 2"], phones: ["a": "m=2"]),
                Scenario(
                    "A start, an end and a card that comes while the \(by) is halted wait for its resumption",
                    at(0, .phone("a"), .phone("b"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                        + at(6, .halt(by, true)) + at(7, .call(Call.start(2, to: .user("user-b"))))
                        + at(8, .call(Call.end(3))) + at(9, .phone("c"), .local("c", name: "m"))
                        + at(20, .halt(by, false)),
                    pushes: ["5 a update 1", "20 a end 3", "20 c end 3"],
                    phones: ["a": "m=3 ended", "b": "", "c": "m=3 ended"]),
                Scenario(
                    "The \(by) stays halted when the process dies",
                    at(0, .phone("a"), .local("a", name: "m")) + at(6, .call(Call.update(1))) + at(7, .halt(by, true))
                        + at(8, .call(Call.update(2))) + at(9, .crash) + at(20, .halt(by, false)),
                    pushes: ["6 a update 1", "20 a update 2"], phones: ["a": "m=2"]),
            ]
        } + [
            Scenario(
                "The halt of a type holds for cards that apps started, where no backend has said the type",
                at(0, .phone("a")) + at(1, .call(Call.untyped(Call.put(1, to: nil)))) + at(2, .local("a", name: "m"))
                    + at(6, .halt(.type, true)) + at(7, .call(Call.update(2))) + at(20, .halt(.type, false)),
                pushes: ["3 a update 1", "20 a update 2"], phones: ["a": "m=2"]),
            Scenario(
                "Another name goes on while one is halted",
                at(0, .phone("a"), .local("a", name: "m"), .local("a", name: "n"))
                    + at(1, .halt(.activity, true, name: "n")) + at(5, .call(Call.update(1)))
                    + at(6, .call(Call.update(2, name: "n"))) + at(9, .call(Call.update(3))),
                pushes: ["5 a update 1", "9 a update 3"], phones: ["a": "m=3, n=-"]),
            Scenario(
                "A generation that begins while its name is halted is halted too",
                at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .halt(.activity, true))
                    + at(6, .call(Call.end())) + at(7, .call(Call.start(2))) + at(20, .halt(.activity, false)),
                pushes: ["1 a start 1!", "20 a end 1", "20 a start 2!"], phones: ["a": "m=1 ended, m=2"]),
            Scenario(
                "A card that its app starts is not taken for a start of an ended generation that never left",
                at(0, .phone("a"), .phone("b")) + at(1, .halt(.app, true))
                    + at(2, .call(Call.start(1, to: .user("user-a"))))
                    + at(3, .call(Call.end())) + at(4, .call(Call.start(2, to: .user("user-b"))))
                    + at(5, .local("a", name: "m")) + at(20, .halt(.app, false)),
                pushes: ["20 b start 2!", "20 a update 2"], phones: ["a": "m=2", "b": "m=2"]),
            Scenario(
                "What two switches halt goes on when both are back",
                at(0, .phone("a"), .local("a", name: "m")) + at(1, .halt(.type, true)) + at(2, .halt(.activity, true))
                    + at(5, .call(Call.update(1))) + at(10, .halt(.type, false)) + at(20, .halt(.activity, false)),
                pushes: ["20 a update 1"], phones: ["a": "m=1"]),
        ]
}

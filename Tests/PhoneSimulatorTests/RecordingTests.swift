import EyotContract
import Foundation
import PhoneSimulator
import Testing

/// Lines as a recorder writes them, with a clock of their own.
private struct Script {
    var recording = Recording(
        head: RecordingHead(os: IOSVersion(18, 1), bundleID: bundleID, types: [RecordedType("Match")]))

    mutating func did(_ action: RecordedAction, at seconds: Double) { add(.did(action), seconds) }
    mutating func saw(_ fact: RecordedFact, at seconds: Double) { add(.saw(fact), seconds) }

    private mutating func add(_ content: RecordedLine.Content, _ seconds: Double) {
        recording.lines.append(RecordedLine(time: at(seconds), uptime: seconds, content))
    }

    func read() throws -> Recording { try Recording(reading: recording.bytes) }
}

private func score(_ text: String, staleDate: Date? = nil) -> CardContent {
    CardContent(state: ["score": .string(text)], staleDate: staleDate)
}

private let request = CardRequest(
    type: "Match", attributes: ["home": "Argentina"], content: score("0-0"), updates: .token)

/// The app starts a card, which the recorder follows.
private func started() -> Script {
    var script = Script()
    script.did(.launch(.foreground, activitiesEnabled: true, frequentPushesEnabled: true), at: 0)
    script.did(.listen(.cards(type: "Match")), at: 0)
    script.did(.request(number: 1, request), at: 1)
    script.saw(.granted(request: 1, card: "A", hasToken: false), at: 1)
    for sequence in [RecordedSequence.phases(card: "A"), .contents(card: "A"), .tokens(card: "A")] {
        script.did(.listen(sequence), at: 1)
    }
    return script
}

@Suite struct `A recording's file` {
    private let lines: [RecordedLine.Content] = [
        .did(.launch(.background, activitiesEnabled: false, frequentPushesEnabled: true)), .did(.move(.foreground)),
        .did(.listen(.cards(type: "Match"))), .did(.listen(.startTokens(type: "Match"))),
        .did(.listen(.activitiesEnabled)), .did(.listen(.frequentPushesEnabled)), .did(.listen(.tokens(card: "A"))),
        .did(.request(number: 1, request)),
        .did(
            .request(
                number: 2,
                CardRequest(
                    type: "Match", attributes: [:], content: score("0-0", staleDate: at(9.5)),
                    updates: .channel("YQ=="),
                    startDate: at(60), isFromIntent: true, isTransient: true))),
        .did(.update(card: "A", score("1-0"), alerts: true, timestamp: at(2))),
        .did(.update(card: "A", CardContent(state: [:], relevanceScore: 2.5), alerts: false, timestamp: nil)),
        .did(.end(card: "A", nil, .standard, timestamp: nil)),
        .did(.end(card: "A", score("3-3"), .after(at(60)), timestamp: at(3))),
        .did(.end(card: "A", nil, .immediate, timestamp: nil)),
        .did(.push(RecordedPush(to: .start, payload: ["aps": [:]], priority: .considerate, expiration: 0))),
        .did(.push(RecordedPush(to: .card("A"), payload: ["aps": [:]]))),
        .did(.push(RecordedPush(to: .channel("YQ=="), payload: ["aps": [:]]))),
        .did(.person(.dismiss(card: "A"))), .did(.person(.allow)), .did(.person(.lock)), .did(.person(.quit)),
        .did(.person(.terminate)), .did(.person(.reboot)), .did(.person(.offline)), .did(.person(.online)),
        .saw(.granted(request: 1, card: "A", hasToken: true)), .saw(.refused(request: 2, error: "visibility")),
        .saw(.there(type: "Match", cards: ["A", "B"])), .saw(.card(type: "Match", card: "A")),
        .saw(.phase(card: "A", "active")), .saw(.content(card: "A", score("0-0"))),
        .saw(.activitiesEnabled(true)), .saw(.frequentPushesEnabled(false)), .saw(.over(.contents(card: "A"))),
        .saw(.woken), .saw(.other("something new")),
    ]

    @Test func `Everything that is written is read as it was`() throws {
        var recording = Recording(
            head: RecordingHead(
                os: IOSVersion(17, 2), model: "iPhone16,1", bundleID: bundleID, supportsFrequentUpdates: false,
                types: [
                    RecordedType("Match"),
                    RecordedType(
                        "Order",
                        schema: ActivitySchema(type: "Order", attributes: .any, contentState: .object(ObjectShape()))),
                ]))
        let token = ShortenedToken(try #require(PushToken(bytes: Array(repeating: 7, count: 80))))
        let all = lines + [.saw(.token(card: "A", token)), .saw(.startToken(type: "Match", token))]
        recording.lines = all.enumerated().map { RecordedLine(time: at(Double($0)), uptime: Double($0), $1) }
        let read = try Recording(reading: recording.bytes)
        #expect(read.head == recording.head)
        #expect(read.lines.map(\.content) == all)
        #expect(read.lines.map(\.number) == Array(2..<all.count + 2))
        #expect(read.bytes == recording.bytes)
    }

    @Test func `A token stands nowhere whole`() throws {
        let token = try #require(PushToken(bytes: Array(repeating: 7, count: 80)))
        var script = started()
        script.saw(.token(card: "A", ShortenedToken(token)), at: 2)
        #expect(!String(decoding: script.recording.bytes, as: UTF8.self).contains(token.hex.prefix(12)))
        let whole = String(decoding: script.recording.bytes, as: UTF8.self)
            .replacing(token.description, with: token.hex)
        #expect(throws: RecordingError.self) { try Recording(reading: Array(whole.utf8)) }
    }

    @Test func `A line that was added by hand stands where its time says`() throws {
        var script = started()
        script.saw(.phase(card: "A", "active"), at: 9)
        script.recording.lines.append(RecordedLine(time: at(5), .did(.person(.lock))))
        let read = try script.read()
        #expect(read.lines.map { $0.moment.timeIntervalSince(kickOff) }.suffix(3) == [1, 5, 9])
        #expect(read.lines[read.lines.count - 2].content == .did(.person(.lock)))
    }

    @Test func `The wall clock counts at a launch, and the other one from there`() throws {
        var recording = started().recording
        for index in recording.lines.indices.dropFirst() { recording.lines[index].time = at(-5_000) }
        recording.lines.append(
            RecordedLine(
                time: at(-9_000), uptime: 0,
                .did(.launch(.foreground, activitiesEnabled: true, frequentPushesEnabled: true))))
        recording.lines.append(RecordedLine(time: at(0), uptime: 4, .did(.move(.background))))
        let moments = try Recording(reading: recording.bytes).lines.map { $0.moment.timeIntervalSince(kickOff) }
        #expect(moments == [0, 0, 1, 1, 1, 1, 1, 1, 5])
    }

    @Test(
        arguments: [
            ("", "the file is empty", nil), ("\n{", "this is no JSON", 2), ("{}", "recording is missing", 1),
            (#"{"recording":2,"ios":"18.1","app":"a"}"#, "a format that this version does not read", 1),
            (#"{"recording":1,"ios":"new","app":"a"}"#, "no version of iOS", 1),
            (#"{"recording":1,"ios":"18.1","app":"a","more":1}"#, "more is not a field", 1),
            (#"{"did":"allow"}"#, "time is missing", 2), (#"{"time":"today","did":"allow"}"#, "time is no time", 2),
            (#"{"time":"2022-12-18T15:00:00Z"}"#, "has either did or saw", 2),
            (#"{"time":"2022-12-18T15:00:00Z","did":"allow","saw":"woken"}"#, "has either did or saw", 2),
            (#"{"time":"2022-12-18T15:00:00Z","did":"dance"}"#, "did is nothing that", 2),
            (#"{"time":"2022-12-18T15:00:00Z","did":"dismiss"}"#, "card is missing", 2),
            (#"{"time":"2022-12-18T15:00:00Z","did":"allow","card":"A"}"#, "card is not a field", 2),
            (#"{"time":"2022-12-18T15:00:00Z","did":"push","to":"moon","payload":{}}"#, "to is start", 2),
            (#"{"time":"2022-12-18T15:00:00Z","uptime":1,"did":"allow"}"#, "before the first launch", 2),
            (#"{"time":"2022-12-18T15:00:00Z","uptime":-1,"did":"allow"}"#, "is no number of seconds", 2),
        ] as [(String, String, Int?)])
    func `What is no recording is refused, with line and reason`(text: String, reason: String, line: Int?) {
        let head = #"{"recording":1,"ios":"18.1","app":"a"}"# + "\n"
        let needsHead = text.contains("did") || text.contains("time")
        do {
            _ = try Recording(reading: Array(((needsHead ? head : "") + text).utf8))
            Issue.record("read all the same")
        } catch {
            #expect(error.reason.contains(reason), "\(error)")
            #expect(error.line == line)
        }
    }

    @Test func `A file, a line and their number have limits`() {
        func problem(_ bytes: [UInt8]) -> String {
            do {
                _ = try Recording(reading: bytes)
                return ""
            } catch {
                return error.reason
            }
        }
        let head = started().recording.head.json.utf8 + [10]
        #expect(problem(Array(repeating: 10, count: Recording.byteLimit + 1)).contains("the file has more than"))
        #expect(problem(head + Array(repeating: 91, count: Recording.lineByteLimit + 1)).contains("bytes"))
        let line = Array(#"{"time":"2022-12-18T15:00:00Z","did":"allow"}"#.utf8) + [10]
        let full = head + Array(repeating: line, count: Recording.lineLimit).joined()
        #expect(problem(full) == "")
        #expect(problem(full + line).contains("more than \(Recording.lineLimit) lines"))
        let back = #"{"time":"2022-12-18T15:00:00Z","uptime":0.5,"did":"lock"}"#
        #expect(problem(started().recording.bytes + Array(back.utf8)).contains("uptime goes back"))
    }
}

@Suite struct `A recording that is played to a simulated phone` {
    private func facts(_ script: Script, under rules: PhoneRules = PhoneRules()) throws -> [String] {
        RecordingReplay(of: try script.read(), under: rules).facts.map {
            "\(Int($0.moment.timeIntervalSince(kickOff))) \($0.fact)"
        }
    }

    private func update(at seconds: Double, score: String) throws -> RecordedAction {
        .push(
            RecordedPush(to: .card("A"), payload: try JSONValue(parsing: payload("update", at: seconds, score: score))))
    }

    @Test func `What the app asks for happens, and the sequences that it follows yield it`() throws {
        var script = started()
        script.did(.update(card: "A", score("1-0"), alerts: false, timestamp: nil), at: 5)
        script.did(try update(at: 8, score: "2-0"), at: 8)
        script.did(.end(card: "A", score("3-3"), .immediate, timestamp: nil), at: 60)
        let replay = RecordingReplay(of: try script.read())
        let facts = replay.facts.map(\.fact)
        #expect(facts.contains(.card(type: "Match", card: "A")))
        #expect(
            facts.filter { if case .phase = $0 { true } else { false } } == [
                .phase(card: "A", "active"), .phase(card: "A", "ended"), .phase(card: "A", "dismissed"),
            ])
        #expect(
            facts.filter { if case .content = $0 { true } else { false } }
                == ["0-0", "1-0", "2-0", "3-3"].map {
                    .content(card: "A", score($0))
                })
        #expect(facts.filter { if case .token = $0 { true } else { false } }.count == 1)
        #expect(facts.contains(.over(.contents(card: "A"))))
        #expect(replay.effects.values.map(\.word) == ["updated"])
        #expect(replay.strangers.isEmpty)
    }

    @Test func `What time does is done at its moment, and not at the next line`() throws {
        var script = started()
        script.did(.update(card: "A", score("1-0", staleDate: at(600)), alerts: false, timestamp: nil), at: 5)
        script.did(.move(.background), at: 50_000)
        let phases = try facts(script).filter { $0.contains(" phase(") }
        #expect(phases.map { $0.split(separator: " ")[0] } == ["1", "600", "28801", "43201"])
    }

    @Test func `A card that a push has started is the one that the recording names next`() throws {
        var script = Script()
        script.did(.launch(.foreground, activitiesEnabled: true, frequentPushesEnabled: true), at: 0)
        script.did(.listen(.cards(type: "Match")), at: 0)
        let start = try JSONValue(parsing: payload("start", at: 3))
        script.did(.push(RecordedPush(to: .start, payload: start)), at: 3)
        script.saw(.card(type: "Match", card: "P"), at: 4)
        script.did(.listen(.contents(card: "P")), at: 4)
        script.saw(.card(type: "Match", card: "Q"), at: 5)
        let replay = RecordingReplay(of: try script.read())
        #expect(replay.facts.map(\.fact) == [.card(type: "Match", card: "P"), .content(card: "P", score("0-0"))])
        #expect(replay.strangers == ["Q"])
    }

    @Test func `A start push wakes the app, and the process that the recording tells of is the same`() throws {
        var script = Script()
        script.did(.launch(.foreground, activitiesEnabled: true, frequentPushesEnabled: true), at: 0)
        script.did(.person(.terminate), at: 1)
        script.did(
            .push(RecordedPush(to: .start, payload: try JSONValue(parsing: payload("start", at: 10)))), at: 10)
        script.did(.launch(.background, activitiesEnabled: true, frequentPushesEnabled: true), at: 11)
        script.did(.listen(.cards(type: "Match")), at: 11)
        let replay = RecordingReplay(of: try script.read())
        #expect(replay.facts.map(\.fact).contains(.woken))
        #expect(replay.facts.map(\.launch) == [2, 2])
        #expect(replay.launches == [1, 1, 1, 2, 2])
    }

    @Test func `What a process would have seen after its last line is left out, where nobody saw it end`() throws {
        var script = started()
        script.did(.launch(.foreground, activitiesEnabled: true, frequentPushesEnabled: true), at: 60_000)
        #expect(try !facts(script).contains { $0.contains("ended") })
    }

    @Test func `A switch in Settings was moved when its sequence said so`() throws {
        var script = started()
        script.did(.listen(.activitiesEnabled), at: 2)
        script.saw(.activitiesEnabled(false), at: 9)
        script.did(.move(.background), at: 10)
        let facts = try facts(script)
        #expect(facts.contains { $0.hasPrefix("9 activitiesEnabled(false)") })
        #expect(facts.contains { $0.hasPrefix("9 phase") && $0.contains("dismissed") })
    }

    @Test func `Refusals are facts, too`() throws {
        var script = Script()
        script.did(.launch(.foreground, activitiesEnabled: false, frequentPushesEnabled: true), at: 0)
        script.did(.request(number: 1, request), at: 1)
        #expect(RecordingReplay(of: try script.read()).facts.map(\.fact) == [.refused(request: 1, error: "denied")])
    }

    @Test func `Other rules show other things`() throws {
        var script = started()
        script.did(try update(at: 8, score: "1-0"), at: 8)
        script.did(try update(at: 8, score: "2-0"), at: 9)
        var rules = PhoneRules()
        #expect(try !facts(script, under: rules).contains { $0.contains("2-0") })
        rules.appliesEqualTimestamp = true
        #expect(try facts(script, under: rules).contains { $0.contains("2-0") })
    }
}

import EyotContract
import Testing

@Suite("What phone and server say to each other")
struct DevicePlaneTests {
    static let card = Card(instance: "I-1", name: "final-2022", type: "MatchAttributes")

    /// One of every action, and every event.
    static let actions: [DeviceChange.Action] = {
        guard let token = PushToken(bytes: (0..<80).map { UInt8($0) }) else { return [] }
        return [
            .setStartToken(type: "MatchAttributes", token: token), .removeStartToken(type: "MatchAttributes"),
            .cardSeen(card), .setUpdateToken(card, token: token), .stopTracking(card),
            .running(type: "MatchAttributes", instances: []), .running(type: "M", instances: ["I-1", "I-2"]),
            .identify(user: "Zoë"), .identify(user: "Zoë", signature: IdentitySignature("a.b.c")), .logout,
            .profile(.init()), .profile(.init(tags: ["a", "b"], attributes: ["x": "y", "n": 2.5, "f": false])),
            .cardEvent(card, .contentApplied, digest: StateDigest(of: ["n": 1])),
            .permissions(.init(activities: true, frequentPushes: false)),
        ] + CardEvent.allCases.map { .cardEvent(card, $0) }
    }()

    @Test("a change survives the wire", arguments: actions)
    func changeSurvives(action: DeviceChange.Action) throws {
        let batch = DeviceChangeBatch(epoch: 3, changes: [.init(sequence: 7, action: action)])
        #expect(try DeviceChangeBatch(json: JSONValue(parsing: batch.json.utf8)) == batch)
    }

    @Test func `a batch may say what was confirmed`() throws {
        var batch = DeviceChangeBatch(epoch: 3, changes: [.init(sequence: 7, action: .logout)])
        #expect(batch.json.object?["confirmed"] == nil)
        batch.confirmed = 6
        #expect(batch.json.object?["confirmed"] == 6)
        #expect(try DeviceChangeBatch(json: JSONValue(parsing: batch.json.utf8)) == batch)
    }

    @Test(
        "the id of a history has 1 to 64 letters, digits and hyphens",
        arguments: [
            ("h", true), ("0d9A-z", true), (String(repeating: "a", count: 64), true), ("", false),
            (String(repeating: "a", count: 65), false), ("a b", false), ("é", false), ("a_b", false), ("a\n", false),
        ])
    func history(text: String, isOne: Bool) { #expect(DeviceLimits.isHistory(text) == isOne) }

    @Test func `the question for a channel and its answer survive the wire`() throws {
        let question = ChannelQuestion(name: "final-2022")
        #expect(try ChannelQuestion(json: JSONValue(parsing: question.json.utf8)) == question)
        let advice = ChannelAdvice(channel: "dHN0LXNyY2gtY2hubA==")
        #expect(try ChannelAdvice(json: JSONValue(parsing: advice.json.utf8)) == advice)
    }

    @Test func `the question about a card and its answer survive the wire`() throws {
        let question = CardQuestion(name: "final-2022", type: "MatchAttributes")
        #expect(try CardQuestion(json: JSONValue(parsing: question.json.utf8)) == question)
        var advice = CardAdvice(version: 3, contentState: ["n": 1])
        #expect(try CardAdvice(json: JSONValue(parsing: advice.json.utf8)) == advice)
        advice.attributes = ["home": "ARG"]
        advice.staleDate = 1_671_375_600
        advice.relevanceScore = 0.5
        #expect(try CardAdvice(json: JSONValue(parsing: advice.json.utf8)) == advice)
    }

    @Test func `a whole batch survives the wire in its order`() throws {
        let changes = Self.actions.enumerated().map { DeviceChange(sequence: 2 * $0.offset + 1, action: $0.element) }
        let batch = DeviceChangeBatch(epoch: 1, changes: changes)
        #expect(try DeviceChangeBatch(json: JSONValue(parsing: batch.json.utf8)) == batch)
    }

    static let longName = String(repeating: "n", count: 257)
    static let cardMembers = #""instance":"i","name":"n","type":"T""#

    @Test(
        "a bad change is refused by its place",
        arguments: [
            (#"[]"#, "the body must be an object, not an array"), (#"{"changes":[]}"#, "epoch is missing"),
            (#"{"epoch":1}"#, "changes is missing"), (#"{"epoch":"1","changes":[]}"#, "epoch must be a whole number"),
            (#"{"epoch":1,"changes":[],"x":1}"#, "x is not a field of this call"),
            (#"{"epoch":1,"changes":[],"confirmed":-1}"#, "confirmed must not be negative"),
            (#"{"epoch":1,"changes":[1]}"#, "changes[0] must be an object, not a number"),
            (change(#""kind":"sing""#), "changes[0].kind is not a kind of change"),
            (change(#""kind":"logout","user":"a""#), "changes[0].user is not a field of this call"),
            (change(#""kind":"identify""#), "changes[0].user is missing"),
            (change(#""kind":"identify","user":"""#), "changes[0].user must have 1 to 256 bytes and no NUL"),
            (
                change(#""kind":"identify","user":"\#(longName)""#),
                "changes[0].user must have 1 to 256 bytes and no NUL"
            ),
            (
                change(#""kind":"identify","user":"a","signature":"a b""#),
                "changes[0].signature must be a JWT of at most 8192 bytes"
            ),
            (change(#""kind":"profile","tags":[]"#), "changes[0].attributes is missing"),
            (change(#""kind":"profile","tags":["",1],"attributes":{}"#), "changes[0].tags[1] must be a string"),
            (change(#""kind":"profile","tags":[""],"attributes":{}"#), "changes[0].tags[0] must have 1 to 256 bytes"),
            (change(#""kind":"profile","tags":[],"attributes":{"":1}"#), "changes[0].attributes. must have 1 to 256"),
            (change(#""kind":"profile","tags":[],"attributes":{"a":{}}"#), "changes[0].attributes.a must be a number"),
            (
                change(#""kind":"cardEvent",\#(cardMembers),"event":"stale","digest":"00""#),
                "changes[0].digest must be 16 hexadecimal digits"
            ),
            (change(#""kind":"setStartToken","type":"T","token":"0""#), "changes[0].token must be 1 to 200 bytes"),
            (change(#""kind":"setStartToken","type":"T","token":null"#), "changes[0].token is missing"),
            (change(#""kind":"cardSeen","instance":"i","name":"n""#), "changes[0].type is missing"),
            (
                change(#""kind":"cardEvent",\#(cardMembers),"event":"eaten""#),
                "changes[0].event must be one of started, contentApplied"
            ),
            (change(#""kind":"running","type":"T","instances":[1]"#), "changes[0].instances[0] must be a string"),
            (
                change(#""kind":"running","type":"T","instances":["i",""]"#),
                "changes[0].instances[1] must have 1 to 256"
            ),
            (
                change(#""kind":"permissions","permissions":{"activities":true}"#),
                "changes[0].permissions.frequentPushes is missing"
            ),
            (
                change(#""kind":"permissions","permissions":{"activities":true,"frequentPushes":true,"x":1}"#),
                "changes[0].permissions.x is not a field"
            ),
        ])
    func refuses(text: String, words: String) throws {
        let body = try JSONValue(parsing: text)
        let error = #expect(throws: JSONFieldError.self) { try DeviceChangeBatch(json: body) }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    private static func change(_ members: String) -> String { #"{"epoch":1,"changes":[{"sequence":1,\#(members)}]}"# }

    @Test("sequences rise from 1", arguments: [[0], [-1], [1, 1], [2, 1]])
    func sequencesRise(sequences: [Int]) throws {
        let batch = DeviceChangeBatch(epoch: 1, changes: sequences.map { .init(sequence: $0, action: .logout) })
        #expect(
            throws: JSONFieldError(path: "changes[\(sequences.count - 1)].sequence", .invalid("must rise from 1"))
        ) { try DeviceChangeBatch(json: batch.json) }
    }

    @Test func `a batch and a report of what runs have limits`() throws {
        func batch(_ count: Int) -> DeviceChangeBatch {
            .init(epoch: 1, changes: (1...count).map { .init(sequence: $0, action: .logout) })
        }
        #expect(try DeviceChangeBatch(json: batch(100).json).changes.count == 100)
        #expect(throws: JSONFieldError.self) { try DeviceChangeBatch(json: batch(101).json) }
        func report(_ count: Int) -> DeviceChangeBatch {
            let action = DeviceChange.Action.running(type: "T", instances: (0..<count).map { "i\($0)" })
            return .init(epoch: 1, changes: [.init(sequence: 1, action: action)])
        }
        #expect(try DeviceChangeBatch(json: report(64).json).changes.count == 1)
        #expect(throws: JSONFieldError.self) { try DeviceChangeBatch(json: report(65).json) }
    }

    @Test("a registration survives the wire", arguments: [nil, "user-1"])
    func registrationSurvives(user: String?) throws {
        let registration = DeviceRegistration(
            installation: "6f1c", environment: .sandbox, bundleID: "com.example.match", osVersion: "18.1",
            appVersion: "1.0 (5)", sdkVersion: "0.1.0", permissions: .init(activities: true, frequentPushes: false),
            user: user, language: user.map { _ in "zh-Hant-TW" })
        #expect(try DeviceRegistration(json: JSONValue(parsing: registration.json.utf8)) == registration)
        guard case .object(var object) = registration.json else { return }
        object["environment"] = "staging"
        #expect(throws: JSONFieldError(path: "environment", .invalid("must be sandbox or production"))) {
            try DeviceRegistration(json: .object(object))
        }
        object["environment"] = "production"
        for language in ["", "de_DE", "de-", "toolongpart", String(repeating: "a-", count: 17) + "ab"] {
            object["language"] = .string(language)
            #expect(throws: JSONFieldError.self, "\(language)") { try DeviceRegistration(json: .object(object)) }
        }
        object["language"] = nil
        object["extra"] = 1
        #expect(throws: JSONFieldError(path: "extra", .unknown)) { try DeviceRegistration(json: .object(object)) }
    }

    @Test func `credentials and answers survive, and a newer server may say more`() throws {
        let credentials = DeviceCredentials(device: "d", secret: "s", epoch: 4)
        #expect(try DeviceCredentials(json: JSONValue(parsing: credentials.json.utf8)) == credentials)
        let refusal = IdentityRefusal(user: "anna", reason: "EXPIRED", number: 22)
        let refused = DeviceCredentials(device: "d", secret: "s", epoch: 4, identity: refusal)
        #expect(try DeviceCredentials(json: JSONValue(parsing: refused.json.utf8)) == refused)
        #expect(refused.json.text.contains(#""code":"identityRefused""#))
        let told = DeviceAnswer(applied: 1, cards: [], identity: refusal)
        #expect(try DeviceAnswer(json: JSONValue(parsing: told.json.utf8)) == told)
        let secret = DeviceCredentials(device: "d", secret: "hush", epoch: 4)
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] { #expect(!text.contains("hush")) }
        #expect(
            try DeviceCredentials(json: ["device": "d", "secret": "s", "epoch": 4, "region": "eu"]) == credentials)

        let shown = CardState(
            instance: "i", name: "n", version: 5, ends: false,
            contentState: try JSONValue(parsing: #"{"z":2.50,"a":1}"#), staleDate: 10, dismissalDate: nil,
            relevanceScore: 0.5, timestamp: 9)
        let ended = CardState(
            instance: "j", name: "n", version: 6, ends: true, contentState: nil, staleDate: nil, dismissalDate: 12,
            relevanceScore: .infinity, timestamp: 10)
        let answer = DeviceAnswer(applied: 7, cards: [shown, ended])
        let text = answer.json.text
        #expect(text.contains(#""contentState":{"z":2.50,"a":1}"#))
        let back = try DeviceAnswer(json: JSONValue(parsing: text))
        #expect(back.cards.first == shown)
        #expect(back.cards.last?.relevanceScore == nil)
        let newer = try JSONValue(parsing: #"{"applied":1,"cards":[],"hint":"later"}"#)
        #expect(try DeviceAnswer(json: newer) == DeviceAnswer(applied: 1, cards: []))
        #expect(throws: JSONFieldError(path: "cards[0].instance", .missing)) {
            try DeviceAnswer(json: ["applied": 1, "cards": [[:]]])
        }
    }
}

import EyotContract
import EyotDomain
import Testing

/// How many phones show the newest state: one number, wherever it is asked for.
@Suite("What is shown", .timeLimit(.minutes(10)))
struct ShownTests {
    private func event(_ sequence: Int, _ event: String, _ card: String, state: JSONValue? = nil) -> String {
        let digest = state.map { #","digest":"\#(StateDigest(of: $0).text)""# } ?? ""
        return #"{"sequence":\#(sequence),"kind":"cardEvent","event":"\#(event)","instance":"\#(card)","#
            + #""name":"final","type":"Match"\#(digest)}"#
    }

    /// Three phones with a card each, which all report the first state.
    private func phones(_ rig: Rig) async throws -> [String] {
        let names = ["ana", "bo", "cem"]
        var secrets: [String] = []
        for name in names { secrets.append(try await rig.phone(name, user: name).secret) }
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        for (name, secret) in zip(names, secrets) {
            #expect(try await rig.changes(secret, Rig.card(2, name, token: name)).status == 200)
            #expect(try await rig.changes(secret, event(3, "contentApplied", name, state: ["n": 1])).status == 200)
        }
        return secrets
    }

    /// The three numbers of the overview, the report and the list, which have to agree.
    private func expect(
        _ newest: Int, of reporting: Int, older: [Int], unknown: Int = 0, stale: Int = 0, _ rig: Rig,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let overview = try await rig.call(.get, "/v1/overview")
        let shown: JSONValue = [
            "newest": .integer(newest), "reporting": .integer(reporting), "stale": .integer(stale),
            "unknown": .integer(unknown),
        ]
        #expect(overview["activities", "0", "shown"] == shown, sourceLocation: place)
        #expect(overview["shown"] == shown, sourceLocation: place)
        let report = try await rig.call(.get, "/v1/activities/final/report")["shown"]?.object
        for (name, number) in [
            ("newest", newest), ("reporting", reporting), ("older", older.count), ("otherState", 0),
            ("unknown", unknown), ("stale", stale),
        ] {
            #expect(report?[name]?.integer == number, "\(name)", sourceLocation: place)
        }
        func ordinals(_ shown: String) async throws -> [Int] {
            let list = try await rig.call(.get, "/v1/activities/final/replicas?shown=\(shown)")["replicas"]?.array
            return (list ?? []).compactMap { $0.object?["ordinal"]?.integer }
        }
        #expect(try await ordinals("older") == older, sourceLocation: place)
        #expect(try await ordinals("newest").count == newest, sourceLocation: place)
        #expect(try await ordinals("unknown").count == unknown, sourceLocation: place)
        #expect(try await ordinals("stale").count == stale, sourceLocation: place)
    }

    @Test func `A card that a person has removed shows nothing, and one that is back shows what it showed`()
        async throws
    {
        try await Rig.run { rig in
            let secrets = try await phones(rig)
            try await expect(3, of: 3, older: [], rig)
            #expect(try await rig.changes(secrets[1], event(4, "dismissed", "bo")).status == 200)
            try await expect(2, of: 2, older: [], rig)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            #expect(
                try await rig.changes(secrets[0], event(4, "contentApplied", "ana", state: ["n": 2])).status == 200)
            try await expect(1, of: 2, older: [3], rig)
            let list = #"{"sequence":4,"kind":"running","type":"Match","instances":[]}"#
            #expect(try await rig.changes(secrets[2], list).status == 200)
            try await expect(1, of: 1, older: [], rig)
            #expect(try await rig.changes(secrets[2], Rig.card(5, "cem", token: "cem")).status == 200)
            try await expect(1, of: 2, older: [3], rig)
        }
    }

    @Test func `A card with a state that has passed its stale date is grey, until it shows another`() async throws {
        try await Rig.run { rig in
            let secrets = try await phones(rig)
            let brief = #"{"contentState":{"n":2},"staleAfter":60}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", brief).status == 202)
            for (secret, card) in zip(secrets, ["ana", "bo"]) {
                #expect(
                    try await rig.changes(secret, event(4, "contentApplied", card, state: ["n": 2])).status == 200)
            }
            rig.clock.advance(59)
            try await expect(2, of: 3, older: [3], rig)
            rig.clock.advance(1)
            try await expect(2, of: 3, older: [3], stale: 2, rig)
            let grey = try await rig.call(.get, "/v1/activities/final/replicas?shown=stale")["replicas", "0"]?.object
            #expect(grey?["shown"]?.object?["staleSince"]?.string == rig.clock.now.rfc3339)
            let last = #"{"contentState":{"n":3},"staleDate":null}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", last).status == 202)
            #expect(
                try await rig.changes(secrets[0], event(5, "contentApplied", "ana", state: ["n": 3])).status == 200)
            try await expect(1, of: 3, older: [2, 3], stale: 1, rig)
        }
    }

    @Test func `A card is compared with the newest state for it`() async throws {
        try await Rig.run { rig in
            let secrets = try await phones(rig)
            let own = #"{"contentState":{"n":7},"scope":{"user":"cem"}}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", own).status == 202)
            try await expect(2, of: 3, older: [3], rig)
            #expect(
                try await rig.changes(secrets[2], event(4, "contentApplied", "cem", state: ["n": 7])).status == 200)
            try await expect(3, of: 3, older: [], rig)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            try await expect(0, of: 3, older: [1, 2, 3], rig)
        }
    }

    @Test func `Of two states that say when they were true, the later truth is the newest`() async throws {
        try await Rig.run { rig in
            let secrets = try await phones(rig)
            let (earlier, later) = (rig.clock.now.rfc3339, (rig.clock.now + 60).rfc3339)
            rig.clock.advance(120)
            let own = #"{"contentState":{"n":7},"scope":{"user":"cem"},"asOf":"\#(later)"}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", own).status == 202)
            let all = #"{"contentState":{"n":8},"asOf":"\#(earlier)"}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", all).status == 202)
            try await expect(0, of: 3, older: [1, 2, 3], rig)
            for (secret, (card, state)) in zip(secrets, [("ana", 8), ("bo", 1), ("cem", 7)]) {
                let shown: JSONValue = ["n": .integer(state)]
                #expect(try await rig.changes(secret, event(4, "contentApplied", card, state: shown)).status == 200)
            }
            try await expect(2, of: 3, older: [2], rig)
        }
    }

    @Test func `A card in the share of a canary is compared with what is tried`() async throws {
        try await Rig.run { rig in
            let secrets = try await phones(rig)
            let trial = #"{"contentState":{"n":2},"canary":{"percent":34}}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", trial).status == 202)
            try await expect(1, of: 3, older: [1, 2], rig)
            #expect(
                try await rig.changes(secrets[1], event(4, "contentApplied", "bo", state: ["n": 2])).status == 200)
            try await expect(2, of: 3, older: [1], rig)
        }
    }

    @Test func `A phone that has said nothing is unknown, and no card with an old state`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("ana", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.changes(phone.secret, Rig.card(2, "ana", token: "ana")).status == 200)
            try await expect(0, of: 0, older: [], unknown: 1, rig)
        }
    }
}

import EyotCommands
import EyotContract
import Testing

/// Three builds of the app, each of which needs one member more, and calls that leave out those that cannot decode.
@Suite("Keeping declares nothing")
struct KeepingTests {
    private static let path = "/v1/activities/final/update"

    private static func schema(_ required: [String]) -> String {
        let names = required.map { "\"\($0)\"" }.joined(separator: ",")
        let members = ["n", "a", "b"].map { #""\#($0)":{"type":"integer"}"# }.joined(separator: ",")
        return #"{"attributes":{"type":"object"},"contentState":{"type":"object","#
            + #""properties":{\#(members)},"required":[\#(names)]}}"#
    }

    private static func update(_ members: String..., number: Int, more: String = "") -> String {
        let state = members.map { "\"\($0)\":\(number)" }.joined(separator: ",")
        return #"{"contentState":{\#(state)},"onSchemaMismatch":"leaveOut"\#(more)}"#
    }

    /// A phone with a card of the activity, and what it is answered.
    private final class Phone {
        let build: String
        private let rig: Rig
        private(set) var secret: String
        private var (epoch, sequence) = (1, 1)

        init(_ build: String, _ rig: Rig) async throws {
            (self.build, self.rig) = (build, rig)
            secret = try await rig.phone(build, user: build, build: build).secret
            _ = try await report(Rig.card(2, build, token: build))
        }

        private func report(_ change: String) async throws -> Reply {
            sequence += 1
            return try await rig.changes(secret, epoch: epoch, change)
        }

        /// The number in the state that the phone is answered; nil if it is answered no state.
        var number: Int? {
            get async throws {
                rig.clock.advance(1)
                let seen = #""kind":"cardSeen","instance":"\#(build)","name":"final","type":"Match""#
                let reply = try await report(#"{"sequence":\#(sequence + 1),\#(seen)}"#)
                #expect(reply.status == 200, "\(reply.text)")
                return reply["cards", "0", "contentState", "n"]?.integer
            }
        }

        func install(_ other: String) async throws {
            let reply = try await rig.call(
                .post, "/v1/device/register", Rig.registration(build, user: build, build: other), key: rig.match.app,
                headers: [DeviceHeader.secret: secret])
            #expect(reply.status < 300, "\(reply.text)")
            (epoch, sequence) = (epoch + 1, 0)
        }
    }

    /// Expects what the phones are answered, each with its number.
    private static func expect(_ numbers: [Int], on phones: Phone..., at place: SourceLocation = #_sourceLocation)
        async throws
    {
        var shown: [Int?] = []
        for phone in phones { try await shown.append(phone.number) }
        #expect(shown == numbers, sourceLocation: place)
    }

    private func withPhones(_ body: @Sendable (Rig, Phone, Phone, Phone) async throws -> Void) async throws {
        try await Rig.run { rig in
            let first = try await Phone("1.0 (1)", rig)
            let second = try await Phone("2.0 (2)", rig)
            let third = try await Phone("3.0 (3)", rig)
            let builds = [("1.0 (1)", ["n"]), ("2.0 (2)", ["n", "a"]), ("3.0 (3)", ["n", "a", "b"])]
            for (build, required) in builds {
                let body = #"{"schema":\#(Self.schema(required)),"builds":["\#(build)"]}"#
                #expect(try await rig.call(.put, "/v1/types/Match/schemas", body).status == 200)
            }
            #expect(try await rig.call(.post, Self.path, Self.update("n", "a", "b", number: 1)).status == 202)
            try await body(rig, first, second, third)
        }
    }

    @Test func `Each card keeps the newest state that its build decodes, and none goes back`() async throws {
        try await withPhones { rig, first, second, third in
            let two = try await rig.call(.post, Self.path, Self.update("n", "a", number: 2))
            #expect(two["skipped", "schemaMismatch"]?.integer == 1)
            try await Self.expect([2, 2, 1], on: first, second, third)
            let three = try await rig.call(.post, Self.path, Self.update("n", number: 3))
            #expect(three["skipped", "schemaMismatch"]?.integer == 2)
            #expect(three["version"]?.integer == 3, "keeping makes no version of its own")
            try await Self.expect([3, 2, 1], on: first, second, third)
            // The newest state that a build decodes reaches it again.
            #expect(try await rig.call(.post, Self.path, Self.update("n", "a", number: 4)).status == 202)
            try await Self.expect([4, 4, 1], on: first, second, third)
        }
    }

    @Test func `A phone gets the newest state when another build of the app is installed that decodes it`()
        async throws
    {
        try await withPhones { rig, first, second, third in
            _ = try await rig.call(.post, Self.path, Self.update("n", number: 2))
            try await Self.expect([1, 1], on: second, third)
            try await third.install("2.0 (2)")
            try await Self.expect([1], on: third)
            try await third.install("1.0 (1)")
            try await Self.expect([2], on: third)
            try await Self.expect([2, 1], on: first, second)
        }
    }

    @Test func `A card with a state of its own keeps it when its build is left out of a state for everyone`()
        async throws
    {
        try await withPhones { rig, first, second, _ in
            let own = #"{"contentState":{"n":7,"a":7},"scope":{"user":"2.0 (2)"}}"#
            #expect(try await rig.call(.post, Self.path, own).status == 202)
            #expect(try await rig.call(.post, Self.path, Self.update("n", number: 2)).status == 202)
            try await Self.expect([2, 7], on: first, second)
            let next = #"{"contentState":{"n":8,"a":8},"scope":{"user":"2.0 (2)"}}"#
            #expect(try await rig.call(.post, Self.path, next).status == 202)
            try await Self.expect([8], on: second)
        }
    }

    @Test func `A former person's state is not kept for the next one`() async throws {
        try await withPhones { rig, _, second, _ in
            let own = #"{"contentState":{"n":7,"a":7},"scope":{"user":"2.0 (2)"}}"#
            #expect(try await rig.call(.post, Self.path, own).status == 202)
            #expect(try await rig.call(.post, Self.path, Self.update("n", number: 2)).status == 202)
            try await Self.expect([7], on: second)
            let reply = try await rig.changes(second.secret, #"{"sequence":50,"kind":"identify","user":"next"}"#)
            #expect(reply.status == 200, "\(reply.text)")
            let seen = #"{"sequence":51,"kind":"cardSeen","instance":"2.0 (2)","name":"final","type":"Match"}"#
            let answer = try await rig.changes(second.secret, seen)
            #expect(answer["cards", "0", "contentState", "n"]?.integer != 7, "\(answer.text)")
        }
    }

    @Test func `A build that decodes no declared state leaves the card to its app`() async throws {
        try await Rig.run { rig in
            let phone = try await Phone("3.0 (3)", rig)
            let body = #"{"schema":\#(Self.schema(["n", "a", "b"])),"builds":[]}"#
            #expect(try await rig.call(.put, "/v1/types/Match/schemas", body).status == 200)
            let reply = try await rig.call(.post, Self.path, Self.update("n", number: 2))
            #expect((reply.status, reply["skipped", "schemaMismatch"]?.integer) == (202, 1))
            let number = try await phone.number
            #expect(number == nil)
            #expect(try await rig.call(.post, Self.path, Self.update("n", "a", "b", number: 3)).status == 202)
            let later = try await phone.number
            #expect(later == 3)
        }
    }
}

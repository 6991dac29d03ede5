import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

/// The provider token that all nodes on a store use.
@Suite("Shared provider tokens")
struct AgreeOnTokenTests {
    private let store = MemoryStore()
    private let sealer = Sealer(MasterKey.make())
    private let now = Instant(second: 1_700_000_000)

    /// Asks for a token as a node does that would sign `new`.
    private func agree(
        on new: String, for key: String = "key", after seconds: Double = 0, by sealer: Sealer? = nil,
        unless rejected: String? = nil
    ) async throws -> String {
        let (now, sealer) = (now + seconds, sealer ?? self.sealer)
        return try await store.write { ledger in
            try AgreeOnToken(Transaction(ledger, at: now))(of: key, sealer: sealer) { token in
                token.text.text != rejected && now.seconds(since: token.issuedAt) < 3_000
            } sign: {
                .init(text: Secret(new), second: now.second)
            }
        }.text.text
    }

    @Test func `All nodes use what the first one has signed, until it is old`() async throws {
        #expect(try await agree(on: "one") == "one")
        #expect(try await agree(on: "two", after: 2_999) == "one")
        #expect(try await agree(on: "three", after: 3_000) == "three")
        #expect(try await agree(on: "four", after: 3_001) == "three")
    }

    @Test func `Each key has a token of its own, and those that Apple refuses for their age are removed`() async throws
    {
        #expect(try await agree(on: "one") == "one")
        #expect(try await agree(on: "two", for: "other") == "two")
        #expect(try await agree(on: "three", after: 3_601) == "three")
        #expect(try await store.read { try $0.sharedToken(of: "other") } == nil)
    }

    @Test func `A token that Apple called expired is replaced for all`() async throws {
        #expect(try await agree(on: "one") == "one")
        #expect(try await agree(on: "two", unless: "one") == "two")
        #expect(try await agree(on: "three", unless: "one") == "two")
    }

    @Test func `A token is sealed, and one that does not open is replaced`() async throws {
        #expect(try await agree(on: "one") == "one")
        let stored = try #require(try await store.read { try $0.sharedToken(of: "key") })
        #expect(!String(decoding: stored.sealed.box, as: UTF8.self).contains("one"))
        #expect(try await agree(on: "two", by: Sealer(MasterKey.make())) == "two")
        // A token of another key opens nowhere else.
        let other = SharedToken(fingerprint: "other", issuedAt: now, sealed: stored.sealed)
        try await store.write { try $0.put(other) }
        #expect(try await agree(on: "three", for: "other") == "three")
    }
}

import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Synchronization
import Testing

@Suite("An activity that begins anew while it is found whom a call concerns")
struct MembersOutdatedTests {
    /// A store that lets another write go first, for a given number of writes.
    private final class MeddlingStore: WrappedStore {
        let base: MemoryStore
        private let left = Mutex(0)

        init(_ base: MemoryStore) { self.base = base }

        func meddle(times: Int) { left.withLock { $0 = times } }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any Ledger) throws -> Result
        ) async throws -> Result {
            let isNext = left.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if isNext { try await base.write(MembersOutdatedTests.beginAnew) }
            return try await base.write(body)
        }
    }

    /// The card of every generation is ended, and the next one begins.
    private static func beginAnew(_ ledger: any Ledger) throws {
        guard let app = try ledger.app(bundleID: "org.example.match")?.id else { return }
        let declare = Declare(Transaction(ledger, at: Rig.start), app: app)
        _ = try declare(DeclarationRequest(verb: .end, name: "final", content: Content()))
        var put = DeclarationRequest(verb: .put, name: "final", content: Content(state: ["n": 1]))
        put.content.startAlert = AlertText(["title": "Kick-off", "body": "b"])
        (put.type, put.attributes, put.audience) = ("Match", [:], .all)
        _ = try declare(put)
    }

    /// Runs a call with a phone that has a card. The given number of other writes go before those of the call.
    private func call(meddling times: Int, _ test: @escaping @Sendable (Reply) throws -> Void) async throws {
        try await Rig.run(over: MeddlingStore.init) { rig, store in
            try await rig.phone("one", user: "fan")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            store.meddle(times: times)
            try test(
                try await rig.call(
                    .post, "/v1/activities/final/update", #"{"contentState":{"n":2},"scope":{"user":"fan"}}"#))
        }
    }

    @Test func `The call is about the new one, and whom it concerns is found again`() async throws {
        try await call(meddling: 2) { reply in
            #expect(reply.status == 202, "\(reply.text)")
            #expect(reply["generation"]?.integer == 3)
            #expect(reply["members"]?.integer == 1)
        }
    }

    @Test func `Where that does not end the call is refused, and may come again`() async throws {
        try await call(meddling: 3) { reply in
            #expect(reply.status == 503)
            #expect(reply.code == "unavailable")
        }
    }
}

import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotTestKit
import Synchronization
import Testing

@testable import EyotPanel

/// What tests of pages need to stand in the store.
extension PanelRig {
    /// A visit of a member, for parts of pages without a route.
    func visit(as member: String = "ana") async throws -> Visit {
        _ = try await get(Self.probe, as: member)
        return try #require(visits.last)
    }

    /// Stores phones with start tokens of the type `MatchAttributes`.
    func addPhones(_ count: Int) async throws {
        let now = clock.now
        try await store.write { ledger in
            for number in 0..<count {
                let device = try ledger.insert(
                    NewDevice.phone("phone-\(number)", in: AppID(rawValue: 1), user: nil, at: now))
                let hex = String(number + 1, radix: 16)
                let token = try #require(PushToken(hex: String(repeating: "0", count: 64 - hex.count) + hex))
                try ledger.put(
                    StartToken(
                        device: device.id, type: "MatchAttributes", token: token, environment: .sandbox, setAt: now),
                    in: AppID(rawValue: 1))
            }
        }
    }

    /// Starts an activity of the type `MatchAttributes` as `ana`.
    func start(
        _ name: String, state: JSONValue, _ attributes: JSONValue = ["home": "A"], phones: Int = 0
    ) async throws {
        if phones > 0 { try await addPhones(phones) }
        let body: JSONValue = [
            "type": "MatchAttributes", "attributes": attributes, "contentState": state,
            "alert": ["title": "t", "body": "b"], "audience": "all",
        ]
        _ = try await visit(as: "ana").ask(LocalCall(.post, ActivityPath(name).call + "/start", json: body))
        let now = clock.now
        try await store.write { ledger in
            // What the start's call does not reach itself.
            while let list = try ledger.memberLists(after: 0, limit: 1).first {
                try ProcessMembers(Transaction(ledger, at: now))(list.id)
            }
        }
    }

    func declare(_ name: String, _ state: JSONValue) async throws {
        _ = try await visit(as: "ana").ask(
            LocalCall(.post, ActivityPath(name).call + "/update", json: ["contentState": state]))
    }
}

/// The visits that a page of the tests has had.
final class Visits: Sendable {
    private let newest = Mutex<Visit?>(nil)

    var last: Visit? { newest.withLock { $0 } }

    func note(_ visit: Visit) { newest.withLock { $0 = visit } }
}

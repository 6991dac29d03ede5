import EyotContract
import EyotDomain
import Foundation
import HTTPTypes
import Testing

/// Calls of a vendor's API with a key for it.
struct VendorCaller: Sendable {
    let rig: Rig
    let secret: String
    /// What goes beside the secret, where there is such.
    let identifier: String

    func headers(_ plane: KeyPlane) -> [String: String] {
        switch plane {
        case .netmera: ["X-netmera-api-key": secret]
        case .insider: ["X-Api-Key": secret]
        case .airship:
            [
                "X-UA-Appkey": identifier, "Authorization": "Bearer \(secret)",
                "Accept": "application/vnd.urbanairship+json; version=3;",
            ]
        default: ["Authorization": "Bearer \(secret)"]
        }
    }
}

extension Rig {
    /// Makes a key for a vendor's API.
    func caller(of plane: KeyPlane) async throws -> VendorCaller {
        let reply = try await call(.post, "/v1/keys", #"{"name":"vendor","plane":"\#(plane.rawValue)"}"#)
        return VendorCaller(
            rig: self, secret: try #require(reply["key"]?.string, "\(reply.text)"),
            identifier: reply["identifier"]?.string ?? "")
    }

    /// Makes a vendor's call.
    func post(
        _ path: String, _ body: String, by caller: VendorCaller, of plane: KeyPlane,
        headers: [String: String] = [:]
    ) async throws -> Reply {
        try await call(
            .post, path, body, key: nil, headers: caller.headers(plane).merging(headers) { $1 })
    }

    /// The newest state that was declared for everyone under a name, and the scopes and ends since.
    func declared(_ name: String, back: Int = 0) async throws -> Declaration? {
        try await store.read { ledger in
            guard let app = try ledger.app(bundleID: "org.example.match"),
                let activity = try ledger.newestActivity(named: name, in: app.id)
            else { return nil }
            return try ledger.declaration(activity.version - back, of: activity.id)
        }
    }

    /// Lets Apple take every start that is kept.
    func leaveAllStarts() async throws {
        let now = clock.now
        try await store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            for activity in try ledger.newestActivities(in: app.id, after: "", limit: 100) {
                for var replica in try ledger.replicas(of: activity.id, after: 0, limit: 100)
                where replica.phase == .starting && replica.lease?.sentAt == nil {
                    replica.lease?.sentAt = now
                    replica.lease?.state = .accepted
                    try ledger.update(replica)
                }
            }
        }
    }

    /// The names of the app's activities, those without one too.
    func activityNames() async throws -> [String] {
        try await call(.get, "/v1/activities")["activities"]?.array?.compactMap { $0.object?["name"]?.string } ?? []
    }

    /// What the control plane says of an activity.
    func activity(_ name: String) async throws -> Reply { try await call(.get, "/v1/activities/\(name)") }
}

enum Base64 {
    static func text(of text: String) -> String { Data(text.utf8).base64EncodedString() }
}

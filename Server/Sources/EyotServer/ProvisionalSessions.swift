import EyotCommands
import EyotDomain
import EyotHTTP
import EyotPanel

/// Takes every caller for an owner, until members exist.
struct ProvisionalSessions: PanelSessions {
    let store: any Store

    func find(in call: Call) async throws -> SignedIn? {
        try await store.read { ledger in
            guard let key = try ledger.apiKeys(of: nil).first else { return nil }
            return SignedIn(
                name: "ana", seats: try ledger.apps().map { .init(app: $0, key: key, role: "owner") }, isOwner: true,
                formToken: "provisional")
        }
    }
}

import APNSSender
import APNSWire
import EyotContract
import EyotDomain

/// The sender as the engine's port.
package struct SenderPusher: Pusher {
    let sender: APNSSender
    /// Nil for a process without other nodes, which signs its own tokens.
    private let agreement: TokenAgreement?

    package init(sender: APNSSender) { self.init(sender: sender, agreement: nil) }

    init(sender: APNSSender, agreement: TokenAgreement?) { (self.sender, self.agreement) = (sender, agreement) }

    package func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        do {
            return await sender.send(page, key: try await prepared(key), early: early)
        } catch {
            // The key was checked when it was declared. If it does not work now, it counts as refused by Apple.
            return PageVerdicts(count: page.count, .refused(.invalidProviderToken))
        }
    }

    /// The key of credentials, with a token that all nodes use.
    func prepared(_ credentials: PushCredentials) async throws(ProviderKeyError) -> ProviderKey {
        let key = try ProviderKey(
            teamID: credentials.teamID, keyID: credentials.keyID, p8: credentials.privateKey.text.utf8)
        await agreement?.prepare(key)
        return key
    }
}

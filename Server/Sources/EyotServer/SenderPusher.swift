import APNSSender
import APNSWire
import EyotContract
import EyotDomain

/// The sender as the engine's port.
package struct SenderPusher: Pusher {
    private let sender: APNSSender

    package init(sender: APNSSender) { self.sender = sender }

    package func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        do {
            let key = try ProviderKey(teamID: key.teamID, keyID: key.keyID, p8: key.privateKey.text.utf8)
            return await sender.send(page, key: key, early: early)
        } catch {
            // The key was checked when it was declared. If it does not work now, it counts as refused by Apple.
            return PageVerdicts(count: page.count, .refused(.invalidProviderToken))
        }
    }
}

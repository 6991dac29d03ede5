import EyotContract
import Foundation

/// The follower of the push-to-start token for one type. Apple's token is the same for all types of an app. It shows
/// the server which types it can start on the phone.
@available(iOS 17.2, *)
struct StartTokenFollower<Attributes: ActivityAttributes & SendableMetatype>: Sendable {
    let type: String
    let ledger: InstallationLedger

    /// Follows until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            await Activity<Attributes>.pushToStartTokenUpdates.listen {
                group.addTask { await offerEveryDay() }
                group.addTask { await missToken() }
            } then: {
                await seen($0)
            }
            await group.waitForAll()
        }
    }

    /// Reads the current token once.
    func offer() async {
        if let token = Activity<Attributes>.pushToStartToken { await seen(token) }
    }

    /// Reads the current token at once, and again when an old confirmation has expired. The sequence alone is not
    /// enough, because it has been seen to stay silent for weeks.
    private func offerEveryDay() async {
        repeat {
            await offer()
            try? await ledger.clock.sleep(seconds: StartTokenRecord.lookInterval)
        } while !Task.isCancelled
    }

    /// Reports a token that has not come for a long time.
    private func missToken() async {
        if await ledger.clock.hasPassed(seconds: TokenAbsence.patience) {
            await ledger.checkStartToken(of: type)
        }
    }

    private func seen(_ data: Data) async {
        guard let token = PushToken(bytes: data) else { return }
        await ledger.startTokenSeen(type: type, token)
    }
}

import EyotContract
import Foundation

/// Follows one card from now until it is over: its token, its content, its phase, and what it is told to do.
///
/// An `Activity` is not Sendable, so none is handed from task to task: each of these tasks looks the card up by its id and
/// keeps what it found to itself.
@available(iOS 16.2, *)
struct CardFollower<Attributes: ActivityAttributes & SendableMetatype>: Sendable {
    let instance: String
    let name: String
    let type: String
    let ledger: DeviceLedger
    let capabilities: Capabilities

    func run(obeying commands: AsyncStream<CardCommand>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await followToken() }
            group.addTask { await followContent() }
            group.addTask { await followPhase() }
            group.addTask { await obey(commands) }
            // Token and content may run dry while the card lives on; phase and commands end only with it.
            await group.next()
            group.cancelAll()
        }
        await ledger.stoppedFollowing(instance)
    }
}

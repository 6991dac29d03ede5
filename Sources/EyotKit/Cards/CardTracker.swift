import EyotContract
import Foundation

/// A tracker that finds the cards of one type and has each of them followed.
@available(iOS 16.2, *)
struct CardTracker<Attributes: ActivityAttributes & SendableMetatype>: Sendable {
    let type: String
    let naming: CardNaming<Attributes>
    /// Seconds before a card without a name is reported; 0 for at once.
    let patience: Double
    let ledger: InstallationLedger
    let capabilities: Capabilities
    /// The app's preparation for a card that appeared; nil for none.
    let prepare: (@Sendable (AppearedCard) async -> Void)?
    /// Starts work that runs beside everything else.
    let beginWork: @Sendable (@escaping @Sendable () async -> Void) -> Void

    /// Follows every card that runs. A second call looks again.
    ///
    /// - Parameter before: the cards that existed when the app made the call.
    /// - Returns: the cards that run; nil if another task already waits for new ones.
    func followRunning(_ before: Set<String>) async -> Set<String>? {
        await ledger.willResume(type, before: before) { Activity<Attributes>.running.map(\.id) }
        let running = await followRunning { _ in true }
        return await ledger.beginResuming(type) ? running : nil
    }

    /// Follows the running cards that an earlier launch followed.
    func followKnown() async { _ = await followRunning { await ledger.knownName(of: $0) != nil } }

    private func followRunning(where isWanted: (String) async -> Bool) async -> Set<String> {
        let running = Activity<Attributes>.running
        let instances = running.map(\.id)
        await ledger.reportRunning(type: type, instances: instances)
        // Oldest first, so that of two cards with one name the newer stays.
        for instance in await ledger.oldestFirst(instances) where await isWanted(instance) {
            guard let activity = running.first(where: { $0.id == instance }) else { continue }
            await follow(activity, name: nil)
        }
        return Set(instances)
    }

    /// Follows every card that appears, until the task is cancelled.
    ///
    /// - Parameter former: cards that were already looked at. Cards that came since then are followed first.
    func followNew(besides former: Set<String>) async {
        await Activity<Attributes>.activityUpdates.listen {
            for activity in Activity<Attributes>.running where !former.contains(activity.id) {
                await followIfResumed(activity)
            }
        } then: {
            await followIfResumed($0)
        }
    }

    private func followIfResumed(_ activity: Activity<Attributes>) async {
        guard activity.isRunning, await ledger.isResumed(type) else { return }
        await follow(activity, name: nil)
    }

    /// Follows one card that the app named, if it still runs.
    func follow(instance: String, name: String?) async {
        guard let activity = Activity<Attributes>.running(instance) else { return }
        await follow(activity, name: name, isWanted: true)
    }

    private func follow(_ activity: Activity<Attributes>, name given: String?, isWanted: Bool = false) async {
        let instance = activity.id
        let known = await ledger.knownName(of: instance)
        guard let name = given ?? known ?? naming.name(of: activity.attributes) else {
            return await missName(of: instance)
        }
        // Read before the server gets a token, so that no push can come in between.
        let shown = CardFollower<Attributes>.digest(of: activity.content.state)
        let lead = await ledger.follow(
            instance: instance, name: name, type: type, isWanted: isWanted, isPrepared: prepare != nil, shown: shown)
        guard let lead else { return }
        let follower = CardFollower<Attributes>(
            instance: instance, name: name, type: type, naming: naming, ledger: ledger, capabilities: capabilities,
            prepare: prepare)
        beginWork { await follower.run(lead) }
    }

    /// Reports a card without a name. If the app may still name it, the report waits for `patience`.
    private func missName(of instance: String) async {
        guard patience > 0 else { return await ledger.report(.nameMissing(type: type, instance: instance)) }
        beginWork {
            guard await ledger.clock.hasPassed(seconds: patience) else { return }
            let isThere = Activity<Attributes>.running(instance) != nil
            if isThere, await ledger.knownName(of: instance) == nil {
                await ledger.report(.nameMissing(type: type, instance: instance))
            }
        }
    }
}

@available(iOS 16.2, *)
extension Activity {
    /// Returns the card with this id if it still accepts changes.
    package static func running(_ id: String) -> Activity? {
        activities.first { $0.id == id && $0.isRunning }
    }

    /// The cards of the type that still accept changes.
    package static var running: [Activity] { activities.filter(\.isRunning) }

    /// Whether the card still accepts changes.
    package var isRunning: Bool { CardStage(activityState)?.isRunning ?? false }
}

@available(iOS 16.2, *)
extension CardStage {
    /// Nil for a state that this version of the SDK does not know.
    package init?(_ state: ActivityState) {
        switch state {
        case .active: self = .active
        case .stale: self = .stale
        case .ended: self = .ended
        case .dismissed: self = .dismissed
        default:
            guard #available(iOS 26.0, *), state == .pending else { return nil }
            self = .pending
        }
    }
}

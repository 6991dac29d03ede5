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
    /// How the cards of the type come by their names.
    let naming: CardNaming<Attributes>
    let ledger: DeviceLedger
    let capabilities: Capabilities
    /// What the app does for a card that appeared, where it does anything.
    let prepare: (@Sendable (AppearedCard) async -> Void)?

    func run(_ lead: Lead) async {
        // Before the server hears of a token, so that no push comes in between.
        let shown = Activity<Attributes>.running(instance).flatMap { Self.digest(of: $0.content.state) }
        await withTaskGroup(of: IsOver.self) { group in
            group.addTask {
                await followToken()
                return false
            }
            group.addTask {
                await missToken(lead.origin)
                return false
            }
            if lead.awaitsToken {
                group.addTask {
                    await awaitToken()
                    return false
                }
            }
            group.addTask {
                await followContent(from: shown)
                return false
            }
            if !lead.isPrepared {
                group.addTask {
                    await prepareCard()
                    return false
                }
            }
            group.addTask {
                await followStage()
                return true
            }
            group.addTask {
                await obey(lead.commands)
                return true
            }
            // Token and content may run dry while the card lives on; its stages and our commands end with it.
            for await isOver in group where isOver { break }
            group.cancelAll()
        }
        await ledger.stoppedFollowing(instance, number: lead.number)
    }

    private typealias IsOver = Bool

    /// Reads the token that is there and follows the later ones.
    private func followToken() async {
        guard let activity = Activity<Attributes>.running(instance) else { return }
        // Both: a slow launch in the background can miss what the sequence yields. And listening first, since a token that came
        // between the two would be nobody's.
        await activity.pushTokenUpdates.listen {
            if let token = activity.pushToken { await tokenSeen(token) }
        } then: {
            await tokenSeen($0)
        }
    }

    private func tokenSeen(_ data: Data) async {
        guard let token = PushToken(bytes: data) else { return }
        await ledger.tokenSeen(instance, token)
    }

    /// Keeps the app awake until the server has the card's first token. The system wakes an app for a token too, and
    /// developers report that it does not always.
    private func awaitToken() async {
        await ProcessInfo.processInfo.holdAwake(for: "Eyot waits for a card's token") {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await status in ledger.statusUpdates(ofInstance: instance) where status != .pending { return }
                }
                group.addTask { _ = await ledger.clock.hasPassed(seconds: TokenAbsence.wakefulness) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Says so where no token comes for long.
    private func missToken(_ origin: CardOrigin) async {
        if await ledger.clock.hasPassed(seconds: TokenAbsence.patience) {
            await ledger.checkToken(of: instance, origin: origin)
        }
    }

    /// Reports every state that is not the one before. By whom it was changed cannot be told from here.
    private func followContent(from first: StateDigest?) async {
        guard let activity = Activity<Attributes>.running(instance) else { return }
        var shown = first
        for await content in activity.contentUpdates {
            let digest = Self.digest(of: content.state)
            guard digest != shown else { continue }
            shown = digest
            await ledger.contentChanged(instance, to: digest)
        }
    }

    /// Nil for a state that does not encode; ActivityKit would not have taken one.
    private static func digest(of state: Attributes.ContentState) -> StateDigest? {
        guard let data = try? JSONEncoder().encode(state), let json = try? JSONValue(parsing: data) else { return nil }
        return StateDigest(of: json)
    }

    /// Lets the app prepare for a card that appeared, as long as the system has patience.
    private func prepareCard() async {
        guard let prepare, let activity = Activity<Attributes>.running(instance),
            let attributes = try? JSONEncoder().encode(activity.attributes),
            let state = try? JSONEncoder().encode(activity.content.state)
        else { return }
        let card = AppearedCard(
            card: Card(instance: instance, name: name, type: type), attributes: attributes, state: state)
        await ProcessInfo.processInfo.holdAwake(for: "Eyot prepares a card") { await prepare(card) }
        if !Task.isCancelled { await ledger.prepared(instance) }
    }

    /// Returns when the card is over.
    private func followStage() async {
        guard let activity = Activity<Attributes>.running(instance) else {
            // It went between being found and being followed, and nobody can say why.
            return await reportGone()
        }
        var last: CardStage?
        for await state in activity.activityStateUpdates {
            guard let stage = CardStage(state), stage != last else { continue }
            last = stage
            let isGone = stage == .ended ? await goesAtOnce() : false
            if stage == .active || stage == .stale { await takeEndedAway() }
            let staleDate = stage == .stale ? activity.content.staleDate : nil
            guard await ledger.stageChanged(instance, stage, isGone: isGone, staleDate: staleDate) else { return }
        }
    }

    /// Whether the card, which has ended, goes from view in the same moment. An ended card is in no hurry otherwise, so there
    /// is time to look.
    private func goesAtOnce() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await goes() }
            group.addTask {
                // Cancelled or over: either way it has not gone in time.
                try? await ledger.clock.sleep(seconds: CardStage.moment)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Waits until the card goes from view. False where the waiting ends before.
    private func goes() async -> Bool {
        guard let activity = Activity<Attributes>.activities.first(where: { $0.id == instance }) else { return true }
        for await state in activity.activityStateUpdates where CardStage(state) == .dismissed { return true }
        return false
    }

    private func reportGone() async {
        let running = Activity<Attributes>.running
        await ledger.reportRunning(type: type, instances: running.map(\.id), gone: instance)
    }
}

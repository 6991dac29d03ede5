import EyotContract
import Foundation

/// The follower of one card until it is over. It follows the card's token, content and stage, and carries out commands.
///
/// An `Activity` is not Sendable, so tasks do not share one. Each task looks the card up by its id and keeps the result
/// to itself.
@available(iOS 16.2, *)
struct CardFollower<Attributes: ActivityAttributes & SendableMetatype>: Sendable {
    let instance: String
    let name: String
    let type: String
    /// The rule by which the cards of the type get their names.
    let naming: CardNaming<Attributes>
    let ledger: InstallationLedger
    let capabilities: Capabilities
    /// The app's preparation for a card that appeared; nil for none.
    let prepare: (@Sendable (AppearedCard) async -> Void)?

    func run(_ lead: Lead) async {
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
                await followContent(from: lead.shown)
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
            // Token and content may end while the card lives on. Its stages and the commands end with it.
            for await isOver in group where isOver { break }
            group.cancelAll()
        }
        await ledger.stoppedFollowing(instance, number: lead.number)
    }

    private typealias IsOver = Bool

    /// Reads the present token and follows later ones.
    private func followToken() async {
        guard let activity = Activity<Attributes>.running(instance) else { return }
        // Reads both, because a slow launch in the background can miss elements of the sequence. Listening begins
        // first, so that a token in between is not lost.
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

    /// Keeps the app awake until the server has the card's first token. The system also wakes an app for a token, but
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

    /// Reports a token that has not come for a long time.
    private func missToken(_ origin: CardOrigin) async {
        if await ledger.clock.hasPassed(seconds: TokenAbsence.patience) {
            await ledger.checkToken(of: instance, origin: origin)
        }
    }

    /// Reports each state that differs from the one before. The SDK cannot tell what changed it.
    private func followContent(from first: StateDigest?) async {
        guard let activity = Activity<Attributes>.running(instance) else { return }
        var shown = first
        for await content in activity.contentUpdates {
            let digest = Self.digest(of: content.state)
            guard digest != shown else { continue }
            shown = digest
            if activity.isRunning { ledger.forgetAnnouncedChange(of: instance) }
            await ledger.contentChanged(instance, to: digest)
        }
    }

    /// Returns the digest of a state; nil if it does not encode. ActivityKit would not have accepted such a state.
    static func digest(of state: Attributes.ContentState) -> StateDigest? {
        guard let data = try? JSONEncoder().encode(state), let json = try? JSONValue(parsing: data) else { return nil }
        return StateDigest(of: json)
    }

    /// Lets the app prepare for a card that appeared, for as long as the system allows.
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

    /// Follows the card's stages until it is over.
    private func followStage() async {
        guard let activity = Activity<Attributes>.running(instance) else {
            // The card disappeared before it could be followed. The reason is unknown.
            return await reportGone()
        }
        var last: CardStage?
        for await state in activity.activityStateUpdates {
            guard let stage = CardStage(state), stage != last else { continue }
            last = stage
            let isGone = stage == .ended ? await goesAtOnce() : false
            if stage == .active || stage == .stale { await takeEndedAway() }
            let staleDate = stage == .stale ? activity.content.staleDate : nil
            let isFollowed = await ledger.stageChanged(
                instance, stage, isGone: isGone, staleDate: staleDate, permissions: .current)
            guard isFollowed else { return }
        }
    }

    /// Whether an ended card leaves the screen in the same moment. Other ended cards stay, so there is time to look.
    private func goesAtOnce() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await goes() }
            group.addTask {
                // Cancelled or over: in both cases the card did not disappear in time.
                try? await ledger.clock.sleep(seconds: CardStage.moment)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Waits until the card leaves the screen. Returns false if its stages end before that.
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

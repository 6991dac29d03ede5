import APNSWire
import EyotContract
import EyotDomain

/// The explanation of what one phone shows of an activity, or why a card could not be started on it. It only reads.
///
/// The first cause that applies is the finding: what the person or the phone has decided, then what keeps the card from
/// being pushed to, then what became of the pushes.
package struct Diagnose: UseCase {
    package let transaction: Transaction
    let app: App
    let device: Device
    private let pushing: PushingStatus

    package init(_ transaction: Transaction, of device: Device, in app: App, pushing: PushingStatus) {
        self.transaction = transaction
        self.device = device
        self.app = app
        self.pushing = pushing
    }

    /// - Parameter activity: The newest generation of the name that is asked about; nil asks about the phone alone.
    package func callAsFunction(_ activity: Activity?) throws -> Finding {
        guard let activity else { return try withoutActivity() }
        let places = try ledger.replicas(of: device.id, named: activity.name, in: app.id)
            .filter { $0.activity == activity.id }
        guard let card = Self.speaking(places) else { return try withoutCard(in: activity) }
        return try CardDiagnosis(self, card, in: activity)()
    }

    /// The place that says most of what the phone shows: a running card, or the newest place.
    private static func speaking(_ places: [Replica]) -> Replica? {
        let newestFirst = places.sorted { $0.ordinal > $1.ordinal }
        return newestFirst.first { $0.isRunning && $0.ending != .replaced } ?? newestFirst.first
    }

    // MARK: No activity

    private func withoutActivity() throws -> Finding {
        if let finding = try blocking(in: device.environment, nil) ?? permissions() { return finding }
        let tokens = try ledger.startTokens(of: device.id)
        guard !tokens.isEmpty else { return missingStartToken }
        if let dead = tokens.compactMap(\.death).first, tokens.allSatisfy({ $0.death != nil }) {
            return startTokenDead(dead)
        }
        return Finding(.upToDate, "Cards can be started on this phone.", .certain, [seen])
    }

    // MARK: No card

    private func withoutCard(in activity: Activity) throws -> Finding {
        if activity.isEnded {
            return Finding(
                .ended, "The activity has ended, and this phone has had no card of it.", .certain,
                activity.endedAt.map { ["It ended at \($0.rfc3339)."] } ?? [])
        }
        if activity.version == 0 {
            return Finding(.nothingDeclared, "No backend has declared this activity; only phones have named it.")
        }
        if let finding = permissions() { return finding }
        let type = activity.type ?? ""
        guard let token = try ledger.startToken(of: device.id, type: type) else { return missingStartToken }
        if let death = token.death { return startTokenDead(death) }
        if app.identityMode == .require, device.user == nil {
            return Finding(
                .unprovenUser, "The phone has no proven user, and the app requires proofs.", .likely, [seen])
        }
        let starts = try ledger.remoteStarts(
            of: device.id, after: now - TypeProfile.startWindow, before: now + TypeProfile.startWindow,
            limit: TypeProfile.startLimit * 2)
        if try !ProfileReader(ledger)(of: activity).allowsStart(among: starts) {
            return Finding(
                .startBudgetSpent, "The phone has had as many starts within an hour as the type's profile allows.",
                .certain, ["\(starts.count) starts in an hour."])
        }
        if let finding = try blocking(in: device.environment, activity) { return finding }
        return Finding(
            .notInvited, "No start of this activity had the phone in its audience, and the app started no card.",
            .likely,
            ["The phone could be started: it has a start token and allows Live Activities."])
    }

    private func permissions() -> Finding? {
        if device.osVersion < .remoteStart {
            return Finding(
                .osTooOld, "iOS \(device.osVersion.text) cannot start Live Activities by push.", .certain, [seen])
        }
        guard !device.permissions.activities else { return nil }
        return Finding(
            .activitiesOff, "Live Activities are switched off for the app on this phone.", .certain, [seen])
    }

    private var missingStartToken: Finding {
        Finding(
            .noStartToken, "The phone has sent no start token for the type, so no start can reach it.", .certain, [seen]
        )
    }

    private func startTokenDead(_ death: TokenDeath) -> Finding {
        Finding(
            .startTokenDead, "Apple refused the phone's start token, so no start can reach it.", .certain,
            ["Apple's reason was \(death.reason.name).", seen])
    }

    var seen: String { "The phone was last heard of at \(device.seenAt.rfc3339), with iOS \(device.osVersion.text)." }

    // MARK: What keeps everything back

    /// What keeps Eyot from pushing in an environment.
    func blocking(in environment: PushEnvironment, _ activity: Activity?) throws -> Finding? {
        if let since = app.haltedAt {
            return Finding(.appHalted, "An operator has halted the app.", .certain, ["Since \(since.rfc3339)."])
        }
        if let activity, let halt = app.halt(of: activity) {
            return Finding(
                .halted, "The activity, or its type, is halted.", .certain,
                ["Since \(halt.since.rfc3339)."] + [halt.reason].compactMap(\.self))
        }
        if let pause = app.pauses[environment] {
            return Finding(
                .appPaused, "Eyot does not push to \(environment.rawValue), because Apple refuses the app's pushes.",
                .certain, ["Apple's reason was \(pause.reason.name), at \(pause.since.rfc3339)."])
        }
        guard try ledger.apnsKeys(of: app.id).contains(where: { $0.environment == environment }) else {
            return Finding(
                .apnsKeyMissing, "The app has no APNs key for \(environment.rawValue), so nothing is sent there.")
        }
        return pushing.wait.map {
            Finding(.notPushing, "This server does not push now.", .likely, ["Its state is \($0.rawValue)."])
        }
    }
}

extension Replica {
    /// Whether its card may be on the screen and change.
    fileprivate var isRunning: Bool {
        switch phase {
        case .starting, .waitingForToken, .live: true
        case .ended, .dismissed, .dead, .unlisted, .notStarted, .untracked: false
        }
    }
}

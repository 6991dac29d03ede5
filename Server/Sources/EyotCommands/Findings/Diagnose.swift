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
    let pushing: PushingStatus

    package init(_ transaction: Transaction, of device: Device, in app: App, pushing: PushingStatus) {
        self.transaction = transaction
        self.device = device
        self.app = app
        self.pushing = pushing
    }

    /// - Parameters:
    ///   - activity: The newest generation of the name that is asked about; nil asks about the phone alone.
    ///   - version: The declaration that is asked about; nil asks about the newest.
    package func callAsFunction(_ activity: Activity?, _ version: Version? = nil) throws -> Finding {
        guard let activity else { return try withoutActivity() }
        if let version, try ledger.declaration(version, of: activity.id) == nil {
            throw EyotError.versionUnknown(version, of: activity.name, newest: activity.version)
        }
        let places = try ledger.replicas(of: device.id, named: activity.name, in: app.id)
            .filter { $0.activity == activity.id }
        guard let card = Self.speaking(places) else { return try withoutCard(in: activity) }
        let diagnosis = try CardDiagnosis(self, card, in: activity)
        return try version.flatMap { try diagnosis.fate(of: $0) } ?? diagnosis()
    }

    /// The explanation of one card; nil if its activity is gone.
    func card(_ card: Replica) throws -> Explanation.Card? {
        guard let activity = try ledger.activity(card.activity) else { return nil }
        let lens = try ReplicaLens(ledger: ledger, activity: activity, now: now)
        return Explanation.Card(
            activity: activity, view: try lens.view(of: card, withUser: true),
            finding: try CardDiagnosis(self, card, in: activity)())
    }

    /// The place that says most of what the phone shows: a running card, or the newest place.
    private static func speaking(_ places: [Replica]) -> Replica? {
        let newestFirst = places.sorted { $0.ordinal > $1.ordinal }
        return newestFirst.first { $0.isRunning && $0.ending != .replaced } ?? newestFirst.first
    }

    /// The newest events of a subject, newest first. What is older is not looked at.
    func newestEvents(about subject: EventSubject) throws -> [Event] {
        try ledger.newestEvents(of: app.id, about: subject, before: .max, limit: 200)
    }

    var seen: String {
        device.isImported
            ? "The phone was imported at \(device.createdAt.rfc3339), and its app has not spoken with Eyot yet."
            : "The phone was last heard of at \(device.seenAt.rfc3339), with iOS \(device.osVersion.text)."
    }

    /// What keeps Eyot from pushing in an environment.
    func blocking(in environment: PushEnvironment, _ activity: Activity?) throws -> Finding? {
        if let finding = app.haltFinding(in: try ledger.history()) ?? activity.flatMap(app.halt)?.finding {
            return finding
        }
        if let pause = app.pauses[environment] { return pause.finding(in: environment) }
        guard try ledger.apnsKeys(of: app.id).contains(where: { $0.environment == environment }) else {
            return .apnsKeyMissing(in: environment)
        }
        return try pushing.finding(for: activity?.id, in: ledger, at: now)
    }

    /// What keeps a push from leaving, or from getting through, that is due in an environment.
    func holding(in environment: PushEnvironment, _ activity: Activity) throws -> Finding? {
        try blocking(in: environment, activity) ?? app.failures[environment]?.finding(in: environment, at: now)
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

import APNSWire
import EyotContract
import EyotDomain

/// One part of an activity's replicas that has been looked at, and what is to be sent to them.
package struct TakenPage: Sendable {
    /// The pushes for one environment and, slot for slot, what is needed to judge their verdicts.
    package struct Part: Sendable {
        package var page: PushPage
        package var sent: [SentPush]
    }

    package var app: AppID
    package var parts: [Part] = []
    /// Where the next part begins; nil at the end of a lap.
    package var next: Int?
    /// The soonest moment at which something here is due that is not due yet.
    package var later: Instant?
    /// The activity's stamp when this part was looked at.
    package var stamp: Int
    /// Nothing is sent for this app at the moment.
    package var isPaused = false

    package var count: Int { parts.reduce(0) { $0 + $1.sent.count } }
}

/// Binds the newest state to the next replicas that are behind. One transaction; what it says of starts has to be durable
/// before their bytes leave (R6).
package struct TakePage {
    /// Replicas looked at in one transaction.
    package static let scanLimit = 2_000

    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// - Parameters:
    ///   - cursor: the ordinal after which to look.
    ///   - inFlight: ordinals that wait for a verdict.
    ///   - limit: the most pushes to take.
    package func callAsFunction(
        _ id: ActivityID, after cursor: Int, excluding inFlight: Set<Int>, limit: Int
    ) throws -> TakenPage? {
        guard var activity = try ledger.activity(id), let app = try ledger.app(activity.app) else { return nil }
        var taken = TakenPage(app: app.id, stamp: activity.stamp)
        guard app.pause == nil else {
            taken.isPaused = true
            return taken
        }
        try endInTime(&activity)
        taken.stamp = activity.stamp
        taken.later = activity.endsAt
        var press = PagePress(ledger: ledger, app: app, activity: activity, now: now)
        let replicas = try ledger.replicas(of: id, after: cursor, limit: Self.scanLimit)
        for (index, replica) in replicas.enumerated() {
            guard press.count < limit else {
                taken.next = replicas[index - 1].ordinal
                break
            }
            if inFlight.contains(replica.ordinal) { continue }
            try press.take(replica)
        }
        if taken.next == nil, replicas.count == Self.scanLimit { taken.next = replicas.last?.ordinal }
        taken.parts = press.parts
        taken.later = [taken.later, press.later].compactMap(\.self).min()
        return taken
    }

    /// A planned end is a declaration like any other, made when its time has come.
    private func endInTime(_ activity: inout Activity) throws {
        guard let endsAt = activity.endsAt, endsAt <= now, !activity.isEnded else { return }
        let end = activity.declare(.end, Content(), at: now)
        try ledger.insert(end)
        try ledger.update(activity)
    }
}

/// Turns what is due into pages, one for each environment; equal pushes share a template.
private struct PagePress {
    let ledger: any Ledger
    let app: App
    let activity: Activity
    let now: Instant
    private(set) var parts: [TakenPage.Part] = []
    private(set) var later: Instant?
    private var templates: [Key: UInt16] = [:]
    private let declaration: DeclarationReader

    private struct Key: Hashable {
        var environment: PushEnvironment
        var push: Push
    }

    init(ledger: any Ledger, app: App, activity: Activity, now: Instant) {
        self.ledger = ledger
        self.app = app
        self.activity = activity
        self.now = now
        declaration = DeclarationReader(ledger, of: activity.id)
    }

    var count: Int { parts.reduce(0) { $0 + $1.sent.count } }

    mutating func take(_ replica: Replica) throws {
        let type = activity.type ?? ""
        var startToken: StartToken?
        if replica.phase == .starting { startToken = try ledger.startToken(of: replica.device, type: type) }
        let due = try replica.due(
            in: activity, at: now, startToken: { startToken },
            osVersion: { try ledger.device(replica.device)?.osVersion ?? .remoteStart },
            declaration: declaration.callAsFunction)
        switch due {
        case .nothing(let until):
            if let until { later = min(later ?? until, until) }
        case .expired:
            var expired = replica
            expired.expire()
            try ledger.update(expired)
        case .later(let moment): later = min(later ?? moment, moment)
        case .abandonStart(let failure):
            var abandoned = replica
            abandoned.phase = .notStarted(failure)
            abandoned.lease = nil
            try ledger.update(abandoned)
        case .push(let push):
            if push.event == .start { try takeStart(replica, push, startToken) } else { try takeUpdate(replica, push) }
        }
    }

    private mutating func takeStart(_ replica: Replica, _ push: Push, _ startToken: StartToken?) throws {
        guard let startToken, var lease = replica.lease else { return }
        var leased = replica
        lease.state = .sent
        lease.sentAt = now
        leased.lease = lease
        try ledger.update(leased)
        let environment = lease.probing ? startToken.environment.other : startToken.environment
        try append(replica, push, token: startToken.token, tokenVersion: 0, environment: environment, id: lease.id)
    }

    private mutating func takeUpdate(_ replica: Replica, _ push: Push) throws {
        guard let token = replica.token else { return }
        try append(
            replica, push, token: token.token, tokenVersion: token.version, environment: token.environment,
            id: APNSID(activity: activity.id, version: push.version, ordinal: replica.ordinal))
    }

    private mutating func append(
        _ replica: Replica, _ push: Push, token: PushToken, tokenVersion: Int, environment: PushEnvironment, id: APNSID
    ) throws {
        let index = part(for: environment)
        let key = Key(environment: environment, push: push)
        let template: UInt16
        if let known = templates[key] {
            template = known
        } else {
            template = parts[index].page.add(try render(push))
            templates[key] = template
        }
        parts[index].page.append(token: token, template: template, id: id)
        parts[index].sent.append(
            SentPush(ordinal: replica.ordinal, push: push, tokenVersion: tokenVersion, environment: environment))
    }

    private mutating func part(for environment: PushEnvironment) -> Int {
        if let index = parts.firstIndex(where: { $0.page.environment == environment }) { return index }
        parts.append(TakenPage.Part(page: PushPage(environment: environment), sent: []))
        return parts.count - 1
    }

    // MARK: Templates

    private mutating func render(_ push: Push) throws -> PushTemplate {
        var payload = try push.payload(type: activity.type, declaration: declaration.callAsFunction)
        if push.event == .start {
            // A start that arrives late shows its age.
            payload.staleDate = payload.staleDate ?? now.second + APNSLimits.activeLifetime
        }
        var (body, offset) = payload.render()
        if body.count > APNSLimits.payloadBytes, push.event != .start {
            // State and alert of two declarations may be too large together; the state is what must arrive.
            payload.alert = nil
            (body, offset) = payload.render()
        }
        return PushTemplate(
            topic: app.topic, priority: push.priority,
            expiration: push.event == .start ? now.second + Int(Lease.expiration) : nil,
            collapseID: push.event == .start ? "start-\(activity.id.rawValue)" : nil, body: body,
            timestampOffset: offset, isRepeatable: push.event != .start)
    }
}

import APNSWire
import EyotContract
import EyotDomain

/// A preview of a declaration. It is declared by the same code, and then one card of each kind is asked what is due for
/// it. The transaction is to be undone.
package struct DryRun: UseCase {
    package let transaction: Transaction
    let app: App

    package init(_ transaction: Transaction, app: App) {
        (self.transaction, self.app) = (transaction, app)
    }

    /// The result of a preview.
    package struct Outcome: Sendable {
        package var operation: Operation
        /// The kinds of pushes that it makes, each once.
        package var pushes: [PlannedPush]
    }

    /// - Throws: The errors of the declaration itself.
    package func callAsFunction(_ concerned: Concerned, match: VersionMatch?, gone: Set<String>) throws -> Outcome {
        let former = try ledger.newestActivity(named: concerned.body.name, in: app.id)
        let operation = try Declare(
            transaction, app: app.id, frozen: concerned.frozen, leftOut: concerned.leftOut)(
                concerned.body, match: match, gone: gone)
        guard operation.outcome.isTaken, let id = operation.activity, let activity = try ledger.activity(id) else {
            return Outcome(operation: operation, pushes: [])
        }
        let cards = SampleCards(
            ledger: ledger, app: app, activity: activity, declaration: DeclarationReader(ledger, of: id))
        var pushes = concerned.body.audience == nil ? [] : try cards.starts(by: operation, at: now)
        if former?.id == id, operation.outcome == .applied {
            pushes += try cards.updates(to: operation.version, isScoped: concerned.body.scope != nil, at: now)
        }
        return Outcome(operation: operation, pushes: pushes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }
}

/// A push as it would leave, except for what is set at that moment.
package struct PlannedPush: Sendable, Hashable {
    package var event: LiveActivityEvent
    package var recipients: PushPage.Recipients
    /// The language of its alert, if there are several.
    package var language: String?
    package var template: PushTemplate
}

/// One card of each kind that a declaration may apply to. The preview asks what is due for it.
private struct SampleCards {
    let ledger: any Ledger
    let app: App
    let activity: Activity
    let declaration: DeclarationReader

    /// The versions of iOS that make a difference.
    private static let versions = [OSVersion.inputPushToken, .remoteStart]

    /// The pushes that start cards in the reserved places, even if there are no places.
    func starts(by operation: Operation, at now: Instant) throws -> [PlannedPush] {
        guard let place = try place(keptBy: operation, at: now) else { return [] }
        let moment = max(now, place.startsAt ?? now)
        let token = PushToken(bytes: [0]).map {
            StartToken(device: place.device, type: activity.type ?? "", token: $0, environment: .production, setAt: now)
        }
        var pushes: [PlannedPush] = []
        for (version, language) in try languages(of: operation.version).flatMap({ language in
            Self.versions.map { ($0, language) }
        }) {
            let due = try place.due(
                in: activity, at: moment, profile: profile,
                phone: PhoneLookup(startToken: { token }, osVersion: { version }, language: { language }),
                declaration: declaration.callAsFunction)
            guard case .push(let push) = due else { continue }
            let channels = version < .channels ? [] : try ledger.channels(of: activity.id).compactMap(\.followed)
            for channel in channels.isEmpty ? [nil] : channels.map(Optional.init) {
                pushes.append(try planned(push, following: channel, at: moment))
            }
        }
        return pushes
    }

    /// The first place, or a sample of one if there is none.
    private func place(keptBy operation: Operation, at now: Instant) throws -> Replica? {
        if operation.starting > 0 {
            return try ledger.replica(activity.nextOrdinal - operation.starting, of: activity.id)
        }
        guard operation.outcome == .applied, let declared = try declaration(operation.version) else { return nil }
        var replica = sample(.starting)
        replica.lease = Lease(version: declared.version)
        replica.startsAt = activity.startsAt
        if declared.scope != .everyone { replica.scopedState = declared.version }
        replica.alertedVersion = declared.version
        return replica
    }

    /// The pushes to cards that had the state before.
    func updates(to version: Version, isScoped: Bool, at now: Instant) throws -> [PlannedPush] {
        guard let declared = try declaration(version),
            declared.kind == .end || (declared.scope == .everyone) != isScoped
        else { return [] }
        var card = sample(.live)
        (card.acceptedVersion, card.alertedVersion) = (version - 1, version - 1)
        if isScoped { card.take(declared, in: activity) }
        var pushes: [PlannedPush] = []
        for language in try languages(of: version) {
            let due = try card.due(
                in: activity, at: now, profile: profile, phone: PhoneLookup(language: { language }),
                declaration: declaration.callAsFunction)
            if case .push(let push) = due { pushes.append(try planned(push, following: nil, at: now)) }
        }
        return pushes + (isScoped || pushes.isEmpty ? [] : try broadcasts(at: now))
    }

    /// The languages of its alerts, and nil for all others.
    private func languages(of version: Version) throws -> [String?] {
        let content = try declaration(version)?.content
        let languages = (content?.alert?.text.languages ?? []) + (content?.startAlert?.languages ?? [])
        return [nil] + languages.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func broadcasts(at now: Instant) throws -> [PlannedPush] {
        var pushes: [PlannedPush] = []
        for channel in try ledger.channels(of: activity.id) where channel.followed != nil {
            let due = try channel.due(
                in: activity, at: now, profile: profile, declaration: declaration.callAsFunction)
            guard case .broadcast(let push) = due else { continue }
            let template = try push.broadcastTemplate(
                of: activity, in: app, at: now, declaration: declaration.callAsFunction)
            pushes.append(PlannedPush(event: push.event, recipients: .channels, template: template))
        }
        return pushes
    }

    /// The first card, real or not, because a canary always includes it.
    private func sample(_ phase: Replica.Phase) -> Replica {
        Replica(
            activity: activity.id, ordinal: 1, device: DeviceID(rawValue: 0), phase: phase,
            createdAt: activity.createdAt)
    }

    private func planned(_ push: Push, following channel: APNSChannelID?, at now: Instant) throws -> PlannedPush {
        let template = try push.template(
            of: activity, in: app, following: channel, at: now, declaration: declaration.callAsFunction
        ).template
        return PlannedPush(
            event: push.event, recipients: .tokens, language: push.localization, template: template)
    }

    /// The profile does not matter here: the spacing of pushes does not change their content.
    private var profile: TypeProfile { TypeProfile(app: app.id, type: activity.type ?? "") }
}

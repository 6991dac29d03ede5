import EyotContract
import EyotDomain

/// How the name that a phone gives a card changes its places.
extension ApplyChanges {
    /// The place that a card has under a former name; nil if the name has not changed. A card has one name, and starts
    /// afresh under a new one.
    func otherName(of card: Card, _ device: Device) throws -> Replica? {
        guard let former = try ledger.replica(ofInstance: card.instance, on: device.id),
            try ledger.activity(former.activity)?.name != card.name
        else { return nil }
        return former
    }

    /// Leaves the place that a card has under a former name.
    ///
    /// - Parameter replica: the place under its new name. Without one the card counts as no longer followed.
    func leave(_ former: Replica, for replica: Replica?, in app: AppID) throws {
        if let replica { return try transaction.giveUp(former, for: replica, in: app) }
        var known = former
        known.stopTracking()
        known.instance = nil
        try transaction.update(known, from: former, in: app)
    }

    /// A nameless start that has left. Its card may be on the phone.
    struct NamelessStart {
        var place: Replica
        var activity: Activity
        var declaration: Declaration?
        /// Whether the card can belong to no other start.
        var isCertain = false
    }

    /// The nameless start that a card of this type may have come from. It is the start with the card's name in its
    /// attributes, otherwise the oldest.
    func namelessStart(_ card: Card, of device: Device) throws -> NamelessStart? {
        guard !NamelessActivity.isNamelessName(card.name) else { return nil }
        var starts: [NamelessStart] = []
        var left: [Replica] = []
        try ledger.forEachReplica(of: device.id) { if $0.hasStartLeft { left.append($0) } }
        for kept in left {
            guard let activity = try ledger.activity(kept.activity), activity.type == card.type,
                NamelessActivity.isNamelessName(activity.name)
            else { continue }
            let declaration = try ledger.declaration(activity.declaredState, of: activity.id)
            var start = NamelessStart(place: kept, activity: activity, declaration: declaration)
            start.isCertain = declaration?.attributes?.says(card.name) ?? false
            if start.isCertain { return start }
            starts.append(start)
        }
        if starts.count == 1 { starts[0].isCertain = true }
        return starts.first
    }

    /// Gives a card that is the first of its name the state of the nameless start that may have led to it. The app has
    /// now named the card, so the place of the start is given up. The start's declaration and its numbers go on under
    /// the card's name.
    func bindNameless(
        _ card: Card, of device: Device, to replica: inout Replica, in activity: inout Activity
    ) throws {
        guard var start = try namelessStart(card, of: device) else { return }
        try declare(start, for: &replica, in: &activity)
        replica.follow(start.place, at: now)
        try transaction.giveUp(start.place, for: replica, in: device.app)
        try withdrawRestarts(of: start, in: device.app)
        start.activity.wake(at: now)
        try ledger.update(start.activity)
        ledger.woken.insert(start.activity.id)
    }

    /// Withdraws the further starts that waited for the end of the phone's silence.
    private func withdrawRestarts(of start: NamelessStart, in app: AppID) throws {
        for former in try ledger.replicas(of: start.place.device, named: start.activity.name, in: app)
        where former.isRestart && former.lease?.state == .planned {
            var restart = former
            if restart.yieldName(at: now) { try transaction.update(restart, from: former, in: app) }
        }
    }

    /// The generation that an unreported card joins. A nameless start after the end of the former generation opens the
    /// next generation, because that start could not carry its name.
    func generation(_ former: Activity, of card: Card, _ device: Device) throws -> Activity? {
        let started = try namelessStart(card, of: device)
        if let endedAt = former.endedAt, let started, started.activity.createdAt > endedAt {
            let inserted = try ledger.insertActivity(
                named: card.name, in: device.app, generation: former.generation + 1, type: card.type, at: now)
            var opened = inserted
            (opened.isPublic, opened.haltedAt) = (former.isPublic, former.haltedAt)
            if opened.haltedAt != nil { try transaction.update(opened, from: inserted) }
            try ledger.add(AppUsage(openedNames: 1), to: device.app)
            return opened
        }
        guard try started != nil || JoinPolicy(ledger: ledger, opened: proofs.opened)(former, device) else {
            return nil
        }
        return former
    }

    // MARK: What it shows

    /// How many scoped declarations are searched for the one that another card of the same start has made.
    private static let looksBack = 20

    /// Declares the state of a nameless start under the card's name, scoped to the cards of that start. It is declared
    /// once for all these cards, like a later start with a name, unless something newer was declared there.
    private func declare(
        _ start: NamelessStart, for replica: inout Replica, in activity: inout Activity
    ) throws {
        guard start.isCertain, let own = start.declaration, !activity.isEnded,
            let common = try ledger.declaration(activity.common(for: replica.ordinal).newest, of: activity.id),
            !common.isLater(than: own)
        else { return }
        var content = own.content
        // The start gave it.
        content.alert = nil
        var declaration = try made(of: own, content, in: activity)
        if declaration == nil {
            var made = activity.declare(
                Declaration.Draft(
                    .state, content, scope: .members(count: start.activity.nextOrdinal - 1), asOf: own.asOf), at: now)
            made.acceptedAt = own.acceptedAt
            try transaction.insert(made, by: .start, in: activity.app)
            declaration = made
        }
        guard let declaration else { return }
        replica.take(declaration, in: activity)
        if start.place.lease?.state == .accepted { replica.acceptedVersion = declaration.version }
    }

    /// The declaration that another card of the same start has made.
    private func made(of start: Declaration, _ content: Content, in activity: Activity) throws -> Declaration? {
        let oldest = max(activity.declaredState, activity.version - Self.looksBack)
        for version in stride(from: activity.version, to: oldest, by: -1) {
            guard let declaration = try ledger.declaration(version, of: activity.id) else { continue }
            if declaration.scope != .everyone, declaration.acceptedAt == start.acceptedAt,
                declaration.content == content
            {
                return declaration
            }
        }
        return nil
    }
}

extension Replica {
    /// Whether its start has left, and its card may be on the phone without a report.
    fileprivate var hasStartLeft: Bool {
        instance == nil && (phase == .starting && lease?.sentAt != nil || hasSilentStart)
    }
}

extension JSONValue {
    /// Whether a member of an object is this text, or a number with this literal.
    func says(_ name: String) -> Bool {
        object?.members.contains { $0.value.string == name || $0.value.double != nil && $0.value.text == name } ?? false
    }
}

extension Declaration {
    /// Whether it supersedes another declaration: by `asOf` if both have it, otherwise by the time of acceptance.
    fileprivate func isLater(than other: Declaration) -> Bool {
        if let asOf, let theirs = other.asOf, asOf != theirs { return asOf > theirs }
        return acceptedAt >= other.acceptedAt
    }
}

import EyotContract
import EyotDomain

/// The processing of a phone's report: applies its changes once and in their order, and answers with the state of its
/// cards. One transaction.
package struct ApplyChanges: UseCase {
    package let transaction: Transaction
    private(set) var proofs: ReportProofs
    let quotas: AppQuotas

    package init(
        _ transaction: Transaction, proofs: ReportProofs = ReportProofs(), quotas: AppQuotas = AppQuotas()
    ) {
        self.quotas = quotas
        self.transaction = transaction
        self.proofs = proofs
    }

    /// - Throws: ``EyotError`` with `epochOutdated` if the device has registered again since, and with `historyChanged`
    ///   if changes were confirmed to it that the store does not know (R17). Then nothing has changed.
    package func callAsFunction(_ batch: DeviceChangeBatch, of id: DeviceID) throws -> DeviceAnswer {
        let gone = try gone(in: batch, on: id)
        // Earlier reports of the device come first (R8).
        try MergeArrivals(transaction)(of: id)
        guard let former = try ledger.device(id), !former.isForgotten else {
            throw EyotError(.secretInvalid, "the device is not known")
        }
        guard batch.epoch == former.epoch else {
            throw EyotError(.epochOutdated, "the newest epoch is \(former.epoch), not \(batch.epoch)", field: "epoch")
        }
        guard batch.confirmed ?? 0 <= former.sequence else {
            throw EyotError(
                .historyChanged, "the newest confirmed sequence is \(former.sequence), not \(batch.confirmed ?? 0)",
                field: "confirmed")
        }
        var judged = self
        for change in batch.changes where change.sequence > former.sequence {
            guard let verdict = proofs.identities[change.sequence] else { continue }
            judged.proofs.identities[change.sequence] = try CheckProof(ledger: ledger)(verdict, of: former)
        }
        return try judged.apply(batch, to: former, gone)
    }

    private func apply(_ batch: DeviceChangeBatch, to former: Device, _ gone: Gone) throws -> DeviceAnswer {
        var device = former
        var cards: [Card] = []
        var lists: [RunningList] = []
        var refusal: IdentityRefusal?
        var isConcerned = false
        let showsFirst = !batch.changes.contains { $0.action.removesStartToken }
        if showsFirst {
            // Start tokens prove which phone it is, and so for which cards it may speak.
            try showStartTokens(batch, by: &device, gone)
        }
        for change in batch.changes {
            // A repeated card is answered too, because the first answer may have been lost.
            if let card = change.action.card { cards.append(card) }
            guard change.sequence > device.sequence else { continue }
            switch change.action {
            case .identify(let user, _):
                refusal = try device.identify(user, proofs.identities[change.sequence] ?? .unasked, ledger, at: now)
            case .logout: device.logout(at: now)
            case .setStartToken where showsFirst: break
            case .running(let type, let instances):
                lists.append(RunningList(type: type, instances: Set(instances), sequence: change.sequence))
            default: try apply(change.action, to: &device, gone)
            }
            isConcerned = isConcerned || change.action.mayOpenAudiences
            device.sequence = change.sequence
        }
        try retire(lists.map { $0.completed(by: batch) }, told: gone.told, of: device, heardAt: former.seenAt)
        let formerUser = former.user ?? device.formerUser
        if device.user != nil { device.formerUser = nil }
        try store(device, from: former)
        cards += try LeaveFormerUser(transaction: transaction)(on: device, formerly: formerUser)
        if isConcerned { try QueueLiveCheck(ledger: ledger)(device) }
        cards += try replaced(by: cards, on: device)
        return DeviceAnswer(applied: device.sequence, cards: try states(of: cards, on: device), identity: refusal)
    }

    /// Applies the lists of a report, and what the report says of starts that were lost to the phone's silence.
    private func retire(_ lists: [RunningList], told: Set<String>, of device: Device, heardAt: Instant) throws {
        var (listed, open): (Set<String>, Set<String>) = ([], [])
        for list in lists {
            if try retire(list, told: told, of: device) { open.insert(list.type) } else { listed.insert(list.type) }
        }
        try EndSilence(transaction)(of: device, since: heardAt, listed: listed, open: open)
    }

    /// Sets the start tokens that a report shows. They count for the user that the report names last, before or after
    /// the tokens: places for other users are not taken over (R12). A user that logs out counts as present until then.
    private func showStartTokens(_ batch: DeviceChangeBatch, by device: inout Device, _ gone: Gone) throws {
        let news = batch.changes.filter { $0.sequence > device.sequence }
        var shower = device
        for change in news {
            guard case .identify(let user, _) = change.action else { continue }
            shower.identify(user, proofs.identities[change.sequence] ?? .unasked, at: now)
        }
        for change in news {
            guard case .setStartToken = change.action else { continue }
            try apply(change.action, to: &shower, gone)
        }
        device.formerUser = shower.formerUser
    }

    private func store(_ device: Device, from former: Device) throws {
        var device = device
        var advanced = former
        advanced.sequence = device.sequence
        // Most reports say nothing of the device itself.
        if device == advanced, device != former,
            try ledger.advance(device.id, epoch: device.epoch, to: device.sequence, at: now)
        {
            return
        }
        device.seenAt = now
        try transaction.update(device, from: former)
    }

    /// Applies an arrival in a place of its own, because the place that it was answered for is gone.
    func place(_ arrival: Arrival, of device: Device) throws {
        guard let former = try ledger.activity(arrival.activity) else { return }
        let card = Card(instance: arrival.instance, name: former.name, type: former.type ?? "")
        try change(card, of: device) { replica, _ in
            let isChanged =
                arrival.token.map { replica.set($0, environment: arrival.environment, at: arrival.answeredAt) }
                ?? replica.reopen()
            replica.lastSecond = max(replica.lastSecond, arrival.answerSecond)
            return isChanged
        }
    }

    private func apply(_ action: DeviceChange.Action, to device: inout Device, _ gone: Gone) throws {
        switch action {
        case .setStartToken(let type, let token):
            let shown = StartToken(
                device: device.id, type: type, token: token, environment: device.environment, setAt: now,
                osVersion: device.osVersion)
            device.formerUser = try TakeOverPlaces(transaction: transaction)(by: shown, of: device) ?? device.formerUser
        case .removeStartToken(let type):
            try transaction.removeStartToken(of: device.id, type: type, in: device.app)
        case .cardSeen(let card): try change(card, of: device) { replica, _ in replica.reopen() }
        case .setUpdateToken(let card, let token):
            try change(card, of: device) { replica, _ in
                replica.set(token, environment: device.environment, at: now)
            }
        case .stopTracking(let card):
            try change(card, of: device, joins: false) { replica, _ in
                replica.stopTracking()
                return false
            }
        case .cardEvent(let card, let event, let digest):
            var (dismissed, tapped): (Replica?, Replica?)
            try change(card, of: device, joins: !event.isOver) { replica, activity in
                let signs = RemovalSigns(
                    makesWayNow: replica.ending == .replaced && !gone.givenUp.contains(card.instance),
                    isAnnounced: gone.announced.contains(card.instance),
                    activitiesAreOff: gone.activitiesAreOff || !device.permissions.activities)
                let meaning = replica.meaning(of: event, in: activity, signs)
                let isNews = replica.report(meaning.event, by: meaning.cause)
                if isNews, replica.phase == .dismissed { dismissed = replica }
                if event == .tapped { tapped = replica }
                return isNews
            }
            if let dismissed { try cancelStarts(besides: dismissed, named: card.name) }
            if let tapped { try transaction.countTap(on: tapped, in: device.app) }
            guard let digest else { break }
            var hear = HearEchoes(transaction)
            try hear(digest, fromCard: card.instance, on: device.id, at: now)
        case .running, .identify, .logout: break
        case .permissions(let permissions): device.permissions = permissions
        case .profile(let profile):
            guard quotas.profileBytes == 0 || profile.bytes <= quotas.profileBytes else {
                throw EyotError(
                    .profileTooLarge, "the profile has \(profile.bytes) bytes, and the limit is \(quotas.profileBytes)")
            }
            try ledger.put(profile, of: device)
        }
    }

    // MARK: Cards

    /// Finds or makes the card's replica, changes it, and wakes its activity.
    ///
    /// - Parameter joins: Whether an unreported card becomes a replica.
    private func change(
        _ card: Card, of device: Device, joins: Bool = true, _ body: (inout Replica, Activity) throws -> Bool
    ) throws {
        let left = try otherName(of: card, device)
        let replicas = try ledger.replicas(of: device.id, named: card.name, in: device.app)
        var newest = try ledger.newestActivity(named: card.name, in: device.app)
        try endInTime(&newest)
        let placement = Placement.of(card, newest: newest, replicas: replicas, at: now)
        guard var (activity, replica) = try place(card, placement, of: device, joins: joins, from: left) else {
            if let left { try leave(left, for: nil, in: device.app) }
            return
        }
        if let left { try leave(left, for: replica, in: device.app) }
        activity.see(type: card.type)
        let former = replica
        if former.instance == nil {
            for other in [left].compactMap(\.self) + replicas { replica.follow(other, at: now) }
        }
        if former.instance == nil, former.phase != .starting || former.lease?.state == .planned {
            try closeOlderStart(than: former, replicas, in: device.app)
        }
        if former.instance == nil, former.phase != .starting {
            try bindNameless(card, of: device, to: &replica, in: &activity)
        }
        if former.instance == nil { try leaveFormerPerson(&replica, in: activity, device) }
        // The app may have been updated while the card ran.
        try ledger.note(device.appVersion, of: activity.id)
        replica.appear(card.instance, at: now)
        replica.isSparing =
            try !device.permissions.frequentPushes && ProfileReader(ledger)(of: activity).isSparing
        let isChanged = try body(&replica, activity)
        guard replica != former || isChanged else { return }
        CardAnswer.count(for: &replica, in: activity, at: now)
        if former.instance == nil, activity.isEnded, replicas.contains(where: { $0.isLive(besides: replica) }) {
            // Both cards end, and the other one gives the alert (R4).
            replica.alertedVersion = max(replica.alertedVersion, activity.version)
        }
        if former.instance == nil, !activity.isEnded, !replica.endsForOther {
            // A second card of a name replaces the first.
            for standing in replicas
            where standing.activity == activity.id && standing.ordinal != replica.ordinal {
                var other = standing
                guard other.supersede() else { continue }
                // An alert that is on its way to the other card is heard on this phone.
                if other.token != nil { replica.alertedVersion = max(replica.alertedVersion, activity.version) }
                replica.inherit(from: other)
                try transaction.update(other, from: standing, in: device.app)
            }
        }
        if former.phase != .live, replica.phase == .live {
            try ledger.leaveName(&replica, of: activity, to: replicas)
        }
        if former.instance != nil, !former.isInView, replica.isInView, replica.ending == nil {
            try withdrawStarts(for: &replica, among: replicas, in: device.app)
        }
        try transaction.update(replica, from: former, in: device.app)
        if former.mayBeItsApps, !activity.isEnded { try noteStart(of: replica, in: activity, device) }
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(activity.id)
    }

    /// Withdraws starts that have not left, because a card that counted as gone is on the phone after all (R6).
    private func withdrawStarts(for card: inout Replica, among replicas: [Replica], in app: AppID) throws {
        for former in replicas where former.activity == card.activity && former.ordinal != card.ordinal {
            var start = former
            guard start.yieldToCard() else { continue }
            // The state of a start is for the cards that it starts. A later one was for the phone.
            if former.scopedState > former.lease?.version ?? 0 { card.inherit(from: former) }
            try transaction.update(start, from: former, in: app)
        }
    }

    /// Ends a card that is reported for the first time if it was started for a former person of the phone (R12). The
    /// change of person has ended the places that it found.
    private func leaveFormerPerson(_ replica: inout Replica, in activity: Activity, _ device: Device) throws {
        guard replica.hasFormerPerson(on: device), let app = try ledger.app(device.app), activity.isPersonal(in: app),
            device.user.map({ !activity.users.contains($0) }) ?? true
        else { return }
        _ = replica.cancelForOtherPerson()
    }

    /// Closes the last lost start of an older generation, because the card has no known start in its own generation and
    /// may come from that one.
    private func closeOlderStart(than place: Replica, _ replicas: [Replica], in app: AppID) throws {
        let latestFirst = replicas.sorted { ($0.startsAt ?? $0.createdAt) > ($1.startsAt ?? $1.createdAt) }
        for lost in latestFirst where lost.activity != place.activity {
            var older = lost
            if older.abandonLostStart() { return try transaction.update(older, from: lost, in: app) }
        }
    }

    /// Ends the activity if its planned end has passed. The engine may not have looked at it since, for example while
    /// its app is paused.
    private func endInTime(_ activity: inout Activity?) throws {
        guard var running = activity, try transaction.end(inTime: &running) else { return }
        activity = running
        ledger.woken.insert(running.id)
    }

    private func activity(_ id: ActivityID) throws -> Activity? {
        var activity = try ledger.activity(id)
        try endInTime(&activity)
        return activity
    }

    /// Notes at the channel that a card which may follow it has begun.
    private func noteStart(of replica: Replica, in activity: Activity, _ device: Device) throws {
        guard var channel = try channel(followedBy: replica, on: device) else { return }
        channel.noteStarts(showing: 0, at: now)
        try ledger.update(channel)
    }

    /// The channel that a card without a token may follow. Phones do not say whether it does.
    private func channel(followedBy replica: Replica, on device: Device) throws -> Channel? {
        guard replica.phase == .waitingForToken, device.osVersion >= .channels else { return nil }
        return try ledger.channels(of: replica.activity)
            .first { $0.environment == device.environment && $0.followed != nil }
    }

    private func place(
        _ card: Card, _ placement: Placement, of device: Device, joins: Bool, from left: Replica?
    ) throws -> (Activity, Replica)? {
        // A place takes over the moment of the start that led to its card.
        let startsAt = { [self] in try left?.startsAt ?? namelessStart(card, of: device)?.place.startsAt }
        switch placement {
        case .known(let replica), .started(let replica):
            guard let activity = try activity(replica.activity) else { return nil }
            return (activity, replica)
        case .joins(let id):
            guard joins, let newest = try ledger.activity(id), let activity = try generation(newest, of: card, device)
            else {
                // The card gets no answer: the phone learns no more than if nothing had been declared.
                return nil
            }
            return try join(activity, device, startsAt: startsAt())
        case .opens:
            guard joins,
                try namelessStart(card, of: device) != nil
                    || JoinPolicy(ledger: ledger).opens(card.name, device, at: now) && mayFill(device)
            else { return nil }
            let activity = try ledger.insertActivity(
                named: card.name, in: device.app, generation: 1, type: card.type, at: now)
            try ledger.add(AppUsage(openedNames: 1), to: device.app)
            return try join(activity, device, startsAt: startsAt())
        }
    }

    /// Whether the app's quotas let a device open an undeclared name. Without a place the card is treated like a card
    /// of a name that the phone may not know. It gets a place if it is reported after the name was declared.
    private func mayFill(_ device: Device) throws -> Bool {
        let (limit, own) = (quotas.openedNames, quotas.openedNamesOfDevice)
        let hasRoom =
            try (own == 0 || ledger.openedNames(by: device.id, limit: own) < own)
            && (limit == 0 || ledger.usage(of: device.app).openedNames < limit)
        if !hasRoom { try ledger.add(AppUsage(refusedNames: 1), to: device.app) }
        return hasRoom
    }

    private func join(_ former: Activity, _ device: Device, startsAt: Instant?) throws -> (Activity, Replica) {
        var activity = former
        var replica = Replica(
            activity: activity.id, ordinal: activity.nextOrdinal, device: device.id, phase: .waitingForToken,
            startsAt: startsAt, createdAt: now)
        // A card that joins later hears no older alerts (R4).
        replica.alertedVersion = activity.version(for: replica.ordinal)
        replica.personNumber = device.personNumber
        activity.nextOrdinal += 1
        try transaction.insert(replica, in: device.app)
        return (activity, replica)
    }

    // MARK: The answer

    /// The cards that another card of their name has replaced, and that have no token to end them with.
    private func replaced(by cards: [Card], on device: Device) throws -> [Card] {
        var seen: Set<String> = []
        return try cards.filter { seen.insert($0.name).inserted }.flatMap { card in
            try ledger.replicas(of: device.id, named: card.name, in: device.app).compactMap { replica in
                guard replica.ending == .replaced, replica.phase == .waitingForToken, let instance = replica.instance
                else { return nil }
                return Card(instance: instance, name: card.name, type: card.type)
            }
        }
    }

    private func states(of cards: [Card], on device: Device) throws -> [CardState] {
        guard !cards.isEmpty else { return [] }
        let app = try ledger.app(device.app)
        var states: [CardState] = []
        var seen: Set<String> = []
        for card in cards.reversed() where seen.insert(card.instance).inserted {
            guard let former = try ledger.replica(ofInstance: card.instance, on: device.id),
                let activity = try activity(former.activity), activity.name == card.name
            else { continue }
            var replica = former
            let answer = CardAnswer(DeclarationReader(ledger, of: activity.id), now: now)
            let follows = try channel(followedBy: replica, on: device) != nil
            guard let state = try answer(&replica, card, in: activity, follows: follows) else { continue }
            if replica != former { try transaction.update(replica, from: former, in: device.app) }
            // A halted state is not sent to the phone. The next push still waits for the next second, because the start
            // that this card came from is unknown.
            guard app?.halt(of: activity) == nil else { continue }
            // The state of a pending replica is not known until it is processed.
            var pending = try PendingMembers(ledger, of: activity)
            if try !pending.contains(replica.ordinal) { states.append(state) }
        }
        return states.reversed()
    }
}

extension DeviceChange.Action {
    fileprivate var removesStartToken: Bool {
        if case .removeStartToken = self { true } else { false }
    }

    /// Whether the change may bring the device into another audience, or make it possible to start a card on it.
    fileprivate var mayOpenAudiences: Bool {
        switch self {
        case .setStartToken, .identify, .logout, .permissions, .profile: true
        case .removeStartToken, .cardSeen, .setUpdateToken, .stopTracking, .cardEvent, .running: false
        }
    }
}

extension Replica {
    /// Whether it is another card of the activity that gets pushes.
    fileprivate func isLive(besides other: Replica) -> Bool {
        activity == other.activity && ordinal != other.ordinal && phase == .live
    }

    /// Whether the app may have started the card that now takes this place, because no start of Eyot is known to have
    /// led to it. A start that Apple accepted was noted at its acceptance.
    fileprivate var mayBeItsApps: Bool {
        switch phase {
        case .waitingForToken: instance == nil
        case .starting: lease?.state != .accepted
        default: false
        }
    }
}

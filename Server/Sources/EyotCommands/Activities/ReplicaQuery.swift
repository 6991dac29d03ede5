import EyotDomain

/// Which cards of an activity a caller wants. Conditions that are nil let everything through.
package struct ReplicaQuery: Sendable {
    /// The user of the phone.
    package var user: String?
    /// The phase, as ``Replica/word`` says it.
    package var phase: String?
    /// Whether the card is behind and can be pushed to.
    package var isBehind: Bool?
    /// Why the card was not started, or Apple's reason why its token or its newest state is refused.
    package var reason: String?
    /// The version and build of the app on the phone.
    package var build: String?
    /// What its phone has reported of it.
    package var shown: ShownState?

    package init() {}

    /// The replica if it is wanted. Its phone is read only if the replica itself fulfils the conditions.
    func view(of replica: Replica, by lens: ReplicaLens) throws -> ReplicaView? {
        var view = try lens.view(of: replica)
        guard phase.map({ $0 == replica.word }) ?? true, isBehind.map({ $0 == view.isBehind }) ?? true,
            reason.map(view.reasons.contains) ?? true
        else { return nil }
        try lens.addPhone(to: &view)
        guard user.map({ $0 == view.user }) ?? true, build.map({ $0 == view.build }) ?? true,
            shown.map({ view.shows($0, in: lens.activity) }) ?? true
        else { return nil }
        return view
    }
}

/// What a phone has reported that its card shows.
package enum ShownState: String, Sendable, Hashable, CaseIterable {
    /// The newest state that applies to the card.
    case newest
    /// An older one, or one that was not declared.
    case older
    /// The phone has reported nothing of the card.
    case unknown
    /// A state that has gone stale, whichever it is.
    case stale
}

extension ReplicaView {
    /// False if the card is gone, so that it shows nothing.
    fileprivate func shows(_ wanted: ShownState, in activity: Activity) -> Bool {
        guard replica.mayShow else { return false }
        let isNewest = echo.map { replica.showsNewest($0.version, in: activity) == true }
        return switch wanted {
        case .newest: isNewest == true
        case .older: isNewest == false
        case .unknown: isNewest == nil
        case .stale: staleSince != nil
        }
    }

    fileprivate var reasons: [String] {
        var reasons = [replica.pendingReason?.rawValue, replica.blockedReason?.name]
        if case .notStarted(let failure) = replica.phase { reasons.append(failure.rawValue) }
        if case .dead(let death) = replica.phase { reasons.append(death.reason.name) }
        return reasons.compactMap(\.self)
    }
}

/// Cards of an activity, and where the next page begins.
package struct ReplicaPage: Sendable {
    package var activity: Activity
    package var views: [ReplicaView] = []
    /// The last ordinal that was looked at; nil if there are no more.
    package var next: Int?
}

extension InspectActivity {
    /// Replicas that one call looks at. A caller that wants rare ones goes on from the cursor.
    static let replicasOfCall = 5_000
    /// The same for a query that has to read the phone of each.
    private static let phonesOfCall = 2_000
    /// Replicas that one transaction looks at.
    private static let replicasAtOnce = 1_000

    /// Wanted replicas after an ordinal.
    ///
    /// - Throws: `activityUnknown`.
    package func replicas(
        of name: String, in app: AppID, after ordinal: Int, limit: Int, _ query: ReplicaQuery = ReplicaQuery()
    ) async throws -> ReplicaPage {
        let activity = try await store.read { ledger in
            guard let activity = try ledger.newestActivity(named: name, in: app) else {
                throw try ledger.unknownActivity(name, in: app)
            }
            return activity
        }
        if let user = query.user { return try await replicas(of: activity, onPhonesOf: user, after: ordinal, query) }
        let pages = query.isBehind == true ? try await store.read { try $0.pagesBehind(of: activity) } : nil
        var page = ReplicaPage(activity: activity, next: ordinal)
        let most = query.readsPhones ? Self.phonesOfCall : Self.replicasOfCall
        var looked = 0
        while let next = page.next, page.views.count < limit, looked < most {
            guard let after = Self.place(after: next, on: pages) else {
                page.next = nil
                break
            }
            let (wanted, left) = (
                min(Self.replicasAtOnce, query.isEmpty ? limit - page.views.count : .max), page.views.count
            )
            let (views, last, count) = try await look(at: activity.id, after: after, limit: wanted, query, limit - left)
            page.views += views
            (page.next, looked) = (last, looked + count)
        }
        return page
    }

    /// The ordinal after which a search goes on that needs to look at some pages only; nil if no such page is left.
    private static func place(after ordinal: Int, on pages: [Int]?) -> Int? {
        guard let pages else { return ordinal }
        let own = RingPage.number(of: ordinal + 1)
        return pages.first { $0 >= own }.map { $0 == own ? ordinal : RingPage.first(onPage: $0) - 1 }
    }

    /// Wanted replicas on the phones that a user has now. They are few, so all of them are answered.
    private func replicas(
        of activity: Activity, onPhonesOf user: String, after ordinal: Int, _ query: ReplicaQuery
    ) async throws -> ReplicaPage {
        let now = clock.now
        return try await store.read { ledger in
            let lens = try ReplicaLens(ledger: ledger, activity: activity, now: now)
            let devices = try ledger.devices(
                in: .user(user), of: activity.app, after: DeviceID(rawValue: 0), limit: Commands.phonesOfUser)
            let places = try devices.flatMap { try ledger.replicas(of: $0.id, named: activity.name, in: activity.app) }
            let ordered = places.filter { $0.activity == activity.id && $0.ordinal > ordinal }
                .sorted { $0.ordinal < $1.ordinal }
            return ReplicaPage(activity: activity, views: try ordered.compactMap { try query.view(of: $0, by: lens) })
        }
    }

    /// - Returns: The wanted ones among the next replicas, the last that was looked at, or nil if there are no more,
    ///   and how many were looked at.
    private func look(
        at id: ActivityID, after ordinal: Int, limit: Int, _ query: ReplicaQuery, _ most: Int
    ) async throws -> ([ReplicaView], Int?, Int) {
        let now = clock.now
        return try await store.read { ledger in
            guard let activity = try ledger.activity(id) else { return ([], nil, 0) }
            let lens = try ReplicaLens(ledger: ledger, activity: activity, now: now)
            let found = try ledger.replicas(of: id, after: ordinal, limit: limit + 1)
            var views: [ReplicaView] = []
            for (index, replica) in found.prefix(limit).enumerated() {
                if let view = try query.view(of: replica, by: lens) { views.append(view) }
                if views.count == most {
                    return (views, index + 1 < found.count ? replica.ordinal : nil, index + 1)
                }
            }
            return (views, found.count > limit ? found[limit - 1].ordinal : nil, min(found.count, limit))
        }
    }
}

extension ReplicaQuery {
    /// Whether the replica alone does not tell if it is wanted.
    fileprivate var readsPhones: Bool { build != nil || shown != nil }

    fileprivate var isEmpty: Bool {
        user == nil && phase == nil && isBehind == nil && reason == nil && build == nil && shown == nil
    }
}

// MARK: - Cards of a user

extension Commands {
    /// The most phones, and cards, of a user that one call shows.
    fileprivate static let phonesOfUser = 100
    private static let cardsOfUser = 1_000

    /// The cards of a user's phones, newest first, with the activities that they belong to.
    ///
    /// - Throws: `userUnknown` if no phone has the user, and nothing is said of the user either.
    package func cards(
        of user: String, in app: AppID, at now: Instant
    ) async throws -> [(activity: Activity, view: ReplicaView)] {
        try await store.read { ledger in
            let devices = try ledger.devices(
                in: .user(user), of: app, after: DeviceID(rawValue: 0), limit: Self.phonesOfUser)
            guard try !devices.isEmpty || ledger.user(user, in: app) != nil else { throw EyotError.userUnknown(user) }
            return try Self.views(of: Self.cards(of: devices, in: ledger), at: now, in: ledger)
        }
    }

    /// The cards of a phone under its present user, newest first, with the activities that they belong to.
    ///
    /// - Throws: `deviceUnknown`.
    package func cards(
        of device: DeviceID, in app: AppID, at now: Instant
    ) async throws -> [(activity: Activity, view: ReplicaView)] {
        try await store.read { ledger in
            let device = try Device.known(device, of: app, in: ledger)
            return try Self.views(of: Self.cards(of: [device], in: ledger), at: now, in: ledger)
        }
    }

    private static func cards(of devices: [Device], in ledger: any Ledger) throws -> [Replica] {
        var cards: [Replica] = []
        for device in devices {
            // A card from before belonged to another user of the phone (R12).
            try ledger.forEachReplica(of: device.id) { card in
                if !card.endsForOther, !card.hasFormerPerson(on: device) { cards.append(card) }
            }
        }
        return cards
    }

    private static func views(
        of cards: [Replica], at now: Instant, in ledger: any Ledger
    ) throws -> [(activity: Activity, view: ReplicaView)] {
        try cards.sorted { $0.createdAt > $1.createdAt }.prefix(cardsOfUser).compactMap { card in
            guard let activity = try ledger.activity(card.activity) else { return nil }
            let lens = try ReplicaLens(ledger: ledger, activity: activity, now: now)
            return (activity, try lens.view(of: card, withUser: true))
        }
    }
}

import EyotDomain

/// One card of an activity, and what became of one declaration on it.
package struct PhoneOfVersion: Sendable {
    package var view: ReplicaView
    package var fate: VersionFate
}

/// What became of a declaration on the cards of a stretch of ordinals.
package struct VersionPhones: Sendable {
    package var activity: Activity
    package var declaration: Declaration
    /// When Apple accepted the declaration for a channel; nil if it did not, or its event is gone.
    var broadcastAt: Instant?
    package var phones: [PhoneOfVersion] = []
    /// The last ordinal that was looked at; nil if there are no more.
    package var next: Int?
}

extension Commands {
    /// Cards that one transaction looks at: those of one page.
    private static let cardsAtOnce = RingPage.capacity
    /// Rows of a page that are looked at.
    private static let rowsOfPage = 2_000
    /// The most generations that are searched for a given one.
    private static let generations = 1_000

    /// The fate of a declaration on the cards after an ordinal.
    ///
    /// - Parameters:
    ///   - generation: nil for the newest.
    ///   - wanted: The word of the fates that count; nil for all.
    /// - Throws: `activityUnknown`, `versionUnknown`.
    package func phones(
        of version: Version, on name: String, generation: Int? = nil, in app: AppID, after ordinal: Int, limit: Int,
        wanted: String? = nil, at now: Instant
    ) async throws -> VersionPhones {
        var page = try await store.read { ledger in
            let activity = try Self.activity(name, generation, in: app, ledger)
            guard let declaration = try ledger.declaration(version, of: activity.id) else {
                throw EyotError.versionUnknown(version, of: name, newest: activity.version)
            }
            return VersionPhones(
                activity: activity, declaration: declaration,
                broadcastAt: try ledger.broadcast(of: declaration, in: activity), next: ordinal)
        }
        var looked = 0
        while let after = page.next, page.phones.count < limit, looked < InspectActivity.replicasOfCall {
            let (start, left) = (page, limit - page.phones.count)
            let (found, next, count) = try await store.read {
                try Self.look(at: start, after: after, limit: left, wanted, in: $0, at: now)
            }
            page.phones += found
            (page.next, looked) = (next, looked + count)
        }
        return page
    }

    private static func activity(
        _ name: String, _ generation: Int?, in app: AppID, _ ledger: any Ledger
    ) throws -> Activity {
        guard let generation else {
            guard let newest = try ledger.newestActivity(named: name, in: app) else {
                throw try ledger.unknownActivity(name, in: app)
            }
            return newest
        }
        let all = try ledger.activities(named: name, in: app, limit: generations)
        guard let found = all.first(where: { $0.generation == generation }) else {
            throw EyotError(.activityUnknown, "activity \(name) has no such generation", field: "generation")
        }
        return found
    }

    /// - Returns: The wanted ones among the next cards of one page, the last that was looked at, or nil if there are no
    ///   more, and how many were looked at.
    private static func look(
        at page: VersionPhones, after ordinal: Int, limit: Int, _ wanted: String?, in ledger: any Ledger,
        at now: Instant
    ) throws -> (found: [PhoneOfVersion], next: Int?, looked: Int) {
        let activity = page.activity
        let cards = try ledger.replicas(of: activity.id, after: ordinal, limit: cardsAtOnce)
        guard let first = cards.first else { return ([], nil, 0) }
        let number = RingPage.number(of: first.ordinal)
        let lens = try ReplicaLens(ledger: ledger, activity: activity, now: now)
        let sources = VersionFate.Sources(
            rows: try ledger.acceptances(of: activity.id, onPage: number, limit: rowsOfPage),
            broadcastAt: page.broadcastAt)
        var found: [PhoneOfVersion] = []
        var last = ordinal
        var looked = 0
        for card in cards where RingPage.number(of: card.ordinal) == number && found.count < limit {
            (last, looked) = (card.ordinal, looked + 1)
            let fate = VersionFate(of: page.declaration, on: card, in: activity, sources)
            guard wanted.map({ $0 == fate.word }) ?? true else { continue }
            found.append(PhoneOfVersion(view: try lens.view(of: card, withUser: true), fate: fate))
        }
        let isLast = looked == cards.count && cards.count < cardsAtOnce
        return (found, isLast ? nil : last, looked)
    }
}

extension Ledger {
    /// When Apple accepted a declaration for a channel of the activity; nil if it did not, or its event is gone.
    func broadcast(of declaration: Declaration, in activity: Activity) throws -> Instant? {
        try broadcasts(of: activity, during: declaration.acceptedAt..<Instant(microseconds: .max))
            .first { $0.fact.version == declaration.version }?.at
    }

    /// The events of what Apple accepted for channels of the activity, oldest first. Of the app's broadcasts the first
    /// thousand in that time are looked at.
    func broadcasts(of activity: Activity, during moments: Range<Instant>) throws -> [Event] {
        guard try !channels(of: activity.id).isEmpty else { return [] }
        return try events(of: activity.app, .broadcastAccepted, during: moments, after: nil, limit: 1_000)
            .filter { $0.activity == activity.id }
    }
}

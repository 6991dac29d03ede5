import EyotContract
import EyotDomain

/// The number of devices in an audience, and what a start would do for them.
package struct AudienceCount: Sendable, Hashable {
    /// Devices of the audience.
    package private(set) var matched = 0
    /// Devices of the audience that a start would give a card. Nil if no type is known.
    package private(set) var eligible: Int?
    /// The other devices, by reason.
    package private(set) var skipped: [StartFailure: Int] = [:]
    /// Hashes of the users, because a million names would need too much memory.
    private var people: Set<Int> = []
    /// The last device that was counted.
    private(set) var last = DeviceID(rawValue: 0)
    /// Whether all devices were counted.
    package private(set) var isComplete = false

    package init() {}

    /// The number of users of the devices.
    package var users: Int { people.count }

    mutating func take(_ device: Device, _ verdict: StartFailure??) {
        matched += 1
        last = device.id
        if let user = device.user { people.insert(user.hashValue) }
        guard let verdict else { return }
        if let failure = verdict { skipped[failure, default: 0] += 1 } else { eligible = (eligible ?? 0) + 1 }
    }

    mutating func begin(asking: Bool) { if asking { eligible = eligible ?? 0 } }
    mutating func end() { isComplete = true }
}

/// The count of an audience as a start would find it, by page, each in a transaction of its own. Nothing is written.
package struct CountAudience: Sendable {
    /// Devices that one transaction reads.
    package static let page = 500
    /// Devices that one request counts at most.
    package static let limit = 1_000_000
    /// Seconds for which one request counts at most.
    package static let longest = 20.0

    let app: AppID
    let now: Instant
    let audience: Audience
    let type: String?
    let activity: String?
    let isForced: Bool
    let restartsDismissed: Bool

    /// Reads `{"audience": …, "type": …, "activity": …, "force": …, "restartDismissed": …}`.
    package init(json: JSONValue, app: AppID, now: Instant) throws(EyotError) {
        self.app = app
        self.now = now
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            type = try fields.optionalIdentifier("type")
            activity = try fields.optionalIdentifier("activity")
            isForced = try fields.bool("force") ?? false
            restartsDismissed = try fields.bool("restartDismissed") ?? false
            // It is read later, with errors of its own.
            _ = try fields.required("audience", fields.value("audience"))
            try fields.finish()
        } catch {
            throw EyotError(error)
        }
        audience = try Audience(json: json.object?["audience"] ?? .null, at: "audience")
    }

    /// Counts the next page. One transaction that reads.
    package func callAsFunction(_ former: AudienceCount, in ledger: any Ledger) throws -> AudienceCount {
        var count = former
        let resolved = try ResolveAudience(Transaction(ledger, at: now), app: app)(audience)
        let (decision, running) = try decision(in: ledger)
        count.begin(asking: decision != nil)
        let devices = try ledger.devices(in: resolved, of: app, after: former.last, limit: Self.page)
        for device in devices {
            guard let decision else {
                count.take(device, nil)
                continue
            }
            let existing = try running.map { running in
                try ledger.replicas(of: device.id, named: running.name, in: app).filter { $0.activity == running.id }
            }
            count.take(
                device, .some(try decision.failure(for: device, existing: existing ?? [], insteadOf: running?.id)))
        }
        if devices.count < Self.page { count.end() }
        return count
    }

    /// The decision of a start for each device, and the running generation. The decision is nil if the type is not
    /// known.
    private func decision(in ledger: any Ledger) throws -> (StartDecision?, running: Activity?) {
        let newest = try activity.flatMap { try ledger.newestActivity(named: $0, in: app) }
        let running = newest.flatMap { $0.isEnded ? nil : $0 }
        guard let type = type ?? newest?.type else { return (nil, running) }
        if let known = running?.type, known != type {
            throw EyotError(.typeMismatch, "activity \(activity ?? "") is of type \(known)", field: "type")
        }
        let terms = StartTerms(
            attributesVersion: 0, isScoped: false, alerted: 0, startsAt: now, isForced: isForced,
            restartsDismissed: restartsDismissed)
        let profile = try ledger.effectiveProfile(of: type, in: app)
        return (
            StartDecision(transaction: Transaction(ledger, at: now), terms: terms, type: type, profile: profile),
            running
        )
    }
}

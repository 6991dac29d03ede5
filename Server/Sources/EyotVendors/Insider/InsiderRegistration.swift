import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

import struct Foundation.UUID

/// Insider's calls that set the participants before an activity starts.
struct InsiderRegistration {
    /// The shortest time to the end of an activity, in seconds. `longest` is the longest one.
    private static let shortest = 300.0
    private static let longest = 7 * 86_400.0
    /// How many ended activities are deleted with each registration. It exceeds one, so that they do not pile up.
    private static let forgetting = 20

    let backend: Backend

    func register(_ call: Call) async throws -> Route.Command {
        let people = try InsiderPeople(call, registers: true)
        let app = try call.app.id
        let end = try Self.end(people, at: call.now)
        let found = try await eligibility(of: people, in: app, call)
        guard found.count > 0 else { throw InsiderFault.noEligibleDevice(found).refusal }
        let activity = InsiderActivity(
            app: app, id: UUID().uuidString.lowercased(), type: people.type, users: people.users, endsAt: end)
        return { ledger in
            try ledger.forgetVendorRecords(of: .insider, endedBefore: call.now, limit: Self.forgetting)
            try ledger.put(activity)
            return Self.answer(activity.id, people, found, Counts(added: found.count))
        }
    }

    func add(_ call: Call) async throws -> Route.Command {
        let people = try InsiderPeople(call, registers: false)
        let found = try await eligibility(of: people, in: call.app.id, call)
        return { ledger in
            var activity = try registered(people, ledger, call)
            let former = Set(activity.users)
            let all = former.union(people.users)
            guard all.count <= InsiderActivity.userLimit else {
                throw EyotError(
                    .fieldInvalid, "insider_ids would make more than \(InsiderActivity.userLimit) people",
                    field: "insider_ids")
            }
            guard found.count > 0 else { throw InsiderFault.noEligibleDevice(found).refusal }
            activity.users = all.sorted()
            try ledger.put(activity)
            let added = people.users.filter { !former.contains($0) }.reduce(0) { $0 + (found.devices[$1] ?? 0) }
            return Self.answer(activity.id, people, found, Counts(added: added, refreshed: found.count - added))
        }
    }

    func remove(_ call: Call) async throws -> Route.Command {
        let people = try InsiderPeople(call, registers: false)
        let found = try await eligibility(of: people, in: call.app.id, call)
        return { ledger in
            var activity = try registered(people, ledger, call)
            let leaving = Set(people.users).intersection(activity.users)
            activity.users.removeAll(where: leaving.contains)
            try ledger.put(activity)
            let removed = leaving.reduce(0) { $0 + (found.devices[$1] ?? 0) }
            return Self.answer(activity.id, people, nil, Counts(removed: removed))
        }
    }

    private func eligibility(of people: InsiderPeople, in app: AppID, _ call: Call) async throws -> InsiderEligibility {
        try await InsiderEligibility.find(
            people.users, type: people.type, in: app, of: backend.store, at: call.now)
    }

    /// Returns the activity of a call while its participants may still change.
    private func registered(
        _ people: InsiderPeople, _ ledger: any Ledger, _ call: Call
    ) throws -> InsiderActivity {
        let (id, app) = (people.id ?? "", try call.app.id)
        let found = try ledger.spokenOfInsiderActivity(id, in: app, at: call.now)
        if found == nil, let newest = try ledger.newestActivity(named: id, in: app), !newest.isEnded {
            // A card that began on a device counts as started.
            throw InsiderFault.alreadyStarted.refusal
        }
        guard let activity = found, activity.state != .dead, activity.endsAt > call.now else {
            throw EyotError.activityUnknown(id)
        }
        guard activity.type == people.type else {
            throw EyotError(.fieldInvalid, "activity_type is \(activity.type), as it was registered")
        }
        guard activity.state == .registered else { throw InsiderFault.alreadyStarted.refusal }
        return activity
    }

    private static func end(_ people: InsiderPeople, at now: Instant) throws -> Instant {
        guard let end = people.endsAt else { throw EyotError(.fieldMissing, "ends_at is missing", field: "ends_at") }
        guard end > now else { throw InsiderFault.endsInPast.refusal }
        guard end >= now + shortest else { throw InsiderFault.endsTooSoon.refusal }
        guard end <= now + longest else { throw InsiderFault.endsTooFar.refusal }
        return end
    }

    /// The devices that a call has added, found again, and removed.
    private struct Counts {
        var added = 0
        var refreshed = 0
        var removed = 0
    }

    private static func answer(
        _ id: String, _ people: InsiderPeople, _ found: InsiderEligibility?, _ counts: Counts
    ) -> Answer {
        var object = JSONObject([
            ("status", "success"), ("activity_id", .string(id)), ("matched", .integer(found?.count ?? 0)),
            ("added", .integer(counts.added)), ("refreshed", .integer(counts.refreshed)),
            ("removed", .integer(counts.removed)),
            ("skipped", (found ?? InsiderEligibility()).skippedJSON),
        ])
        if !people.warnings.isEmpty { object["warnings"] = .array(people.warnings.map(JSONValue.string)) }
        return Answer(.ok, .object(object))
    }
}

import APNSWire
import EyotContract
import EyotDomain
import PhoneSimulator

/// Checks that a phone sounds an alert once (R4), on any of its cards and after any answer of Apple.
extension Simulation {
    /// Judges the push that a phone has just received.
    func judgeSound(of token: SimulatedToken, _ template: PushTemplate) throws {
        let phone = phones[token.phone]
        guard phone.state.pushes.entries.last?.alerted == true, let (activity, start) = try origin(token, template),
            let version = try alertVersion(in: template), let declared = try ledger.declaration(version, of: activity),
            !declared.content.isUrgent
        else { return }
        // A card that is started later, or again because of `force`, alerts by itself.
        if let start, try start.createdAt > declared.acceptedAt || isAnew(start, on: phone) { return }
        // So does one that left so late that the card with the first sound is over.
        if start != nil, declared.acceptedAt + Replica.cardLifetime <= time { return }
        // A node with a clock ahead declared it later than the takeover by the clock of the database.
        if let back = wentBackAt, back <= declared.acceptedAt, declared.acceptedAt < back + skew { return }
        let sound = SimulationRecord.Sound(phone: token.phone, activity: activity, version: version)
        if !record.sounded.insert(sound).inserted {
            record.violate(
                "R4: alert \(version) of activity \(activity.rawValue) sounds twice on phone-\(token.phone + 1)")
        }
    }

    /// Returns the activity of a push, and the place of a start.
    private func origin(_ token: SimulatedToken, _ template: PushTemplate) throws -> (ActivityID, Replica?)? {
        let device = phones[token.phone].device
        if let card = token.card {
            return try ledger.replica(ofInstance: card, on: device).map { ($0.activity, nil) }
        }
        return try startingReplica(of: token.phone, template).map { ($0.activity, $0) }
    }

    /// Whether a start replaces an earlier one that may have left.
    private func isAnew(_ start: Replica, on phone: SimulationPhone) throws -> Bool {
        guard let name = try ledger.activity(start.activity)?.name else { return false }
        return try ledger.replicas(of: phone.device, named: name, in: app).contains {
            $0.activity == start.activity && $0.ordinal < start.ordinal && $0.phase == .notStarted(.givenUp)
        }
    }

    private func alertVersion(in template: PushTemplate) throws -> Int? {
        let aps = try JSONValue(parsing: template.body(timestamp: now.second)).object?["aps"]?.object
        return aps?["alert"]?.object?["body"]?.string.flatMap { Int($0) }
    }
}

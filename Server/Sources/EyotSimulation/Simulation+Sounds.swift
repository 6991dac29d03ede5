import APNSWire
import EyotContract
import EyotDomain
import PhoneSimulator

/// A phone sounds an alert once (R4), whichever of its cards brings it and whatever became of Apple's answer.
extension Simulation {
    /// Judges the push that a phone has just received.
    func judgeSound(of token: SimulatedToken, _ template: PushTemplate) throws {
        let phone = phones[token.phone]
        guard phone.state.pushes.entries.last?.alerted == true, let (activity, start) = try origin(token, template),
            let version = try alertVersion(in: template), let declared = try ledger.declaration(version, of: activity),
            !declared.content.isUrgent
        else { return }
        // A card that is started later, or once more because a caller insists, alerts by itself.
        if let start, try start.createdAt > declared.acceptedAt || isAnew(start, on: phone) { return }
        let sound = "phone-\(token.phone + 1) \(activity.rawValue)-\(version)"
        let former = record.sounded.updateValue(record.recoveries, forKey: sound)
        if former == record.recoveries { record.violate("R4: \(sound) sounds twice") }
    }

    /// The activity of a push, and the place of a start.
    private func origin(_ token: SimulatedToken, _ template: PushTemplate) throws -> (ActivityID, Replica?)? {
        let device = phones[token.phone].device
        if let card = token.card {
            return try ledger.replica(ofInstance: card, on: device).map { ($0.activity, nil) }
        }
        return try startingReplica(of: token.phone, template).map { ($0.activity, $0) }
    }

    /// Whether a start takes the place of one before it that may have left.
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

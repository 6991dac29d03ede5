import APNSWire
import EyotContract
import EyotDomain
import PhoneSimulator

/// A phone sounds an alert once (R4), whichever of its cards brings it and whatever became of Apple's answer.
extension Simulation {
    /// Judges the push that a phone has just received.
    func judgeSound(of token: SimulatedToken, _ template: PushTemplate) throws {
        let phone = phones[token.phone]
        guard phone.state.pushes.entries.last?.alerted == true, let (activity, startedAt) = try origin(token, template),
            let version = try alertVersion(in: template), let declared = try ledger.declaration(version, of: activity),
            !declared.content.isUrgent
        else { return }
        // A card that is started later by the same declaration alerts by itself.
        if let startedAt, startedAt > declared.acceptedAt { return }
        let sound = "phone-\(token.phone + 1) \(activity.rawValue)-\(version)"
        let former = record.sounded.updateValue(record.recoveries, forKey: sound)
        if former == record.recoveries { record.violate("R4: \(sound) sounds twice") }
    }

    /// The activity of a push, and for a start when its place was kept.
    private func origin(_ token: SimulatedToken, _ template: PushTemplate) throws -> (ActivityID, Instant?)? {
        let device = phones[token.phone].device
        if let card = token.card {
            return try ledger.replica(ofInstance: card, on: device).map { ($0.activity, nil) }
        }
        return try startingReplica(of: token.phone, template).map { ($0.activity, $0.createdAt) }
    }

    private func alertVersion(in template: PushTemplate) throws -> Int? {
        let aps = try JSONValue(parsing: template.body(timestamp: now.second)).object?["aps"]?.object
        return aps?["alert"]?.object?["body"]?.string.flatMap { Int($0) }
    }
}

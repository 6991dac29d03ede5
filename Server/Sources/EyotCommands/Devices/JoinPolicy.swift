import EyotDomain

/// The rule for which devices may learn what an activity shows (R12). A device may if it has shown the join secret, if
/// the activity is open to it, or if it has a place there. An activity is open to all devices if it is public,
/// otherwise to proven users that it was started for. An undeclared one is open too, to proven users only if the app
/// requires proofs. A place does not count if its start was cancelled, or its card ends, for another person.
struct JoinPolicy {
    let ledger: any Ledger
    /// The activities that the device has shown the join secret of.
    var opened: Set<ActivityID> = []

    func callAsFunction(_ activity: Activity, _ device: Device) throws -> Bool {
        guard let app = try ledger.app(device.app), activity.app == app.id else { return false }
        if opened.contains(activity.id) { return true }
        if activity.isOpen(to: device, of: app) { return true }
        return try ledger.replicas(of: device.id, named: activity.name, in: device.app)
            .contains { $0.activity == activity.id && $0.phase != .notStarted(.otherPerson) && !$0.endsForOther }
    }

    /// Whether an unreported card of an undeclared name opens an activity.
    func opens(_ name: String, _ device: Device, at now: Instant) throws -> Bool {
        guard let app = try ledger.app(device.app) else { return false }
        let first = Activity(
            id: ActivityID(rawValue: 0), app: app.id, name: name, generation: 1, type: nil, createdAt: now)
        return first.isOpen(to: device, of: app)
    }
}

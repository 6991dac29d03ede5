import EyotDomain

/// The rule for which devices may learn what an activity shows (R12). The activity is public, or the device has shown
/// its join secret, or the device's user is proven and the activity was started for that user. Otherwise the device
/// needs a place in it: by a start that was not cancelled for another person, or because it has joined before.
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

import EyotDomain

/// Whether a device may learn what an activity shows (R12): it is public, a start was made for the device and not called off for its user, it has joined before, or its
/// user is proven to be one for whom it was started, or it has shown the activity's join secret.
struct JoinPolicy {
    let ledger: any Ledger
    /// Activities whose join secrets the device has shown.
    var opened: Set<ActivityID> = []

    func callAsFunction(_ activity: Activity, _ device: Device) throws -> Bool {
        guard let app = try ledger.app(device.app), activity.app == app.id else { return false }
        if opened.contains(activity.id) { return true }
        if activity.isOpen(to: device, of: app) { return true }
        return try ledger.replicas(of: device.id, named: activity.name, in: device.app)
            .contains { $0.activity == activity.id && $0.phase != .notStarted(.otherPerson) && !$0.endsForOther }
    }

    /// Whether a card of a name that nobody has spoken of makes an activity.
    func opens(_ name: String, _ device: Device, at now: Instant) throws -> Bool {
        guard let app = try ledger.app(device.app) else { return false }
        let first = Activity(
            id: ActivityID(rawValue: 0), app: app.id, name: name, generation: 1, type: nil, createdAt: now)
        return first.isOpen(to: device, of: app)
    }
}

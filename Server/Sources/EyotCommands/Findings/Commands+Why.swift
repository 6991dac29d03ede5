import EyotDomain

/// The answer to "why does this phone show what it shows?".
package struct Explanation: Sendable {
    /// The phone that is explained; nil if no phone is known.
    package var device: Device?
    package var finding: Finding
    /// What happened to the phone, and to the activity that is asked about, oldest first.
    package var story: [EventView] = []
    /// Findings for the user's other phones, most recently heard of first.
    package var others: [(device: Device, finding: Finding)] = []
}

extension Commands {
    /// The phone, or the user with phones, that is asked about.
    package enum Subject: Sendable {
        case user(String)
        case device(DeviceID)
    }

    /// The most phones of a user, and entries of a story.
    private static let explainedDevices = 20
    private static let storyLength = 200

    /// Explains what a phone shows.
    ///
    /// - Parameter name: The activity; nil asks whether a card could be started on the phone.
    /// - Throws: `activityUnknown`, and `deviceUnknown` if a device is asked about that there is not.
    package func explain(
        _ subject: Subject, activity name: String?, of app: App, at now: Instant
    ) async throws -> Explanation {
        let status = pushing.status(at: now)
        let (devices, activity, found) = try await store.read { ledger in
            let devices = try subject.devices(of: app.id, in: ledger, limit: Self.explainedDevices)
            let activity = try name.map { name in
                guard let newest = try ledger.newestActivity(named: name, in: app.id) else {
                    throw try ledger.unknownActivity(name, in: app.id)
                }
                return newest
            }
            let found = try devices.map { device in
                try Diagnose(Transaction(ledger, at: now), of: device, in: app, pushing: status)(activity)
            }
            return (devices, activity, found)
        }
        guard let device = devices.first, let finding = found.first else {
            return Explanation(
                finding: Finding(.notRegistered, "No phone of this user is known.", .certain, []))
        }
        var explanation = Explanation(device: device, finding: finding)
        explanation.others = Array(zip(devices, found).dropFirst()).map { ($0, $1) }
        explanation.story = try await story(of: device, in: activity, of: app.id)
        if case .user(let user) = subject {
            // What happened on the phone under a former user is not this user's story (R12).
            explanation.story.removeAll { $0.event.device != nil && $0.user != user }
        }
        return explanation
    }

    /// Events of a phone, without those of other activities, and the declarations of the activity.
    private func story(of device: Device, in activity: Activity?, of app: AppID) async throws -> [EventView] {
        try await store.read { ledger in
            func newest(_ subject: EventSubject) throws -> [Event] {
                try ledger.newestEvents(of: app, about: subject, before: .max, limit: Self.storyLength)
            }
            var events = try newest(.device(device.id))
            if let activity {
                events = events.filter { $0.belongs(to: activity) }
                events += try newest(.activity(activity.id)).filter { $0.device == nil }
            }
            return try events.sorted { $0.id < $1.id }.suffix(Self.storyLength).map { try EventView($0, in: ledger) }
        }
    }
}

extension Event {
    /// Whether it belongs to the story of a card of the activity: start tokens of other types do not.
    fileprivate func belongs(to activity: Activity) -> Bool {
        switch fact.kind {
        case .startTokenSet, .startTokenReplaced, .startTokenRemoved, .startTokenRestored:
            fact.reason == activity.type
        default: self.activity == nil || self.activity == activity.id
        }
    }
}

extension Commands.Subject {
    /// The phones, most recently heard of first.
    fileprivate func devices(of app: AppID, in ledger: any Ledger, limit: Int) throws -> [Device] {
        switch self {
        case .device(let id): return [try Device.known(id, of: app, in: ledger)]
        case .user(let user):
            return try ledger.devices(in: .user(user), of: app, after: DeviceID(rawValue: 0), limit: limit)
                .sorted { $0.seenAt > $1.seenAt }
        }
    }
}

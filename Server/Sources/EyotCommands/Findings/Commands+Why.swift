import EyotDomain

/// The answer to "why does this phone show what it shows?".
package struct Explanation: Sendable {
    /// The phone that is explained; nil if no phone is known.
    package var device: Device?
    package var finding: Finding
    /// What happened to the phone, and to the activity that is asked about, oldest first.
    package var story: [StoryEntry] = []
    /// Findings for the user's other phones, most recently heard of first.
    package var others: [(device: Device, finding: Finding)] = []
    /// The newest cards on the phones, newest first, unless one activity is asked about.
    package var cards: [Card] = []

    /// A card, and why it shows what it shows.
    package struct Card: Sendable {
        package var activity: Activity
        package var view: ReplicaView
        package var finding: Finding
    }
}

extension Commands {
    /// The phone, or the user with phones, that is asked about.
    package enum Subject: Sendable {
        case user(String)
        case device(DeviceID)
    }

    /// The most phones of a user.
    private static let explainedDevices = 20
    /// The most cards that are explained beside each other.
    private static let explainedCards = 20

    /// Explains what a phone shows.
    ///
    /// - Parameters:
    ///   - name: The activity; nil asks whether a card could be started on the phone.
    ///   - version: The declaration that is asked about; nil asks about the newest.
    /// - Throws: `activityUnknown`, and `deviceUnknown` if a device is asked about that there is not.
    package func explain(
        _ subject: Subject, activity name: String?, version: Version? = nil, of app: App, at now: Instant
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
                try Diagnose(Transaction(ledger, at: now), of: device, in: app, pushing: status)(activity, version)
            }
            return (devices, activity, found)
        }
        guard let device = devices.first, let finding = found.first else {
            return Explanation(finding: try await withoutPhone(subject, of: app.id))
        }
        var explanation = Explanation(device: device, finding: finding)
        explanation.others = Array(zip(devices, found).dropFirst()).map { ($0, $1) }
        if name == nil {
            explanation.cards = try await store.read { ledger in
                let transaction = Transaction(ledger, at: now)
                return try subject.cards(on: devices, in: ledger).prefix(Self.explainedCards).compactMap {
                    device, card in
                    try Diagnose(transaction, of: device, in: app, pushing: status).card(card)
                }
            }
        }
        explanation.story = try await store.read { ledger in
            // What happened on the phone under a former user is not this user's story (R12).
            let since: Instant? = if case .user = subject { device.userSince } else { nil }
            return try ReadStory(Transaction(ledger, at: now), of: device, in: app.id, since: since)(activity)
        }
        return explanation
    }

    private func withoutPhone(_ subject: Subject, of app: AppID) async throws -> Finding {
        guard case .user(let user) = subject, try await store.read({ try $0.user(user, in: app) }) != nil else {
            return Finding(.notRegistered, "No phone of this user is known.")
        }
        return Finding(
            .notIdentified, "The user is known, and no phone is signed in as this user now.", .certain,
            [
                "The backend, or a phone, has named the user before.",
                "Either the person has logged out, another person has logged in, the app was deleted or not opened since, "
                    + "or the phone was removed from Eyot.",
            ])
    }
}

extension Commands.Subject {
    /// The cards on phones, newest first. A card from before belonged to another user of the phone (R12).
    fileprivate func cards(on devices: [Device], in ledger: any Ledger) throws -> [(Device, Replica)] {
        var cards: [(Device, Replica)] = []
        for device in devices {
            let isOfUser = if case .user = self { true } else { false }
            try ledger.forEachReplica(of: device.id) { card in
                guard !card.endsForOther, !isOfUser || !card.hasFormerPerson(on: device) else { return }
                cards.append((device, card))
            }
        }
        return cards.sorted { $0.1.createdAt > $1.1.createdAt }
    }

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

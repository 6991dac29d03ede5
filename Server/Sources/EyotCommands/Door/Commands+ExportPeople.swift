import EyotContract
import EyotDomain

/// The data that is stored of a device.
package struct DeviceExport: Sendable {
    package var device: Device
    package var cards: [Card] = []
    /// What happened to it under its present user, newest first.
    package var events: [EventView] = []
    /// Whether all of its cards and events are listed.
    package var isComplete = false

    package struct Card: Sendable {
        package var replica: Replica
        package var activity: Activity
        /// The state that was declared for this card alone; nil for none.
        package var content: JSONValue?
        /// What the phone last reported of the card; nil if it never did.
        package var echo: Echo?
    }
}

/// The data that is stored of a user.
package struct UserExport: Sendable {
    package var user: User
    package var devices: [DeviceExport] = []
    package var segments: [String] = []
    /// Names of the activities with a live audience that names the user.
    package var liveAudiences: [String] = []
    package var testDevices: [String] = []
    /// Names of the activities with a start that named the user.
    package var activities: [String] = []
    package var records: [VendorRecord.Key] = []
    package var isComplete = false
}

extension Commands {
    /// How many devices of a user an export shows. `cardLimit` is the same for cards of a device.
    package static let exportedDevices = 100
    package static let exportedCards = 1_000
    package static let exportedEvents = 1_000
    /// How many cards one transaction reads.
    private static let cardsAtOnce = 200

    /// - Throws: `deviceUnknown`.
    package func export(_ id: DeviceID, of app: AppID) async throws -> DeviceExport {
        try await export(try await store.read { try Device.known(id, of: app, in: $0) })
    }

    /// - Throws: `userUnknown`.
    package func exportUser(_ externalID: String, of app: AppID) async throws -> UserExport {
        let (user, devices) = try await store.read { ledger in
            (
                try ledger.user(externalID, in: app),
                try ledger.devices(
                    in: .user(externalID), of: app, after: DeviceID(rawValue: 0), limit: Self.exportedDevices + 1)
            )
        }
        guard user != nil || !devices.isEmpty else { throw EyotError.userUnknown(externalID) }
        var export = UserExport(user: user ?? User(app: app, externalID: externalID))
        for device in devices.prefix(Self.exportedDevices) {
            export.devices.append(try await self.export(device))
        }
        export.isComplete = devices.count <= Self.exportedDevices && export.devices.allSatisfy(\.isComplete)
        return try await naming(export, in: app)
    }

    /// Adds the other data that names the user: segments, live audiences, test devices, activities and records.
    private func naming(_ former: UserExport, in app: AppID) async throws -> UserExport {
        let externalID = former.user.externalID
        var export = former
        var traces = ForgetUser.Traces()
        var activities: [ActivityID] = []
        repeat {
            traces = try await store.read { [traces] in
                try ForgetUser(ledger: $0, app: app, user: externalID).traces(after: traces)
            }
            activities += traces.activities
            export.records += traces.records
            export.segments += traces.segments
        } while !traces.isEmpty
            && activities.count + export.records.count + export.segments.count < Self.exportedCards
        return try await store.read { [activities, export] ledger in
            func names(_ ids: [ActivityID]) throws -> [String] { try ids.compactMap { try ledger.activity($0)?.name } }
            var export = export
            export.liveAudiences = try names(
                try ledger.liveAudiences(of: app, limit: LiveAudience.perApp)
                    .filter { $0.asked.audience.names(user: externalID) }.map(\.activity))
            export.testDevices = try ledger.testDevices(of: app).filter { $0.target == .user(externalID) }.map(\.name)
            export.activities = try names(activities)
            return export
        }
    }

    private func export(_ device: Device) async throws -> DeviceExport {
        var export = DeviceExport(device: device)
        var last = (activity: ActivityID(rawValue: 0), ordinal: 0)
        while !export.isComplete, export.cards.count < Self.exportedCards {
            let (page, next) = try await store.read { [last] ledger in
                let replicas = try ledger.replicas(
                    of: device.id, after: last.activity, ordinal: last.ordinal, limit: Self.cardsAtOnce)
                let page = try replicas.compactMap { replica -> DeviceExport.Card? in
                    let own = try ledger.declaration(replica.scopedState, of: replica.activity)
                    let content = own?.scope == .members(count: 1) ? own?.content.state : nil
                    let echo = try ledger.echo(of: replica.activity, ordinal: replica.ordinal)
                    return try ledger.activity(replica.activity).map {
                        DeviceExport.Card(replica: replica, activity: $0, content: content, echo: echo)
                    }
                }
                let isOver = replicas.count < Self.cardsAtOnce
                return (page, isOver ? nil : replicas.last.map { ($0.activity, $0.ordinal) })
            }
            export.cards += page
            if let next { last = next } else { export.isComplete = true }
        }
        let events = try await self.events(of: device)
        export.events = Array(events.prefix(Self.exportedEvents))
        export.isComplete = export.isComplete && events.count <= Self.exportedEvents
        return export
    }

    /// The events of a device since it has its user, newest first. Those from before are of another person (R12).
    private func events(of device: Device) async throws -> [EventView] {
        try await store.read { ledger in
            try ledger.newestEvents(
                of: device.app, about: .device(device.id), before: .max, limit: Self.exportedEvents + 1
            )
            .prefix { event in device.userSince.map { $0 <= event.at } ?? true }
            .map { try EventView($0, in: ledger) }
        }
    }
}

import EyotCommands
import EyotContract
import EyotDomain

/// Routes that export and remove the data of a person or a device.
struct PrivacyRoutes {
    /// How many devices of a user an export shows. `cardLimit` is the same for cards of a device.
    static let deviceLimit = 100
    static let cardLimit = 1_000
    /// How many devices one call removes.
    static let removalLimit = 10_000
    /// The same for a call that names an audience.
    static let bulkRemovalLimit = 1_000
    /// How many cards one transaction reads.
    private static let cardsAtOnce = 200

    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/users/{externalID}/export", .key(.peopleRead), exportUser),
            .get("/v1/devices/{id}/export", .key(.peopleRead), exportDevice),
            .delete("/v1/users/{externalID}", .key(.peopleWrite), removeUser),
            .delete("/v1/devices/{id}", .key(.peopleWrite), removeDevice),
            .work("/v1/devices/remove", .key(.peopleWrite), removeDevices),
        ]
    }

    // MARK: Showing

    private func exportDevice(_ call: Call) async throws -> Answer {
        let (app, id) = (try call.app.id, try call.deviceID())
        let device = try await backend.store.read { try Device.known(id, of: app, in: $0) }
        let (json, isComplete) = try await export(device)
        return Answer(.ok, ["device": json, "isComplete": .bool(isComplete)])
    }

    private func exportUser(_ call: Call) async throws -> Answer {
        let (app, externalID) = (try call.app.id, try call.parameter("externalID"))
        let (user, devices) = try await backend.store.read { ledger in
            (
                try ledger.user(externalID, in: app),
                try ledger.devices(
                    in: .user(externalID), of: app, after: DeviceID(rawValue: 0), limit: Self.deviceLimit + 1)
            )
        }
        guard user != nil || !devices.isEmpty else { throw Self.unknown(externalID) }
        var isComplete = devices.count <= Self.deviceLimit
        var list: [JSONValue] = []
        for device in devices.prefix(Self.deviceLimit) {
            let (json, isWhole) = try await export(device)
            list.append(json)
            isComplete = isComplete && isWhole
        }
        let said = (user ?? User(app: app, externalID: externalID)).json
        let named = try await names(of: externalID, in: app)
        return Answer(
            .ok, ["user": said, "devices": .array(list), "named": named, "isComplete": .bool(isComplete)])
    }

    /// Returns the other data that names a person: segments, live audiences, test devices and activities.
    private func names(of externalID: String, in app: AppID) async throws -> JSONValue {
        var traces = ForgetUser.Traces()
        var (activities, records, segments): ([ActivityID], [VendorRecord.Key], [String]) = ([], [], [])
        repeat {
            traces = try await backend.store.read { [traces] in
                try ForgetUser(ledger: $0, app: app, user: externalID).traces(after: traces)
            }
            activities += traces.activities
            records += traces.records
            segments += traces.segments
        } while !traces.isEmpty && activities.count + records.count + segments.count < Self.cardLimit
        return try await backend.store.read { [activities, records, segments] ledger in
            func texts(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }
            let live = try ledger.liveAudiences(of: app, limit: LiveAudience.perApp)
                .filter { $0.asked.audience.names(user: externalID) }.map(\.activity)
            func names(_ ids: [ActivityID]) throws -> [String] { try ids.compactMap { try ledger.activity($0)?.name } }
            var object = JSONObject([
                ("segments", texts(segments)), ("liveAudiences", texts(try names(live))),
                (
                    "testDevices",
                    texts(try ledger.testDevices(of: app).filter { $0.target == .user(externalID) }.map(\.name))
                ),
                ("activities", texts(try names(activities))),
            ])
            let vendors = Dictionary(grouping: records, by: \.vendor.rawValue).sorted { $0.key < $1.key }
            if !vendors.isEmpty {
                object["vendorRecords"] = .object(JSONObject(vendors.map { ($0.key, texts($0.value.map(\.id))) }))
            }
            return .object(object)
        }
    }

    private func export(_ device: Device) async throws -> (JSONValue, isComplete: Bool) {
        var cards: [JSONValue] = []
        var last = (activity: ActivityID(rawValue: 0), ordinal: 0)
        var isComplete = false
        while !isComplete, cards.count < Self.cardLimit {
            let (page, next) = try await backend.store.read { [last] ledger in
                let replicas = try ledger.replicas(
                    of: device.id, after: last.activity, ordinal: last.ordinal, limit: Self.cardsAtOnce)
                let page = try replicas.compactMap { replica in
                    let own = try ledger.declaration(replica.scoped, of: replica.activity)
                    let content = own?.scope == .members(count: 1) ? own?.content.state : nil
                    return try ledger.activity(replica.activity).map { replica.export(in: $0, content) }
                }
                let isOver = replicas.count < Self.cardsAtOnce
                return (page, isOver ? nil : replicas.last.map { ($0.activity, $0.ordinal) })
            }
            cards += page
            if let next { last = next } else { isComplete = true }
        }
        var object = try await backend.store.read { try DeviceView(device, in: $0) }.json.object ?? JSONObject()
        object["installation"] = .string(device.installation)
        object["cards"] = .array(cards)
        return (.object(object), isComplete)
    }

    // MARK: Removing

    private func removeDevice(_ call: Call) async throws -> Answer {
        let (app, id) = (try call.app.id, try call.deviceID())
        let device = try await backend.store.read { try $0.device(id) }
        guard let device, device.app == app else {
            throw EyotError(.deviceUnknown, "there is no device \(id.rawValue)")
        }
        try await erase(try await forget(id, at: call.now))
        try await backend.store.foldLog()
        return Answer(.noContent, nil)
    }

    /// Removes the devices of an audience, proven or not, up to a limit for each call.
    private func removeDevices(_ call: Call) async throws -> Answer {
        let app = try call.app.id
        let json = try call.json()
        _ = try call.fields { fields throws(JSONFieldError) in try fields.required("audience", fields.value("audience"))
        }
        let audience = try Audience(json: json.object?["audience"] ?? .null, at: "audience")
        let found = try await backend.store.search(of: app) { ledger in
            let all = try ResolveAudience(Transaction(ledger, at: call.now), app: app, believesAll: true)(audience)
            return try ledger.deviceIDs(in: all, of: app, limit: Self.bulkRemovalLimit + 1)
        }
        var traces: Set<EraseContents.Trace> = []
        for device in found.prefix(Self.bulkRemovalLimit) { traces.formUnion(try await forget(device, at: call.now)) }
        try await erase(traces)
        try await backend.store.foldLog()
        let removed = min(found.count, Self.bulkRemovalLimit)
        return Answer(.ok, ["removed": .integer(removed), "hasMore": .bool(found.count > removed)])
    }

    /// Removes a user, devices first. If the call is interrupted, a repetition finds the rest.
    private func removeUser(_ call: Call) async throws -> Answer {
        let (app, externalID) = (try call.app.id, try call.parameter("externalID"))
        let isKnown = try await backend.store.read { try $0.user(externalID, in: app) != nil }
        var devices = 0
        var traces: Set<EraseContents.Trace> = []
        while let device = try await nextDevice(of: externalID, in: app) {
            guard devices < Self.removalLimit else {
                throw EyotError(.unavailable, "\(devices) devices were removed, and more are left: repeat the call")
            }
            traces.formUnion(try await forget(device, at: call.now))
            devices += 1
        }
        guard isKnown || devices > 0 else { throw Self.unknown(externalID) }
        try await erase(traces)
        try await removeTraces(of: externalID, in: app)
        try await backend.store.write { try ForgetUser(ledger: $0, app: app, user: externalID)() }
        try await backend.store.foldLog()
        return Answer(.noContent, nil)
    }

    private func removeTraces(of externalID: String, in app: AppID) async throws {
        var traces = ForgetUser.Traces()
        while true {
            traces = try await backend.store.read { [traces] in
                try ForgetUser(ledger: $0, app: app, user: externalID).traces(after: traces)
            }
            guard !traces.isEmpty else { return }
            try await backend.store.write { [traces] in
                try ForgetUser(ledger: $0, app: app, user: externalID).remove(traces)
            }
        }
    }

    private func nextDevice(of externalID: String, in app: AppID) async throws -> DeviceID? {
        try await backend.store.read { try $0.deviceIDs(in: .user(externalID), of: app, limit: 1).first }
    }

    /// - Returns: the traces that the device's cards leave in declarations.
    private func forget(_ id: DeviceID, at now: Instant) async throws -> Set<EraseContents.Trace> {
        var traces: Set<EraseContents.Trace> = []
        var place: ForgetDevice.Place? = ForgetDevice.Place()
        while let from = place {
            let (some, next) = try await backend.store.read {
                try EraseContents(ledger: $0).traces(of: id, after: from)
            }
            traces.formUnion(some)
            place = next
        }
        place = ForgetDevice.Place()
        while let from = place {
            place = try await backend.store.write { try ForgetDevice(Transaction($0, at: now))(id, after: from) }
        }
        return traces
    }

    /// Erases declarations that applied to removed devices, in transactions of limited size.
    private func erase(_ traces: Set<EraseContents.Trace>) async throws {
        for trace in traces {
            let versions = try await backend.store.read { try EraseContents(ledger: $0).versions(trace) }
            for start in stride(from: 0, to: versions.count, by: Self.cardsAtOnce) {
                let some = versions[start..<min(start + Self.cardsAtOnce, versions.count)]
                try await backend.store.write { ledger in
                    for version in some { try ledger.eraseDeclaration(version, of: trace.activity) }
                }
            }
        }
    }

    private static func unknown(_ externalID: String) -> EyotError {
        EyotError(.userUnknown, "there is no user \(externalID)")
    }
}

extension Replica {
    /// Returns the stored data of a card, with shortened tokens.
    fileprivate func export(in activity: Activity, _ content: JSONValue?) -> JSONValue {
        var object = JSONObject([
            ("activity", .string(activity.name)), ("generation", .integer(activity.generation)),
            ("ordinal", .integer(ordinal)), ("phase", .string(word)),
        ])
        object["type"] = activity.type.map(JSONValue.string)
        object["instance"] = instance.map(JSONValue.string)
        object["token"] = token?.json
        object["startsAt"] = startsAt.map { .string($0.rfc3339) }
        object["appearedAt"] = appearedAt.map { .string($0.rfc3339) }
        object["createdAt"] = .string(createdAt.rfc3339)
        object["content"] = content
        return .object(object)
    }
}

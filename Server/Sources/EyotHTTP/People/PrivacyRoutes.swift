import EyotCommands
import EyotContract
import EyotDomain

/// Routes that export and remove the data of a person or a device.
struct PrivacyRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/users/{externalID}/cards", .key(.peopleRead), cards),
            .get("/v1/devices/{id}/cards", .key(.peopleRead), cardsOfDevice),
            .get("/v1/users/{externalID}/export", .key(.peopleRead), exportUser),
            .get("/v1/devices/{id}/export", .key(.peopleRead), exportDevice),
            .delete("/v1/users/{externalID}", .key(.peopleWrite), removeUser),
            .delete("/v1/devices/{id}", .key(.peopleWrite), removeDevice),
            .work("/v1/devices/remove", .key(.peopleWrite), removeDevices),
        ]
    }

    // MARK: Showing

    private func cards(_ call: Call) async throws -> Answer {
        Self.answer(
            try await backend.commands.cards(of: call.parameter("externalID"), in: call.app.id, at: call.now))
    }

    private func cardsOfDevice(_ call: Call) async throws -> Answer {
        Self.answer(try await backend.commands.cards(of: call.deviceID(), in: call.app.id, at: call.now))
    }

    private static func answer(_ cards: [(activity: Activity, view: ReplicaView)]) -> Answer {
        let shown = cards.map { activity, view -> JSONValue in
            [
                "activity": .string(activity.name), "generation": .integer(activity.generation), "card": view.json,
            ]
        }
        return Answer(.ok, ["cards": .array(shown)])
    }

    private func exportDevice(_ call: Call) async throws -> Answer {
        let export = try await backend.commands.export(call.deviceID(), of: call.app.id)
        return Answer(.ok, ["device": try await json(export), "isComplete": .bool(export.isComplete)])
    }

    private func exportUser(_ call: Call) async throws -> Answer {
        let export = try await backend.commands.exportUser(call.parameter("externalID"), of: call.app.id)
        var devices: [JSONValue] = []
        for device in export.devices { devices.append(try await json(device)) }
        return Answer(
            .ok,
            [
                "user": export.user.json, "devices": .array(devices), "named": export.named,
                "isComplete": .bool(export.isComplete),
            ])
    }

    private func json(_ export: DeviceExport) async throws -> JSONValue {
        var object = try await backend.store.read { try DeviceView(export.device, in: $0) }.json.object ?? JSONObject()
        object["installation"] = .string(export.device.installation)
        object["cards"] = .array(export.cards.map(\.json))
        object["events"] = .array(export.events.map(\.json))
        return .object(object)
    }

    // MARK: Removing

    private func removeDevice(_ call: Call) async throws -> Answer {
        try await backend.commands.remove(call.deviceID(), of: call.app.id, at: call.now)
        return Answer(.noContent, nil)
    }

    private func removeDevices(_ call: Call) async throws -> Answer {
        let json = try call.json()
        _ = try call.fields { fields throws(JSONFieldError) in try fields.required("audience", fields.value("audience"))
        }
        let audience = try Audience(json: json.object?["audience"] ?? .null, at: "audience")
        let (removed, hasMore) = try await backend.commands.removeDevices(
            in: audience, of: call.app.id, at: call.now)
        return Answer(.ok, ["removed": .integer(removed), "hasMore": .bool(hasMore)])
    }

    private func removeUser(_ call: Call) async throws -> Answer {
        try await backend.commands.removeUser(call.parameter("externalID"), of: call.app.id, at: call.now)
        return Answer(.noContent, nil)
    }
}

extension UserExport {
    /// The other data that names the user.
    fileprivate var named: JSONValue {
        func texts(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }
        var object = JSONObject([
            ("segments", texts(segments)), ("liveAudiences", texts(liveAudiences)),
            ("testDevices", texts(testDevices)), ("activities", texts(activities)),
        ])
        let vendors = Dictionary(grouping: records, by: \.vendor.rawValue).sorted { $0.key < $1.key }
        if !vendors.isEmpty {
            object["vendorRecords"] = .object(JSONObject(vendors.map { ($0.key, texts($0.value.map(\.id))) }))
        }
        return .object(object)
    }
}

extension DeviceExport.Card {
    /// The stored data of a card, with shortened tokens.
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("activity", .string(activity.name)), ("generation", .integer(activity.generation)),
            ("ordinal", .integer(replica.ordinal)), ("phase", .string(replica.word)),
        ])
        object["type"] = activity.type.map(JSONValue.string)
        object["instance"] = replica.instance.map(JSONValue.string)
        object["token"] = replica.token?.json
        object["startsAt"] = replica.startsAt.map { .string($0.rfc3339) }
        object["appearedAt"] = replica.appearedAt.map { .string($0.rfc3339) }
        object["createdAt"] = .string(replica.createdAt.rfc3339)
        object["content"] = content
        object["shown"] = echo?.json
        return .object(object)
    }
}

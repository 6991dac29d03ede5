import EyotCommands
import EyotContract
import EyotDomain

/// Routes for devices, for backends.
struct DeviceListRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/devices", .key(.peopleRead), query: ["limit", "after", "user", "tag"], list),
            .get("/v1/devices/{id}", .key(.peopleRead), read),
            .patch("/v1/devices/{id}", .key(.peopleWrite), change),
            .peopleBatch("/v1/devices/bulk", of: .devices, backend),
        ]
    }

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.app
        let limit = try call.limit()
        let after = DeviceID(rawValue: try call.after())
        let filters = [call.query["user"].map { Audience.user($0) }, call.query["tag"].map { Audience.tag($0) }]
            .compactMap(\.self)
        let audience = filters.isEmpty ? Audience.all : .and(filters)
        let rows = try await backend.store.search(of: app.id) { ledger in
            try ledger.devices(in: audience, of: app.id, after: after, limit: limit + 1)
                .map { try DeviceView($0, in: ledger) }
        }
        let list = rows.prefix(limit).map(\.json)
        var object = JSONObject([("devices", .array(list))])
        if rows.count > limit { object["next"] = .string(String(rows[limit - 1].device.id.rawValue)) }
        return Answer(.ok, .object(object))
    }

    private func read(_ call: Call) async throws -> Answer {
        let (app, id) = (try call.app.id, try call.deviceID())
        return Answer(
            .ok, try await backend.store.read { try DeviceView(Device.known(id, of: app, in: $0), in: $0) }.json)
    }

    /// Changes the tags and attributes that the backend gives a device, beside those of the app.
    private func change(_ call: Call) throws -> Route.Command {
        let (app, id) = (try call.app.id, try call.deviceID())
        let change = try call.fields { fields throws(JSONFieldError) in try TraitsChange(fields: &fields, .merge) }
        guard !change.isEmpty else {
            throw EyotError(
                .fieldMissing, "tags, tagGroups and attributes are missing: send at least one", field: "tags")
        }
        return { ledger in
            let device = try Device.known(id, of: app, in: ledger)
            try ChangeDevice(ledger: ledger)(device, change)
            return Answer(.ok, try DeviceView(device, in: ledger).json)
        }
    }
}

extension Call {
    /// The device that the path names.
    func deviceID() throws -> DeviceID {
        let text = try parameter("id")
        guard let number = Self.number(text) else { throw EyotError(.deviceUnknown, "there is no device \(text)") }
        return DeviceID(rawValue: number)
    }
}

/// A device with its start tokens, profile and traits.
struct DeviceView: Sendable {
    let device: Device
    private let startTokens: [StartToken]
    private let profile: DeviceProfile
    private let traits: Traits

    init(_ device: Device, in ledger: any Ledger) throws {
        self.device = device
        startTokens = try ledger.startTokens(of: device.id)
        profile = try ledger.deviceProfile(of: device.id)
        traits = try ledger.deviceTraits(of: device.id)
    }

    var json: JSONValue {
        var object = JSONObject([("id", .string(String(device.id.rawValue)))])
        object["user"] = device.user.map(JSONValue.string)
        if device.isProven { object["isProven"] = true }
        object["provenBy"] = device.provenBy.map(JSONValue.string)
        if device.isImported { object["isImported"] = true }
        object["environment"] = .string(device.environment.rawValue)
        object["osVersion"] = .string(device.osVersion.text)
        object["appVersion"] = .string(device.appVersion)
        object["language"] = device.language.map(JSONValue.string)
        object["permissions"] = device.permissions.json
        for (name, value) in profile.members { object[name] = value }
        if !traits.isEmpty { object["backend"] = .object(JSONObject(traits.members)) }
        object["startTokens"] = .array(startTokens.map(\.json))
        object["createdAt"] = .string(device.createdAt.rfc3339)
        object["seenAt"] = .string(device.seenAt.rfc3339)
        return .object(object)
    }
}

extension StartToken {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("type", .string(type)), ("token", .string(token.description)),
            ("environment", .string(environment.rawValue)), ("setAt", .string(setAt.rfc3339)),
        ])
        object["osVersion"] = (osVersion?.text).map(JSONValue.string)
        object["death"] = death?.json
        return .object(object)
    }
}

extension TokenDeath {
    /// The reason that a token is not used: Apple's name and its meaning.
    var json: JSONValue {
        [
            "reason": .string(reason.name), "meaning": .string(reason.meaning), "isQuarantine": .bool(isQuarantine),
        ]
    }
}

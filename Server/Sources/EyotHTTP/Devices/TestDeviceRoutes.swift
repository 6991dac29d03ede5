import EyotCommands
import EyotContract
import EyotDomain

/// Routes for test devices, kept under names.
struct TestDeviceRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .put("/v1/test-devices/{name}", .key(.peopleWrite), put),
            .get("/v1/test-devices/{name}", .key(.peopleRead), read),
            .get("/v1/test-devices", .key(.peopleRead), list),
            .delete("/v1/test-devices/{name}", .key(.peopleWrite), remove),
        ]
    }

    private func put(_ call: Call) throws -> Route.Command {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        let target = try call.fields { fields throws(JSONFieldError) in
            switch (try fields.string("device"), try fields.string("user")) {
            case (let text?, nil):
                guard let id = Call.number(text) else { throw fields.invalid("device", "must be a device's id") }
                return TestDevice.Target.device(DeviceID(rawValue: id))
            case (nil, let user?): return .user(user)
            case (_?, _?): throw fields.invalid("user", "cannot be combined with device: send one of them")
            case (nil, nil): throw JSONFieldError(path: "device", .missing)
            }
        }
        let testDevice = TestDevice(app: app, name: name, target: target)
        return { ledger in
            try PutTestDevice(ledger: ledger)(testDevice)
            return Answer(.ok, testDevice.json)
        }
    }

    private func read(_ call: Call) async throws -> Answer {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        guard let found = try await backend.store.read({ try $0.testDevice(name, in: app) }) else {
            throw Self.unknown(name)
        }
        return Answer(.ok, found.json)
    }

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.app.id
        let all = try await backend.store.read { try $0.testDevices(of: app) }
        return Answer(.ok, ["testDevices": .array(all.map(\.json))])
    }

    private func remove(_ call: Call) async throws -> Answer {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        return try await backend.remove(
            orThrow: Self.unknown(name), where: { try $0.testDevice(name, in: app) != nil },
            { try $0.removeTestDevice(name, of: app) })
    }

    private static func unknown(_ name: String) -> EyotError {
        EyotError(.testDeviceUnknown, "there is no test device \(name)")
    }
}

extension TestDevice {
    fileprivate var json: JSONValue {
        switch target {
        case .device(let id): ["name": .string(name), "device": .string(String(id.rawValue))]
        case .user(let user): ["name": .string(name), "user": .string(user)]
        }
    }
}

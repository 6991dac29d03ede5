import APNSSimulator
import EyotContract
import Foundation
import PhoneSimulator

/// The routes of the control API.
struct ControlRoutes {
    /// The most seconds by which one call advances the clock: 31 days.
    static let clockLimit = 31 * 86_400.0
    /// The most pushes that one answer lists.
    static let pushLimit = 1_000

    let lab: Lab

    func answer(_ request: ControlRequest) async throws -> ControlAnswer {
        switch (request.method, request.path.first, request.path.count) {
        case ("GET", "phones", 1) where request.query["view"] == "slim": return await slimPhones()
        case ("GET", "phones", 1): return ControlAnswer(["phones": .array(lab.phones.map(\.json))])
        case ("GET", "phones", 2): return ControlAnswer(try lab.phone(request.path[1]).json)
        case ("GET", "phones", 3) where request.path[2] == "why": return try await why(request.path[1], request.query)
        case ("POST", "phones", 1): return try await addPhones(request.body)
        case ("POST", "phones", 2) where request.path[1] == "act": return try await act(request.body)
        case ("POST", "phones", 3): return try await act(on: lab.phone(request.path[1]), request.path[2], request.body)
        case ("GET", "types", 1): return types
        case ("POST", "activities", 3) where request.path[2] == "goal":
            return try await goal(request.path[1], request.body)
        case ("POST", "activities", 3): return try await declare(request.path[1], request.path[2], request.body)
        case ("GET", "pushes", 1): return try pushes(request.query)
        case ("GET", "clock", 1): return clock
        case ("POST", "clock", 2) where request.path[1] == "advance": return try await advance(request.body)
        case ("POST", "clock", 2) where request.path[1] == "speed": return try speed(request.body)
        case ("POST", "server", 2): return try await server(request.path[1], request.body)
        case ("GET", "nodes", 1): return await nodes
        case ("POST", "nodes", 3): return try await act(onNode: request.path[1], request.path[2], request.body)
        case ("POST", "database", 2): return try await database(request.path[1], request.body)
        case ("GET", "rules", 1): return rules
        case ("POST", "faults", 1): return try addFaults(request.body)
        case ("DELETE", "faults", 1):
            for service in APNSEndpoint.Service.allCases { lab.simulator.faults(of: service).clear() }
            lab.inner.withLock { $0.standing = nil }
            return faults(of: .push)
        default:
            throw ControlProblem(
                404, "routeUnknown", "there is no \(request.method) /\(request.path.joined(separator: "/"))")
        }
    }

    /// The switches of the phones, and below a name of its own those of the push service.
    private var rules: ControlAnswer {
        var all = lab.configuration.phoneRules.json.object ?? JSONObject()
        all["pushService"] = lab.configuration.pushServiceRules.json
        return ControlAnswer(.object(all))
    }

    // MARK: Clock and server

    private func advance(_ body: JSONValue) async throws -> ControlAnswer {
        var fields = try JSONFields(body)
        let seconds = try fields.required("seconds", fields.double("seconds"))
        try fields.finish()
        guard (0...Self.clockLimit).contains(seconds) else {
            throw fields.invalid("seconds", "must lie between 0 and \(Int(Self.clockLimit))")
        }
        try await lab.advanceClock(by: seconds)
        return clock
    }

    private func speed(_ body: JSONValue) throws -> ControlAnswer {
        var fields = try JSONFields(body)
        let speed = try fields.required("speed", fields.double("speed"))
        try fields.finish()
        guard (1...Lab.speedLimit).contains(speed) else {
            throw fields.invalid("speed", "must lie between 1 and \(Int(Lab.speedLimit))")
        }
        lab.setSpeed(speed)
        return ControlAnswer(["now": .string(RFC3339.text(of: lab.now)), "speed": .finite(speed) ?? 1])
    }

    private var clock: ControlAnswer { ControlAnswer(["now": .string(RFC3339.text(of: lab.now))]) }

    private func server(_ action: String, _ body: JSONValue) async throws -> ControlAnswer {
        try JSONFields(body).finish()
        switch action {
        case "stop": await lab.stopServer()
        case "kill": await lab.killServer()
        case "start":
            guard await lab.serverPID == nil else { throw ControlProblem(409, "serverRunning", "the server runs") }
            try await lab.startServer()
        default: throw ControlProblem(404, "routeUnknown", "the server can be told stop, kill or start")
        }
        let pid = await lab.serverPID
        return ControlAnswer([
            "running": .bool(pid != nil), "serverPID": pid.map { .integer($0) } ?? .null,
            "http": .string(await lab.description.http),
        ])
    }

    // MARK: Pushes and faults

    private func pushes(_ query: [String: String]) throws -> ControlAnswer {
        var limit = 100
        if let text = query["limit"] {
            guard let number = Int(text), (1...Self.pushLimit).contains(number) else {
                throw ControlProblem(
                    422, "fieldInvalid", "limit must lie between 1 and \(Self.pushLimit)", field: "limit")
            }
            limit = number
        }
        return ControlAnswer([
            "pushes": .array(lab.simulator.requests(limit: limit).map(\.json)),
            "total": .integer(lab.simulator.requestCount),
        ])
    }

    private func addFaults(_ body: JSONValue) throws -> ControlAnswer {
        var fields = try JSONFields(body)
        if fields.has("standing") { return try standFault(&fields) }
        let verdicts = try fields.required("verdicts", fields.array("verdicts"))
        let service = try service(&fields)
        try fields.finish()
        let faults = try verdicts.enumerated().map { try PushVerdictName.fault($1, at: "verdicts[\($0)]") }
        guard lab.simulator.faults(of: service).enqueue(faults) else {
            throw fields.invalid("verdicts", "would leave more verdicts waiting than the simulator keeps")
        }
        return self.faults(of: service)
    }

    /// Sets the fault of all pushes for which no verdict waits.
    private func standFault(_ fields: inout JSONFields) throws -> ControlAnswer {
        let verdict = fields.value("standing") ?? .null
        let every = try fields.integer("every") ?? 1
        let service = try service(&fields)
        try fields.finish()
        guard (1...Self.pushLimit).contains(every) else {
            throw fields.invalid("every", "must lie between 1 and \(Self.pushLimit)")
        }
        let fault = verdict == .null ? nil : try PushVerdictName.fault(verdict, at: "standing")
        lab.simulator.faults(of: service).stand(fault, every: every)
        if service == .push {
            lab.inner.withLock { $0.standing = fault.map { _ in StandingVerdict(verdict: verdict, every: every) } }
        }
        return faults(of: service)
    }

    private func service(_ fields: inout JSONFields) throws(JSONFieldError) -> APNSEndpoint.Service {
        guard let name = try fields.string("service") else { return .push }
        guard let service = APNSEndpoint.Service(rawValue: name) else {
            let all = APNSEndpoint.Service.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("service", "must be one of \(all)")
        }
        return service
    }

    private func faults(of service: APNSEndpoint.Service) -> ControlAnswer {
        ControlAnswer(["waiting": .integer(lab.simulator.faults(of: service).count)])
    }
}

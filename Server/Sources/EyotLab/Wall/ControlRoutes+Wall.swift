import APNSSimulator
import EyotContract
import Foundation
import PhoneSimulator

/// The routes that the wall needs beside those of the control API.
extension ControlRoutes {
    /// Answers the phones as the wall sees them.
    func slimPhones() async -> ControlAnswer {
        let picture = await lab.wall.picture(of: lab)
        let faces = Dictionary(picture.faces.all.map { ($0.id, $0.face) }, uniquingKeysWith: { $1 })
        let counts = WallMark.allCases.map { ($0.rawValue, JSONValue.integer(picture.counts[$0] ?? 0)) }
        return ControlAnswer([
            "counts": .object(JSONObject(counts)),
            "activities": .array(
                picture.declared.map { activity in
                    guard var object = activity.json(face: nil).object else { return .null }
                    let face = picture.declaredFaces[activity.name].flatMap { faces[$0] }
                    object["shows"] = face.map { .string($0.sentence) }
                    return .object(object)
                }),
            "phones": .array(picture.phones.map { $0.slim(faces) }),
        ])
    }

    /// Answers the types of the phones' app, with the fields of a form for each.
    var types: ControlAnswer {
        let types = lab.configuration.types.map { type -> JSONValue in
            var object = JSONObject([("name", .string(type.name))])
            if let schema = type.schema {
                object["attributes"] = StateForm(schema.attributes, types: schema.types).json
                object["contentState"] = StateForm(schema.contentState, types: schema.types).json
            }
            return .object(object)
        }
        return ControlAnswer(["types": .array(types)])
    }

    // MARK: Declarations

    /// Passes a declaration on to the server with the app's key, and its answer back.
    func declare(_ name: String, _ verb: String, _ body: JSONValue) async throws -> ControlAnswer {
        guard ["start", "update", "end", "halt", "resume"].contains(verb) else {
            throw ControlProblem(404, "routeUnknown", "an activity takes start, update, end, halt, resume and goal")
        }
        return try await serverAnswer("POST", APIClient.path("v1", "activities", name, verb), body)
    }

    /// Declares the state after the next thing that happens.
    func goal(_ name: String, _ body: JSONValue) async throws -> ControlAnswer {
        var fields = try JSONFields(body)
        let word = try fields.string("side")
        let side = word.flatMap(NextState.Side.init(rawValue:))
        if word != nil, side == nil { throw fields.invalid("side", "must be left or right") }
        try fields.finish()
        let path = APIClient.path("v1", "activities", name)
        let report = try await serverAnswer("GET", path, nil)
        guard report.status < 300, let activity = report.body.object else { return report }
        guard activity["state"]?.string == "active", let state = activity["contentState"] else {
            throw ControlProblem(409, "notRunning", "\(name) does not run; start it first")
        }
        let type = lab.configuration.types.last { $0.name == activity["type"]?.string }
        let members = type?.schema.map { StateForm($0.contentState, types: $0.types).fields.map(\.path) }
        let hasLastEvent = members?.contains(["lastEvent"]) ?? false
        guard let next = NextState(after: state, side: side, hasLastEvent: hasLastEvent) else {
            throw ControlProblem(409, "nothingCounts", "the state of \(name) has no number that could go on")
        }
        return try await serverAnswer(
            "POST", path + "/update",
            [
                "contentState": next.state,
                "alert": ["title": .string(next.title), "body": .string(next.detail)],
            ])
    }

    private func serverAnswer(_ method: String, _ path: String, _ body: JSONValue?) async throws -> ControlAnswer {
        do {
            let answer = try await lab.api.call(method, path, body: body)
            return ControlAnswer(status: answer.status, answer.body)
        } catch let failure as APIClient.Failure {
            throw ControlProblem(502, "serverFailed", "\(failure)")
        }
    }

    // MARK: Many phones

    /// Performs an action on a share of the phones that it can change, chosen at random.
    func act(_ body: JSONValue) async throws -> ControlAnswer {
        var fields = try JSONFields(body)
        let word = try fields.required("action", fields.string("action"))
        let percent = try fields.double("percent") ?? 100
        try fields.finish()
        guard (0...100).contains(percent) else { throw fields.invalid("percent", "must lie between 0 and 100") }
        guard let action = CrowdAction(rawValue: word) else {
            let all = CrowdAction.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("action", "must be one of \(all)")
        }
        let able = lab.phones.filter(action.applies)
        let count = Int((Double(lab.phones.count) * percent / 100).rounded(.up))
        let chosen = able.shuffled().prefix(count)
        for phone in chosen { try action.perform(on: phone) }
        return ControlAnswer(["phones": .array(chosen.map { .string($0.id) })])
    }

    // MARK: Why

    /// Answers all that came to a phone, and what the server says about it.
    func why(_ id: String, _ query: [String: String]) async throws -> ControlAnswer {
        let phone = try lab.phone(id)
        let reading = phone.reading
        let name = query["activity"] ?? reading.state.cards.last.flatMap { reading.names[$0.id] }
        var answer = JSONObject([
            ("id", .string(id)), ("phone", .array(PhoneStory(reading).entries.map(\.json))),
        ])
        answer["settings"] = reading.settingsInWords
        answer["activity"] = name.map { .string($0) }
        guard let device = phone.deviceID else {
            answer["serverProblem"] = "The phone has not registered, so the server does not know it."
            return ControlAnswer(.object(answer))
        }
        let parts = [("device", device)] + (name.map { [("activity", $0)] } ?? [])
        let text = parts.map { "\($0)=\(APIClient.path($1).dropFirst())" }.joined(separator: "&")
        do {
            let server = try await lab.api.call("GET", "/v1/why?" + text)
            if server.isSuccess {
                answer["server"] = server.body
            } else {
                answer["serverProblem"] = .string(server.problem)
            }
        } catch let failure as APIClient.Failure {
            answer["serverProblem"] = .string("The server does not answer: \(failure)")
        }
        return ControlAnswer(.object(answer))
    }
}

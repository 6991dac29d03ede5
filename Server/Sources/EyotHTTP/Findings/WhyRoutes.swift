import EyotCommands
import EyotContract
import EyotDomain

/// The routes that explain what a phone shows, and what keeps an app from being pushed to.
struct WhyRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/why", .key(.whyRead), query: ["user", "device", "activity", "version"], why),
            .get("/v1/findings", .key(.activitiesRead), query: ["activity"], findings),
        ]
    }

    private func findings(_ call: Call) async throws -> Answer {
        let found = try await backend.commands.findings(
            of: call.app, activity: call.query["activity"], at: call.now)
        return Answer(.ok, ["findings": .array(found.map(\.json))])
    }

    private func why(_ call: Call) async throws -> Answer {
        let explanation = try await backend.commands.explain(
            subject(call), activity: call.query["activity"], version: version(call), of: call.app, at: call.now)
        return Answer(.ok, explanation.json)
    }

    private func version(_ call: Call) throws -> Version? {
        guard let text = call.query["version"] else { return nil }
        guard let version = Version(text), version > 0 else {
            throw EyotError(.fieldInvalid, "version must be a number from 1", field: "version")
        }
        guard call.query["activity"] != nil else {
            throw EyotError(.fieldMissing, "activity is missing: a version belongs to one", field: "activity")
        }
        return version
    }

    private func subject(_ call: Call) throws -> Commands.Subject {
        switch (call.query["user"], call.query["device"]) {
        case (let user?, nil): return .user(user)
        case (nil, let device?):
            guard let number = Call.number(device) else {
                throw EyotError(.deviceUnknown, "there is no device \(device)", field: "device")
            }
            return .device(DeviceID(rawValue: number))
        case (nil, nil): throw EyotError(.fieldMissing, "user or device is missing: send one", field: "user")
        case (.some, .some): throw EyotError(.fieldInvalid, "user and device cannot be combined", field: "device")
        }
    }
}

extension Explanation {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["device"] = device.map { .string(String($0.id.rawValue)) }
        object["finding"] = finding.json
        object["story"] = .array(story.map(\.json))
        if !others.isEmpty {
            object["others"] = .array(
                others.map { ["device": .string(String($0.device.id.rawValue)), "finding": $0.finding.json] })
        }
        if !cards.isEmpty { object["cards"] = .array(cards.map(\.json)) }
        return .object(object)
    }
}

extension Explanation.Card {
    fileprivate var json: JSONValue {
        let replica = view.replica
        var object = JSONObject([
            ("activity", .string(activity.name)), ("generation", .integer(activity.generation)),
            ("device", .string(String(replica.device.rawValue))), ("ordinal", .integer(replica.ordinal)),
            ("phase", .string(replica.word)), ("desired", .integer(view.desired)),
            ("accepted", .integer(replica.acceptedVersion)),
        ])
        object["shown"] = view.shown
        object["behindSince"] = view.behindSince.map { .string($0.rfc3339) }
        object["finding"] = finding.json
        return .object(object)
    }
}

extension StoryEntry {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("at", .string(at.rfc3339)), ("event", .string(event)), ("text", .string(text)),
        ])
        if version > 0 { object["version"] = .integer(version) }
        object["reason"] = reason.map(JSONValue.string)
        object["apnsId"] = apnsID.map(JSONValue.string)
        if !superseded.isEmpty { object["superseded"] = .array(superseded.map(JSONValue.integer)) }
        object["operation"] = operation.map { .string(String($0)) }
        object["key"] = key.map { .string(String($0)) }
        object["requestId"] = request.map { .string($0.own) }
        object["callerRequestId"] = request?.callers.map(JSONValue.string)
        return .object(object)
    }
}

extension Finding {
    var json: JSONValue {
        var object = JSONObject([
            ("code", .string(code.rawValue)), ("sentence", .string(sentence)),
            ("confidence", .string(confidence.rawValue)),
            ("evidence", .array(evidence.map(JSONValue.string))),
        ])
        object["remedy"] = code.remedy.map(JSONValue.string)
        return .object(object)
    }
}

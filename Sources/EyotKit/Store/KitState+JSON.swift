import EyotContract
import Foundation

/// The state as lines of JSON. The first line is the head, which identifies the file and has the person. Each other
/// line is one record. The head and the registration, without which the others are worth little, stand at the end once
/// more.
extension KitState {
    static let format = 1

    /// The kinds of record.
    enum Kind: String {
        case eyot, registration, former, profile, startToken, startName, endedStart, card, ended, joinSecret, change
    }

    var lines: [JSONValue] {
        var lines = [head]
        if let registration { lines.append(registration.line(Kind.registration.rawValue)) }
        let vital = lines
        if profile != DeviceProfile() || hasToldProfile {
            lines.append(["kind": .string(Kind.profile.rawValue), "profile": profile.json])
        }
        lines += formerRegistrations.map { $0.line(Kind.former.rawValue) }
        lines += startTokens.sorted { $0.key < $1.key }.map { $1.line(Kind.startToken.rawValue, type: $0) }
        lines += startNames.sorted { $0.key < $1.key }.map { name, type in
            ["kind": .string(Kind.startName.rawValue), "name": .string(name), "type": .string(type)]
        }
        lines += endedStartTypes.map { ["kind": .string(Kind.endedStart.rawValue), "type": .string($0)] }
        lines += cards.sorted { $0.key < $1.key }.map { $1.line(Kind.card.rawValue) }
        lines += endedNames.all.map { instance, name in
            ["kind": .string(Kind.ended.rawValue), "instance": .string(instance), "name": .string(name)]
        }
        lines += joinSecrets.all.map { name, secret in
            ["kind": .string(Kind.joinSecret.rawValue), "name": .string(name), "secret": .string(secret.text)]
        }
        lines += outbox.entries.map { ["kind": .string(Kind.change.rawValue), "change": $0.json] }
        return lines + vital.reversed()
    }

    private var head: JSONValue {
        var head = JSONObject([
            ("kind", .string(Kind.eyot.rawValue)), ("format", .integer(Self.format)),
            ("installation", .string(installation)), ("lastSequence", .integer(outbox.lastSequence)),
        ])
        head["user"] = user.map(JSONValue.string)
        head["signature"] = signature.map { .string($0.text) }
        head["permissions"] = permissions?.json
        if !untold.isEmpty { head["untold"] = .array(untold.map(\.rawValue).sorted().map(JSONValue.string)) }
        head["isRepeated"] = true
        return .object(head)
    }

    /// Reads the lines of a file that is whole.
    init(lines: [JSONValue]) throws(JSONFieldError) {
        guard let (state, broken) = KitStateReader.read(lines) else { throw JSONFieldError(path: "", .missing) }
        guard broken == 0 else { throw JSONFieldError(path: "", .invalid("has \(broken) lines that are none")) }
        self = state
    }
}

extension Registered {
    fileprivate func line(_ kind: String) -> JSONValue {
        var object = JSONObject([
            ("kind", .string(kind)), ("credentials", credentials.json), ("fingerprint", .string(fingerprint)),
        ])
        object["home"] = home.map(JSONValue.string)
        object["history"] = history.map(JSONValue.string)
        object["confirmed"] = confirmed.map(JSONValue.integer)
        if isInDoubt { object["isInDoubt"] = true }
        return .object(object)
    }

    init(fields: inout JSONFields) throws(JSONFieldError) {
        let stored = try fields.required("credentials", fields.object("credentials"))
        credentials = try DeviceCredentials(json: stored)
        fingerprint = try fields.required("fingerprint", fields.string("fingerprint"))
        home = try fields.string("home")
        history = try fields.string("history")
        confirmed = try fields.integer("confirmed")
        isInDoubt = try fields.bool("isInDoubt") ?? false
    }
}

extension StartTokenRecord {
    fileprivate func line(_ kind: String, type: String) -> JSONValue {
        var object = JSONObject([
            ("kind", .string(kind)), ("type", .string(type)), ("token", .string(token.hex)),
        ])
        object["confirmed"] = confirmed?.json
        object["osVersion"] = osVersion.map(JSONValue.string)
        return .object(object)
    }

    init(fields: inout JSONFields) throws(JSONFieldError) {
        token = try fields.required("token", fields.storedToken("token"))
        confirmed = try fields.date("confirmed")
        osVersion = try fields.string("osVersion")
    }
}

extension KnownCard {
    fileprivate func line(_ kind: String) -> JSONValue {
        var object = JSONObject([
            ("kind", .string(kind)), ("instance", .string(instance)), ("name", .string(name)), ("type", .string(type)),
            ("firstSeen", firstSeen.json), ("isTokenConfirmed", .bool(isTokenConfirmed)),
            ("isTracked", .bool(isTracked)), ("isPrepared", .bool(isPrepared)),
        ])
        object["token"] = token.map { .string($0.hex) }
        object["begins"] = begins?.json
        if isToGo { object["isToGo"] = true }
        if mayFollowChannel { object["mayFollowChannel"] = true }
        object["toldDigest"] = toldDigest.map { .string($0.text) }
        return .object(object)
    }

    init(fields: inout JSONFields) throws(JSONFieldError) {
        instance = try fields.identifier("instance")
        name = try fields.identifier("name")
        type = try fields.identifier("type")
        firstSeen = try fields.required("firstSeen", fields.date("firstSeen"))
        token = try fields.storedToken("token")
        isTokenConfirmed = try fields.required("isTokenConfirmed", fields.bool("isTokenConfirmed"))
        isTracked = try fields.required("isTracked", fields.bool("isTracked"))
        isPrepared = try fields.bool("isPrepared") ?? true
        begins = try fields.date("begins")
        isToGo = try fields.bool("isToGo") ?? false
        mayFollowChannel = try fields.bool("mayFollowChannel") ?? false
        toldDigest = try fields.string("toldDigest").flatMap(StateDigest.init(text:))
    }
}

extension Date {
    /// The date as UNIX seconds.
    fileprivate var json: JSONValue { .finite(timeIntervalSince1970) ?? 0 }
}

extension JSONFields {
    fileprivate mutating func date(_ name: String) throws(JSONFieldError) -> Date? {
        try double(name).map(Date.init(timeIntervalSince1970:))
    }

    fileprivate mutating func storedToken(_ name: String) throws(JSONFieldError) -> PushToken? {
        guard let text = try string(name) else { return nil }
        guard let token = PushToken(hex: text) else { throw invalid(name, "is not a token") }
        return token
    }
}

import EyotContract
import Foundation

/// The state as lines of JSON. The first line identifies the file, and each other line is one record.
extension KitState {
    private static let format = 1

    /// The kinds of record.
    private enum Kind: String {
        case eyot, registration, profile, startToken, startName, card, ended, joinSecret, change
    }

    var lines: [JSONValue] {
        var first = JSONObject([
            ("kind", .string(Kind.eyot.rawValue)), ("format", .integer(Self.format)),
            ("installation", .string(installation)), ("lastSequence", .integer(outbox.lastSequence)),
        ])
        first["user"] = user.map(JSONValue.string)
        first["signature"] = signature.map { .string($0.text) }
        first["permissions"] = permissions?.json
        var lines: [JSONValue] = [.object(first)]
        if profile != DeviceProfile() {
            lines.append(["kind": .string(Kind.profile.rawValue), "profile": profile.json])
        }
        if let registration { lines.append(registration.line(Kind.registration.rawValue)) }
        lines += startTokens.sorted { $0.key < $1.key }.map { $1.line(Kind.startToken.rawValue, type: $0) }
        lines += startNames.sorted { $0.key < $1.key }.map { name, type in
            ["kind": .string(Kind.startName.rawValue), "name": .string(name), "type": .string(type)]
        }
        lines += cards.sorted { $0.key < $1.key }.map { $1.line(Kind.card.rawValue) }
        lines += endedNames.all.map { instance, name in
            ["kind": .string(Kind.ended.rawValue), "instance": .string(instance), "name": .string(name)]
        }
        lines += joinSecrets.all.map { name, secret in
            ["kind": .string(Kind.joinSecret.rawValue), "name": .string(name), "secret": .string(secret.text)]
        }
        lines += outbox.entries.map { ["kind": .string(Kind.change.rawValue), "change": $0.json] }
        return lines
    }

    /// Reads the lines of a file. Unknown kinds of records and of changes, which a newer version may write, are
    /// ignored. After an unknown change the SDK reports its whole state again.
    init(lines: [JSONValue]) throws(JSONFieldError) {
        guard let first = lines.first else { throw JSONFieldError(path: "", .missing) }
        var head = try JSONFields(first)
        guard try head.string("kind") == Kind.eyot.rawValue, try head.integer("format") == Self.format else {
            throw head.invalid("format", "is not one that this version reads")
        }
        installation = try head.identifier("installation")
        user = try head.string("user")
        signature = try head.string("signature").flatMap(IdentitySignature.init)
        if var told = try head.fields("permissions") { permissions = try DevicePermissions(fields: &told) }
        let lastSequence = try head.required("lastSequence", head.integer("lastSequence"))
        var entries: [DeviceChange] = []
        var isForeign = false
        for line in lines.dropFirst() {
            var fields = try JSONFields(line)
            switch Kind(rawValue: try fields.required("kind", fields.string("kind"))) {
            case .registration: registration = try Registered(fields: &fields)
            case .profile: profile = try DeviceProfile(json: fields.required("profile", fields.object("profile")))
            case .startToken: startTokens[try fields.identifier("type")] = try StartTokenRecord(fields: &fields)
            case .startName: startNames[try fields.identifier("name")] = try fields.identifier("type")
            case .card:
                let card = try KnownCard(fields: &fields)
                cards[card.instance] = card
            case .ended: endedNames.keep(try fields.identifier("name"), of: try fields.identifier("instance"))
            case .joinSecret:
                let name = try fields.identifier("name")
                if let secret = try fields.string("secret").flatMap(JoinSecret.init) {
                    joinSecrets.keep(secret, for: name)
                }
            case .change:
                let stored = try fields.required("change", fields.object("change"))
                do {
                    entries.append(try DeviceChange(json: stored, at: "change"))
                } catch {
                    isForeign = true
                }
            case .eyot, nil: continue
            }
        }
        outbox = Outbox(entries: entries, lastSequence: lastSequence)
        if isForeign { registration?.fingerprint = "" }
    }
}

extension Registered {
    fileprivate func line(_ kind: String) -> JSONValue {
        ["kind": .string(kind), "credentials": credentials.json, "fingerprint": .string(fingerprint)]
    }

    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
        let stored = try fields.required("credentials", fields.object("credentials"))
        credentials = try DeviceCredentials(json: stored)
        fingerprint = try fields.required("fingerprint", fields.string("fingerprint"))
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

    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
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
        return .object(object)
    }

    fileprivate init(fields: inout JSONFields) throws(JSONFieldError) {
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

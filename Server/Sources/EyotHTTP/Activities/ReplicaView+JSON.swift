import EyotCommands
import EyotContract
import EyotDomain

extension ReplicaView {
    var json: JSONValue {
        var object = JSONObject([
            ("ordinal", .integer(replica.ordinal)), ("device", .string(String(replica.device.rawValue))),
        ])
        object["user"] = user.map(JSONValue.string)
        object["build"] = build.map(JSONValue.string)
        object["instance"] = replica.instance.map(JSONValue.string)
        object["phase"] = .string(replica.word)
        switch replica.phase {
        case .notStarted(let failure): object["reason"] = .string(failure.rawValue)
        case .dead(let death): object["death"] = death.json
        case .ended, .dismissed:
            object["reason"] = (replica.pendingReason?.rawValue ?? replica.removal?.rawValue).map(JSONValue.string)
        case .starting, .waitingForToken, .live, .unlisted, .untracked:
            object["reason"] = replica.pendingReason.map { .string($0.rawValue) }
        }
        // A start that silence ended keeps the version of its attributes, and is not under way.
        object["start"] = replica.hasLostStart ? nil : replica.lease?.json
        object["token"] = replica.token?.json
        object["accepted"] = .integer(replica.acceptedVersion)
        object["desired"] = .integer(desired)
        object["shown"] = shown
        if isLocallyChanged { object["locallyChanged"] = true }
        object["isBehind"] = .bool(isBehind)
        object["behindSince"] = behindSince.map { .string($0.rfc3339) }
        object["retry"] = replica.retry.map {
            ["attempts": .integer($0.attempts), "notBefore": .string($0.notBefore.rfc3339)]
        }
        object["blocked"] = replica.blockedReason.map {
            [
                "version": .integer(replica.blockedVersion), "reason": .string($0.name), "meaning": .string($0.meaning),
            ]
        }
        object["startsAt"] = replica.startsAt.map { .string($0.rfc3339) }
        object["createdAt"] = .string(replica.createdAt.rfc3339)
        return .object(object)
    }
}

extension ReplicaView {
    /// What the phone last reported; nil if it never did.
    var shown: JSONValue? {
        guard var object = echo?.json.object else { return nil }
        object["staleSince"] = staleSince.map { .string($0.rfc3339) }
        return .object(object)
    }
}

extension Echo {
    /// What the phone last reported; without a version if no declaration has the state that it shows.
    var json: JSONValue {
        var object = JSONObject()
        if version > 0 { object["version"] = .integer(version) }
        object["at"] = .string(at.rfc3339)
        return .object(object)
    }
}

extension Lease {
    /// The outstanding remote start.
    fileprivate var json: JSONValue {
        var object = JSONObject([("state", .string(state.rawValue)), ("version", .integer(version))])
        object["sentAt"] = sentAt.map { .string($0.rfc3339) }
        return .object(object)
    }
}

extension UpdateToken {
    /// The token is shortened, because a key and a whole token are enough to push.
    var json: JSONValue {
        [
            "token": .string(token.description), "environment": .string(environment.rawValue),
            "version": .integer(version), "setAt": .string(setAt.rfc3339),
        ]
    }
}

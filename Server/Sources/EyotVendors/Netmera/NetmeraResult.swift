import EyotContract
import EyotDomain

/// The result of a push for one card, counted like ``NetmeraStats``.
struct NetmeraResult {
    /// The version and the time of an update or an end.
    struct Change: Sendable {
        var version: Int
        var acceptedAt: Instant

        /// Nil for an operation that starts cards.
        init?(_ operation: Operation) {
            guard [.update, .end].contains(operation.verb) else { return nil }
            (version, acceptedAt) = (operation.version, operation.acceptedAt)
        }
    }

    private enum Status: String {
        case waiting = "WAITING"
        case sent = "SENT"
        case failed = "FAILED"
    }

    private var status: Status
    private var error: (code: String, message: String)?

    /// - Parameters:
    ///   - change: nil if the question is about the start.
    ///   - startToken: finds the token that the start was sent to. Its death may be the reason for the card's.
    /// - Returns: nil if the change did not apply to the card.
    init?(of replica: Replica, after change: Change?, startToken: () throws -> StartToken?) rethrows {
        if let change {
            self.init(of: replica, change)
        } else {
            try self.init(startOf: replica, startToken)
        }
    }

    private init(_ status: Status, _ code: String? = nil, _ message: String = "") {
        self.status = status
        error = code.map { ($0, message) }
    }

    private init?(of replica: Replica, _ change: Change) {
        if replica.acceptedVersion >= change.version || replica.isFollowing, !replica.isNotStarted {
            self.init(.sent)
            return
        }
        switch replica.phase {
        case .notStarted: return nil
        case .starting, .waitingForToken: self.init(.waiting)
        case .live:
            guard replica.blockedVersion >= change.version else {
                self.init(.waiting)
                return
            }
            self.init(.failed, replica.blockedReason?.name ?? "refused", "Apple refused it")
        case .dead(let death):
            // A card with a token that died earlier got no push.
            guard replica.newestSecond >= change.acceptedAt.second else { return nil }
            self.init(.failed, death.reason.name, Self.deadToken)
        case .ended, .dismissed, .unlisted, .untracked: return nil
        }
    }

    private init(startOf replica: Replica, _ startToken: () throws -> StartToken?) rethrows {
        switch replica.phase {
        case .starting where replica.lease?.state == .accepted: self.init(.sent)
        case .starting where replica.lease?.state == .unknown:
            self.init(.failed, "startUnknown", "Apple's answer never came: nobody knows whether it took the start")
        case .starting: self.init(.waiting)
        // The card's own token died, so the start had arrived.
        case .live, .waitingForToken, .ended, .dismissed, .untracked, .unlisted, .dead: self.init(.sent)
        case .notStarted(let failure) where [.refused, .suspected].contains(failure):
            let reason = try startToken()?.death?.reason.name
            self.init(.failed, reason ?? failure.rawValue, "the card was not started: Apple refused it")
        case .notStarted(let failure):
            self.init(.failed, failure.rawValue, "the card was not started")
        }
    }

    private static let deadToken = "Apple takes no pushes to the card's token any more"

    func json(of device: Device?) -> JSONValue {
        var object = JSONObject([("platform", "IOS"), ("status", .string(status.rawValue))])
        object["errorCode"] = error.map { .string($0.code) }
        object["errorMsg"] = error.map { .string($0.message) }
        // The answer contains nothing about a device that was removed.
        guard let device, !device.isForgotten else { return .object(object) }
        object["installationId"] = .string(device.installation)
        object["extId"] = device.user.map(JSONValue.string)
        return .object(object)
    }
}

extension Replica {
    fileprivate var isNotStarted: Bool {
        guard case .notStarted = phase else { return false }
        return true
    }
}

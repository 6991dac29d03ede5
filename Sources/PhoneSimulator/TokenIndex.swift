import APNSWire
import EyotContract
import Foundation

/// Apple's answer for a token, before any phone is asked.
public enum TokenVerdict: Sendable, Hashable {
    /// 200: the push goes to the phone.
    case accepted
    /// 400: no phone has such a token in this environment.
    case badDeviceToken
    /// 400: the token belongs to another app, or the topic lacks Live Activities' suffix.
    case deviceTokenNotForTopic
    /// 410: the token died at this moment.
    case unregistered(since: Date)

    /// The reason in Apple's answer; nil for 200.
    public var reason: APNSReason? {
        switch self {
        case .accepted: nil
        case .badDeviceToken: .badDeviceToken
        case .deviceTokenNotForTopic: .deviceTokenNotForTopic
        case .unregistered: .unregistered
        }
    }
}

/// Apple's knowledge of each token's phone. One look-up, for any number of phones.
final class TokenIndex: Sendable {
    struct Entry: Sendable {
        let phone: String
        let environment: PushEnvironment
        let topic: String
        var diedAt: Date?

        func verdict(environment: PushEnvironment, topic: String) -> TokenVerdict {
            guard environment == self.environment else { return .badDeviceToken }
            guard topic == self.topic else { return .deviceTokenNotForTopic }
            return diedAt.map(TokenVerdict.unregistered(since:)) ?? .accepted
        }
    }

    private struct Contents: Sendable {
        var entries: [PushToken: Entry] = [:]
        /// In the order of their deaths; those before ``firstDead`` are forgotten.
        var dead: [PushToken] = []
        var firstDead = 0
    }

    private let guarded = Guarded(Contents())
    private let deadTokenLimit: Int

    init(deadTokenLimit: Int) { self.deadTokenLimit = deadTokenLimit }

    subscript(token: PushToken) -> Entry? { guarded.withLock { $0.entries[token] } }

    /// Updates the tokens from a phone's events.
    func note(_ events: [PhoneEvent], of phone: PhoneConfiguration) {
        for event in events {
            switch event {
            case .tokenBorn(let token):
                let topic = APNSPushType.liveActivity.topic(bundleID: phone.bundleID)
                let entry = Entry(phone: phone.id, environment: phone.environment, topic: topic)
                guarded.withLock { $0.entries[token] = entry }
            case .tokenDied(let token, let moment):
                guarded.withLock { bury(token, at: moment, in: &$0) }
            default: break
            }
        }
    }

    private func bury(_ token: PushToken, at moment: Date, in contents: inout Contents) {
        guard contents.entries[token] != nil else { return }
        contents.entries[token]?.diedAt = moment
        contents.dead.append(token)
        guard contents.dead.count - contents.firstDead > deadTokenLimit else { return }
        contents.entries[contents.dead[contents.firstDead]] = nil
        contents.firstDead += 1
        // Forgotten names are cut off in lumps, so that a burial costs the same however many there were.
        if contents.firstDead > deadTokenLimit {
            contents.dead.removeFirst(contents.firstDead)
            contents.firstDead = 0
        }
    }
}

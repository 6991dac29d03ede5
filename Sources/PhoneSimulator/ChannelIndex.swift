import EyotContract
import Foundation

/// Apple's knowledge of the channels: each one's subscribed phones and stored broadcast. One look-up, for any number of
/// phones.
final class ChannelIndex: Sendable {
    /// A channel belongs to one app in one environment.
    struct Key: Sendable, Hashable {
        let channel: String
        let bundleID: String
        let environment: PushEnvironment

        init(_ channel: String, bundleID: String, environment: PushEnvironment) {
            self.channel = channel
            self.bundleID = bundleID
            self.environment = environment
        }

        /// A channel of a phone's app.
        init(_ channel: String, _ phone: PhoneConfiguration) {
            self.init(channel, bundleID: phone.bundleID, environment: phone.environment)
        }
    }

    private struct Contents: Sendable {
        /// The names of the phones.
        var subscribers: [Key: Set<String>] = [:]
        var kept: [Key: StoredPush] = [:]
    }

    private let guarded = Guarded(Contents())

    /// The names of the phones that are subscribed.
    func subscribers(of key: Key) -> Set<String> { guarded.withLock { $0.subscribers[key] ?? [] } }

    /// The newest broadcast, if the channel's policy is to store it and it has not expired.
    func kept(of key: Key, at now: Date) -> DeliveredPush? {
        guarded.withLock { contents in
            if let kept = contents.kept[key], kept.end <= now { contents.kept[key] = nil }
            return contents.kept[key]?.push
        }
    }

    /// Notes the newest broadcast of a channel. One that is not to be kept leaves nothing behind.
    func keep(_ push: DeliveredPush, of key: Key, at now: Date) {
        guard case .channel(_, keepsNewest: true) = push.destination else { return }
        guarded.withLock { $0.kept[key] = StoredPush(push: push, since: now) }
    }

    /// Updates the subscriptions from a phone's events.
    func note(_ events: [PhoneEvent], of phone: PhoneConfiguration) {
        for event in events {
            switch event {
            case .subscribed(let channel):
                _ = guarded.withLock { $0.subscribers[Key(channel, phone), default: []].insert(phone.id) }
            case .unsubscribed(let channel):
                guarded.withLock { remove(phone.id, from: Key(channel, phone), in: &$0.subscribers) }
            default: break
            }
        }
    }

    private func remove(_ phone: String, from key: Key, in subscribers: inout [Key: Set<String>]) {
        subscribers[key]?.remove(phone)
        // A channel without subscribers is forgotten, because ids are never used again.
        if subscribers[key]?.isEmpty == true { subscribers[key] = nil }
    }
}

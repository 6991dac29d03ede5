import EyotContract
import Foundation

/// Which phones are subscribed to which channel: Apple's knowledge, one look-up whatever the number of phones.
final class ChannelIndex: Sendable {
    /// A channel belongs to one app in one environment.
    struct Key: Sendable, Hashable {
        let channel: String
        let bundleID: String
        let environment: PushEnvironment
    }

    private let guarded = Guarded<[Key: Set<String>]>([:])

    /// The names of the phones.
    subscript(key: Key) -> Set<String> { guarded.withLock { $0[key] ?? [] } }

    /// Takes from a phone's events what Apple learns of its channels.
    func note(_ events: [PhoneEvent], of phone: PhoneConfiguration) {
        for event in events {
            switch event {
            case .subscribed(let channel):
                _ = guarded.withLock { $0[key(channel, phone), default: []].insert(phone.id) }
            case .unsubscribed(let channel): guarded.withLock { remove(phone.id, from: key(channel, phone), in: &$0) }
            default: break
            }
        }
    }

    private func key(_ channel: String, _ phone: PhoneConfiguration) -> Key {
        Key(channel: channel, bundleID: phone.bundleID, environment: phone.environment)
    }

    private func remove(_ phone: String, from key: Key, in subscribers: inout [Key: Set<String>]) {
        subscribers[key]?.remove(phone)
        // A channel that nobody follows is forgotten, since ids are never used again.
        if subscribers[key]?.isEmpty == true { subscribers[key] = nil }
    }
}

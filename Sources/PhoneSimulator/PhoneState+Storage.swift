import APNSWire
import Foundation

/// A push that Apple keeps for a phone that is offline.
struct StoredPush: Sendable {
    var push: DeliveredPush
    var since: Date

    /// When Apple drops it.
    var end: Date {
        let lifetime = push.channel == nil ? APNSLimits.storageLifetime : APNSLimits.channelStorageLifetime
        let latest = since.addingTimeInterval(Double(lifetime))
        return push.expiration.map { min(Date(timeIntervalSince1970: Double($0)), latest) } ?? latest
    }
}

// Apple stores pushes for each phone, so storage is simulated here and not in the check of requests.
extension PhoneState {
    /// The one push to a token that Apple keeps while the phone is offline.
    public var storedPush: DeliveredPush? { stored.first { $0.push.channel == nil }?.push }

    /// Apple can no longer reach the phone.
    public mutating func goOffline(now: Date) {
        advance(to: now)
        isOnline = false
    }

    /// Reconnects the phone to Apple, and delivers the stored pushes: the one push of the app, and the newest of each
    /// channel.
    ///
    /// - Returns: the effect of the first of them; the log has them all.
    @discardableResult
    public mutating func goOnline(now: Date) -> PushEffect? {
        advance(to: now)
        isOnline = true
        followChannels()
        makeStartTokenIfDue()
        issueDueTokens()
        let kept = stored
        stored = []
        return kept.map { unlessExpired($0) { $0.deliver($1) } }.first
    }

    /// Delivers or stores a push that has waited, unless it has expired.
    private mutating func unlessExpired(
        _ held: StoredPush, _ take: (inout Self, DeliveredPush) -> PushEffect
    ) -> PushEffect {
        held.end <= time ? log(held.push, .ignored(.expired)) : take(&self, held.push)
    }

    /// Stores a push for an offline phone. Apple keeps one push for each app, normally the latest. For each channel
    /// with a storage policy it keeps the newest broadcast.
    mutating func store(_ push: DeliveredPush) -> PushEffect {
        if let channel = push.channel, !subscribedChannels.contains(channel) {
            return log(push, .ignored(.notSubscribed))
        }
        let new = StoredPush(push: push, since: time)
        if case .channel(_, keepsNewest: false) = push.destination { return log(push, .ignored(.offline)) }
        guard new.end > time else { return log(push, .ignored(.offline)) }
        dropExpired()
        if let index = stored.firstIndex(where: { sharesPlace($0.push, with: push) }) {
            let old = stored[index]
            if time < old.since.addingTimeInterval(rules.storageBurst) { return log(push, .ignored(.storageTaken)) }
            log(stored.remove(at: index).push, .ignored(.replacedInStorage))
        }
        stored.append(new)
        return log(push, .stored)
    }

    /// Drops expired pushes, which no longer occupy storage.
    private mutating func dropExpired() {
        for old in stored where old.end <= time { log(old.push, .ignored(.expired)) }
        stored.removeAll { $0.end <= time }
    }

    /// Holds a push for delivery with others, if it may wait. A push that is not to be stored is delivered at once.
    mutating func hold(_ push: DeliveredPush) -> PushEffect {
        let held = StoredPush(push: push, since: time)
        guard held.end > time else { return deliver(push) }
        if waiting.isEmpty { burstAt = time.addingTimeInterval(rules.considerateDelay) }
        waiting.append(held)
        return log(push, .stored)
    }

    /// Delivers the pushes that have waited, in order of arrival.
    mutating func deliverBurst() {
        burstAt = nil
        let burst = waiting
        waiting = []
        for held in burst { _ = unlessExpired(held) { $0.isOnline ? $0.deliver($1) : $0.store($1) } }
    }

    private func sharesPlace(_ old: DeliveredPush, with new: DeliveredPush) -> Bool {
        rules.broadcastsShareStorage || old.channel == new.channel
    }
}

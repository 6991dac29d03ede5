import EyotContract
import EyotDomain

extension MemoryLedger {
    package func insert(_ channel: Channel) -> Channel {
        var stored = channel
        stored.id = ChannelID(rawValue: (channels.map(\.id.rawValue).max() ?? 0) + 1)
        channels.append(stored)
        return stored
    }

    package func update(_ channel: Channel) {
        guard let index = channels.firstIndex(where: { $0.id == channel.id }) else { return }
        channels[index] = channel
    }

    package func removeChannel(_ id: ChannelID) { channels.removeAll { $0.id == id } }

    package func channel(_ id: ChannelID) -> Channel? { channels.first { $0.id == id } }

    package func channels(of activity: ActivityID) -> [Channel] {
        channels.filter { $0.activity == activity }
            .sorted { ($0.environment.rawValue, $0.id.rawValue) < ($1.environment.rawValue, $1.id.rawValue) }
    }

    package func channels(in app: AppID, after id: ChannelID, limit: Int) -> [Channel] {
        Array(channels.lazy.filter { $0.app == app && $0.id.rawValue > id.rawValue }.prefix(limit))
    }

    package func freeChannel(of app: AppID, in environment: PushEnvironment, at now: Instant) -> Channel? {
        func free(_ channel: Channel) -> Instant? {
            guard channel.app == app, channel.environment == environment, channel.phase == .resting else { return nil }
            return channel.freeAt.flatMap { $0 <= now ? $0 : nil }
        }
        return channels.compactMap { channel in free(channel).map { ($0, channel) } }.min { $0.0 < $1.0 }?.1
    }

    package func channelCount(of app: AppID, in environment: PushEnvironment) -> Int {
        let counted: [Channel.Phase] = [.wanted, .leased, .resting, .deleting]
        return channels.count { $0.app == app && $0.environment == environment && counted.contains($0.phase) }
    }

    package func dueChannels(
        for errand: Channel.Errand, at now: Instant, share: Int, limit: Int, in shards: Shards
    ) -> [Channel] {
        let due = channels.compactMap { channel in channel.dueAt.map { (channel, $0) } }
            .filter { channel, dueAt in
                channel.errand == errand && dueAt <= now && shards.contains(channel.activity)
                    && isSending(for: channel, at: now)
            }
            .sorted { ($0.1, $0.0.id.rawValue) < ($1.1, $1.0.id.rawValue) }.map(\.0)
        guard !due.isEmpty else { return [] }
        return Channel.byTurns(
            allApps.map { app in Array(due.filter { $0.app == app.id }.prefix(share)) }, limit: limit)
    }

    package func channelsDue(
        for errand: Channel.Errand, of app: AppID, after now: Instant, upTo moment: Instant, limit: Int
    ) -> [Channel] {
        channels.filter { channel in
            channel.app == app && channel.errand == errand && channel.dueAt.map { now < $0 && $0 <= moment } ?? false
        }
        .sorted { ($0.dueAt ?? now, $0.id.rawValue) < ($1.dueAt ?? now, $1.id.rawValue) }.prefix(limit).map(\.self)
    }

    private func isSending(for channel: Channel, at now: Instant) -> Bool {
        guard let app = app(channel.app) else { return false }
        if app.removedAt != nil, case .upkeep = channel.errand { return true }
        guard app.isSending(in: channel.environment) else { return false }
        guard channel.phase == .leased, let activity = activity(channel.activity), app.halt(of: activity) != nil else {
            return true
        }
        return activity.endedAt.map { $0 <= now - Channel.endReach } ?? false
    }
}

import EyotContract
import EyotDomain

/// The lease and wake-up of an activity's channels after a declaration. Part of the declaration's transaction.
struct LeaseChannels: UseCase {
    let transaction: Transaction
    /// The most channels of an app in an environment.
    let limit: Int

    /// - Returns: The warnings for the caller.
    func callAsFunction(
        _ activity: Activity, _ request: DeclarationRequest, leftOut: LeftOut = LeftOut()
    ) throws -> [String] {
        var warnings: [ChannelWarning] = []
        if request.wantsChannel, !activity.isEnded, try !lease(for: activity) { warnings.append(.missingKey) }
        if request.wantsChannel, !activity.isEnded { try wantLost(of: activity) }
        let channels = try ledger.wakeChannels(of: activity.id, at: now)
        warnings += try ChannelWarnings(transaction: transaction)(request, leftOut, in: activity, on: channels)
        return warnings.map(\.text)
    }

    /// Asks for the channels again that Apple did not make, or does not have any more, if there is room now.
    private func wantLost(of activity: Activity) throws {
        for var channel in try ledger.channels(of: activity.id) where channel.phase == .lost {
            guard channel.edition <= Channel.lastEdition,
                try ledger.channelCount(of: activity.app, in: channel.environment) < limit
            else { continue }
            channel.want(at: now)
            try ledger.update(channel)
        }
    }

    /// Leases a channel in each environment with a key, and returns false if there is no key. No card follows the
    /// channel yet. Later followers hear the current alert with their start, so a broadcast must not repeat it.
    private func lease(for activity: Activity) throws -> Bool {
        let environments = try ledger.apnsKeys(of: activity.app).map(\.environment)
        let had = try ledger.channels(of: activity.id).map(\.environment)
        for environment in environments where !had.contains(environment) {
            if var free = try ledger.freeChannel(of: activity.app, in: environment, at: now) {
                free.lease(by: activity.id, at: now)
                free.alerted = activity.common.alert
                try ledger.update(free)
                continue
            }
            var channel = Channel(
                id: ChannelID(rawValue: 0), app: activity.app, environment: environment, activity: activity.id,
                wantedAt: now)
            channel.alerted = activity.common.alert
            if try ledger.channelCount(of: activity.app, in: environment) >= limit {
                (channel.phase, channel.reason, channel.dueAt) = (.lost, .cannotCreateChannelConfig, nil)
            }
            _ = try ledger.insert(channel)
        }
        return !environments.isEmpty
    }
}

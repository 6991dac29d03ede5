import APNSWire

/// The work that is due for a channel.
package enum ChannelDue: Sendable, Hashable {
    /// No work before the moment; nil if nothing is planned.
    case nothing(until: Instant?)
    case create
    case broadcast(Push)
    /// The lease is over.
    case rest
    /// No activity has wanted the channel for a day.
    case delete
}

extension Channel {
    /// Seconds between the first end and the second. Each further wait is twice as long, up to ``longestEndGap``.
    private static let firstEndGap = 60.0
    private static let longestEndGap = 3_600.0
    /// Seconds after a planned end at which the channel is looked at again. The engine ends the activity by then.
    private static let afterPlannedEnd = 1.0

    /// Decides what is due at this moment. It is the only place that decides what is broadcast.
    ///
    /// - Parameters:
    ///   - activity: the activity that has the channel; nil if it was removed, long after its end.
    ///   - profile: the profile of the activity's type.
    package func due(
        in activity: Activity?, at now: Instant, profile: TypeProfile, declaration: DeclarationLookup
    ) rethrows -> ChannelDue {
        let due = try dueAtFullPace(in: activity, at: now, profile: profile, declaration: declaration)
        guard let slowedUntil, now < slowedUntil else { return due }
        // Only time ends this pause. A newer declaration would be one more refused request.
        return switch due {
        case .create, .broadcast, .delete: .nothing(until: slowedUntil)
        case .nothing, .rest: due
        }
    }

    private func dueAtFullPace(
        in activity: Activity?, at now: Instant, profile: TypeProfile, declaration: DeclarationLookup
    ) rethrows -> ChannelDue {
        switch phase {
        case .wanted: return activity.map(\.isEnded) ?? true ? .rest : .create
        case .leased:
            guard let activity else { return .rest }
            return try dueBroadcast(in: activity, at: now, profile: profile, declaration: declaration)
        case .resting:
            guard let freeAt else { return .nothing(until: nil) }
            let end = freeAt + Self.idleLimit
            return now >= end ? .delete : .nothing(until: end)
        case .deleting: return .delete
        case .lost, .deleted: return .nothing(until: nil)
        }
    }

    private func dueBroadcast(
        in activity: Activity, at now: Instant, profile: TypeProfile, declaration: DeclarationLookup
    ) rethrows -> ChannelDue {
        if let end = activity.end { return try dueEnd(end, of: activity, at: now, declaration: declaration) }
        let state = activity.common.state
        // Content that Apple refused does not go again for its alert. The alert waits for a newer state.
        let isRefused = state == accepted && reason?.action == .dropPush
        let alert = isRefused ? 0 : try owedAlert(in: activity, at: now, declaration: declaration)
        // Cards that show the newest state from their start on need no repetition.
        let isRepeated = state != startedWith && repeatAt.map { now >= $0 } ?? false
        guard state > 0, state != accepted || alert > 0 || isRepeated else {
            let end = activity.endsAt.map { max($0, now) + Self.afterPlannedEnd }
            let next = repeatAt.flatMap { $0 > now ? $0 : nextRepeat(after: now) }
            return .nothing(until: Instant.soonest(end, state > 0 ? next : nil))
        }
        let wish = try declaration(state)?.content.priority
        let isPressing = alert > 0 || accepted == 0 || activity.common.urgent > accepted
        var push = Push(
            event: .update, version: state, stateVersion: state, alertVersion: alert,
            priority: wish ?? (isPressing ? .immediate : .considerate))
        push.isSpaced = !isPressing
        return timed(push, at: now, profile)
    }

    /// Repeats the end until the last start that may be under way has arrived or is void (R5).
    private func dueEnd(
        _ end: Int, of activity: Activity, at now: Instant, declaration: DeclarationLookup
    ) rethrows -> ChannelDue {
        let over = (activity.endedAt ?? now) + Self.endReach
        guard now < over else { return .rest }
        // A card with a start of the same second as its end would keep the state of the start. No further starts are
        // made.
        if let left = startedAt.map({ $0 + Self.startLead }), now < left { return .nothing(until: left) }
        // A further end goes out at once.
        if ends > 0, accepted == end, let lastEndAt {
            let gap = min(Self.firstEndGap * Double(1 << min(ends - 1, 10)), Self.longestEndGap)
            let next = min(lastEndAt + gap, over)
            guard now >= next else { return .nothing(until: next) }
        }
        // An end ignores the spacing.
        return timed(
            Push(
                event: .end, version: end, stateVersion: activity.common.state,
                alertVersion: try owedAlert(in: activity, at: now, declaration: declaration),
                priority: try declaration(end)?.content.priority ?? .immediate), at: now)
    }

    /// Until when a start waits for a broadcast of its alert to cards that follow already; nil if it does not wait.
    package func awaited(
        forAlertOf start: Push, in activity: Activity, at now: Instant, declaration: DeclarationLookup
    ) rethrows -> Instant? {
        guard followed != nil, startedAt != nil, start.alertVersion == activity.common.alert,
            try owedAlert(in: activity, at: now, declaration: declaration) > 0,
            let since = try declaration(activity.common.alert)?.countsFrom
        else { return nil }
        let end = since + Self.startPatience
        return now < end ? end : nil
    }

    private func owedAlert(
        in activity: Activity, at now: Instant, declaration: DeclarationLookup
    ) rethrows -> Int {
        guard activity.common.alert > alerted, let alert = try declaration(activity.common.alert)?.content.alert,
            now < alert.expiresAt
        else { return 0 }
        return activity.common.alert
    }

    /// Delays a broadcast until the spacing and the last second are over.
    ///
    /// The spacing counts from broadcasts alone. Starts raise ``lastSecond`` too, and would otherwise delay the newest
    /// state again and again (R3).
    private func timed(_ push: Push, at now: Instant, _ profile: TypeProfile? = nil) -> ChannelDue {
        let broadcast = PushSecond.toFollow(broadcastSecond, at: now)
        let spaced = push.firstSecond(after: broadcast, spacing: profile?.spacing ?? 0)
        let first = max(PushSecond.toFollow(lastSecond, at: now) + 1, spaced)
        return now.second >= first ? .broadcast(push) : .nothing(until: Instant(second: first))
    }
}

import APNSWire

/// Apple's answer to a request that makes or deletes a channel.
package enum ChannelAnswer: Sendable, Hashable {
    case made(APNSChannelID)
    case deleted
    case refused(APNSReason)
    /// The request did not reach Apple, or its outcome is unknown.
    case failed
}

extension Channel {
    private static let firstPause = 1.0
    private static let longestPause = 900.0
    /// Broadcasts of one channel that Apple is reported to accept in a minute. Apple publishes no figure.
    package static let reportedPerMinute = 4
    /// The longest wait in seconds after Apple has refused a request as one too many.
    private static let longestSlowPause = 240.0

    /// Applies the verdict on a broadcast.
    ///
    /// The clock may have been set back since the broadcast was stamped (R7).
    ///
    /// - Parameter takenAt: when it was bound to its state.
    /// - Returns: the reason for a pause of the app in the channel's environment; nil if there is none.
    package mutating func settle(
        _ push: Push, _ answer: PushAnswer, takenAt: Instant, isUrgent: Bool
    ) -> APNSReason? {
        let (verdict, now) = (answer.verdict, answer.at)
        alerting = 0
        lastSecond = max(PushSecond.toFollow(lastSecond, at: now), now.second, answer.stampedUpTo)
        if verdict == .accepted || verdict == .unknown { broadcastSecond = lastSecond }
        switch verdict.reason?.action {
        case nil where verdict == .accepted:
            accepted = max(accepted, push.version)
            alerted = max(alerted, push.alertVersion)
            (failures, reason, dueAt, slowedUntil) = (0, nil, now, nil)
            passRepeat(takenAt)
            if push.event == .end {
                ends += 1
                lastEndAt = now
            }
            return nil
        case nil:
            // The alert may have been given. Once is better than twice (R4).
            if verdict == .unknown, !isUrgent { alerted = max(alerted, push.alertVersion) }
        // A verdict on a token says nothing of a channel.
        case .buryToken where verdict.reason == .channelNotRegistered:
            loseAtApple(because: verdict.reason, at: now)
            return nil
        case .dropPush where push.event != .end:
            // No card has given its alert, which goes with the next state.
            accepted = max(accepted, push.version)
            (reason, dueAt) = (verdict.reason, now)
            passRepeat(takenAt)
            return nil
        case .pauseApp:
            backOff(at: now)
            return verdict.reason
        case .slowToken:
            reason = verdict.reason
            slowDown(at: now)
            return nil
        default: break
        }
        reason = verdict.reason
        if verdict == .notProcessed { sendAgain(at: now) } else { backOff(at: now) }
        return nil
    }

    /// Counts the alert of a broadcast as given, because the process that made it is gone and its answer with it (R4).
    package mutating func loseAnswer() {
        alerted = max(alerted, alerting)
        alerting = 0
    }

    /// Plans the next repetition. A state that was bound at a moment need not go again for starts that had left by
    /// then.
    private mutating func passRepeat(_ takenAt: Instant) {
        if let moment = repeatAt, takenAt >= moment { repeatAt = nextRepeat(after: takenAt) }
    }

    /// Applies Apple's answer to the request that makes or deletes the channel.
    ///
    /// - Returns: the reason for a pause of the app in the channel's environment; nil if there is none.
    package mutating func settle(_ answer: ChannelAnswer, at now: Instant) -> APNSReason? {
        switch answer {
        case .made(let apple):
            self.apple = apple
            phase = .leased
            (failures, reason, dueAt, slowedUntil) = (0, nil, now, nil)
            return nil
        case .deleted, .refused(.channelNotRegistered):
            (phase, dueAt) = (.deleted, nil)
            return nil
        case .failed:
            backOff(at: now)
            return nil
        case .refused(let reason):
            self.reason = reason
            switch reason.action {
            case .pauseApp:
                backOff(at: now)
                return reason
            case .slowToken: slowDown(at: now)
            case .retryLater, .renewProviderToken: backOff(at: now)
            case _ where phase == .wanted: lose(because: reason)
            default: backOff(at: now)
            }
            return nil
        }
    }

    /// Ends the lease. The channel rests, or is lost if Apple never made it.
    package mutating func endLease(at now: Instant) {
        guard apple != nil else { return lose(because: nil) }
        let free = now + Self.rest
        (phase, freeAt, dueAt) = (.resting, free, free + Self.idleLimit)
    }

    /// Apple no longer has it, so no broadcast reaches the cards that follow it. Another one is made in its place.
    private mutating func loseAtApple(because lost: APNSReason?, at now: Instant) {
        edition += 1
        guard edition <= Self.lastEdition else { return lose(because: lost) }
        want(at: now)
        reason = lost
    }

    private mutating func lose(because reason: APNSReason?) {
        (phase, self.reason, dueAt) = (.lost, reason, nil)
    }

    /// Repeats a broadcast that did not reach Apple, at once the first time and then after short pauses, as for a card.
    private mutating func sendAgain(at now: Instant) {
        dueAt = now + (failures == 0 ? 0 : min(Retry.pause(after: failures), Retry.unreachablePause))
        failures += 1
    }

    /// Waits because Apple accepts no more for now. Requests then follow the reported limit, and half as often after
    /// each further refusal. One good answer ends this (R10).
    private mutating func slowDown(at now: Instant) {
        let first = 60 / Double(Self.reportedPerMinute)
        let end = now + min(first * Double(1 << min(failures, 10)), Self.longestSlowPause)
        (slowedUntil, dueAt) = (end, end)
        failures += 1
    }

    private mutating func backOff(at now: Instant) {
        dueAt = now + min(Self.firstPause * Double(1 << min(failures, 20)), Self.longestPause)
        failures += 1
    }
}

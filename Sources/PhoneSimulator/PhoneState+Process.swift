import Foundation

extension PhoneState {
    /// The person opens the app: its process begins, or comes to the front.
    public mutating func launch(now: Date) {
        advance(to: now)
        switch run {
        case .notRunning: begin(.foreground, .person)
        case .background: move(to: .foreground)
        case .foreground: break
        }
    }

    /// The running app leaves the front.
    public mutating func moveToBackground(now: Date) {
        advance(to: now)
        if run == .foreground { move(to: .background) }
    }

    /// The person swipes the app away. Its cards stay.
    public mutating func forceQuit(now: Date) {
        advance(to: now)
        isForceQuit = true
        terminate()
    }

    /// The system ends the app's process, for memory or after a crash. Its cards stay.
    public mutating func terminateBySystem(now: Date) {
        advance(to: now)
        terminate()
    }

    /// The phone is restarted. The app does not run afterwards.
    public mutating func reboot(now: Date) {
        advance(to: now)
        terminate()
        isForceQuit = false
        hasRebooted = true
        if rules.rebootRenewsStartToken { retireStartToken(isReplaced: true) }
        if !rules.cardsSurviveReboot { removeAllCards() }
    }

    /// The system is updated, which restarts the phone. The app does not run afterwards; its cards are as after any
    /// restart.
    public mutating func updateSystem(to os: IOSVersion, now: Date) {
        let isMajor = os.major != configuration.os.major
        reboot(now: now)
        configuration.os = os
        if isMajor, rules.systemUpdateRenewsStartToken { retireStartToken(isReplaced: true, isAccepted: true) }
    }

    /// The app is deleted and installed again: all cards and tokens are gone, nothing is allowed yet, it does not run.
    public mutating func reinstall(now: Date) {
        advance(to: now)
        terminate()
        removeAllCards()
        for index in cards.indices { retireToken(ofCardAt: index, since: time) }
        retireStartToken()
        killRetiredTokens()
        cards = []
        stored = []
        waiting = []
        burstAt = nil
        isForceQuit = false
        hasRebooted = false
        hasAllowed = false
        installation += 1
    }

    /// The app is replaced by another build, which has these types. It does not run afterwards; cards and tokens stay.
    public mutating func updateApp(types: [PayloadCheck], now: Date) {
        advance(to: now)
        terminate()
        checks = PayloadCheck.byType(types)
    }

    /// A pushed start, and a new token, give the app time in the background.
    mutating func wake(for reason: LaunchReason) {
        switch run {
        case .foreground: break
        case .background: backgroundSince = time
        case .notRunning: if !isForceQuit || rules.wakesForceQuitApp { begin(.background, reason) }
        }
    }

    /// When the system ends an app in the background. Nil if it does not run there, or may stay without limit.
    var backgroundEnd: Date? {
        guard run == .background, let limit = rules.backgroundTime else { return nil }
        let granted = unfinishedWork > 0 ? max(limit, rules.unfinishedWorkTime) : limit
        return backgroundSince.addingTimeInterval(granted)
    }

    mutating func begin(_ run: AppRun, _ reason: LaunchReason) {
        generation += 1
        self.run = run
        backgroundSince = time
        unfinishedWork = 0
        isForceQuit = false
        emit(.launched(generation: generation, reason))
        makeStartTokenIfDue()
    }

    private mutating func move(to run: AppRun) {
        self.run = run
        backgroundSince = time
        emit(.moved(generation: generation, run))
    }

    mutating func terminate() {
        guard run != .notRunning else { return }
        run = .notRunning
        emit(.terminated(generation: generation))
    }

    mutating func removeAllCards() {
        for index in cards.indices where cards[index].phase != .dismissed { remove(cardAt: index, at: time) }
    }
}

import EyotDomain

/// Removes what apps have beyond the limits of their logs, in short transactions.
package struct TrimLogs: Sendable {
    let store: any Store
    let clock: any WallClock
    /// Seconds between two transactions, so that other writers get their turn.
    let pause: Double

    package init(_ store: any Store, clock: any WallClock, pause: Double) {
        (self.store, self.clock, self.pause) = (store, clock, pause)
    }

    package func callAsFunction() async throws {
        let apps: [AppID?] = try await store.read { try $0.apps().map(\.id) } + [nil]
        for app in apps {
            for log in AppLog.allCases { try await trim(log, of: app) }
        }
    }

    private func trim(_ log: AppLog, of app: AppID?) async throws {
        // A transaction that also adds rows would be in conflict with this look, so it is a read of its own.
        guard let number = try await store.read({ try $0.newestNumber(beyond: log.limit, in: log, of: app) })
        else { return }
        while try await store.write({ ledger in
            try ledger.removeRows(upTo: number, from: log, of: app, limit: Prune.rows)
        }) == Prune.rows {
            try await clock.pause(seconds: pause)
        }
    }
}

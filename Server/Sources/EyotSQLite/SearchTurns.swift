import EyotDomain

/// Who may search now: one app gets not all of the connections that search, however much it asks.
actor SearchTurns {
    /// Searches of one app that may wait. Each ends soon, so what is beyond them would wait for minutes.
    static let waitingLimit = 200

    private let limit: Int
    private var running: [AppID: Int] = [:]
    private var waiting: [AppID: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameter limit: searches of one app at the same time.
    init(limit: Int) { self.limit = limit }

    /// Waits for a turn. Each that is taken has to be given back.
    ///
    /// - Throws: `tooManyCalls` where too many of the app wait already.
    func take(_ app: AppID) async throws(EyotError) {
        guard running[app, default: 0] >= limit else {
            running[app, default: 0] += 1
            return
        }
        guard waiting[app]?.count ?? 0 < Self.waitingLimit else {
            throw EyotError(.tooManyCalls, "\(Self.waitingLimit) calls of the app wait for their audiences already")
        }
        await withCheckedContinuation { waiting[app, default: []].append($0) }
    }

    /// Gives a turn to whoever of the app has waited longest.
    func giveBack(_ app: AppID) {
        if var others = waiting[app], !others.isEmpty {
            let next = others.removeFirst()
            waiting[app] = others.isEmpty ? nil : others
            return next.resume()
        }
        running[app] = running[app].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

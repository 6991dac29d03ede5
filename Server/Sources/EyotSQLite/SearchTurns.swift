import EyotDomain

/// Gives the apps their turns to search, so that one app does not get all connections that search.
actor SearchTurns {
    /// Searches of one app that may wait. Each ends soon, and a search beyond them would wait for minutes.
    static let waitingLimit = 50

    private let limit: Int
    private var running: [AppID: Int] = [:]
    private var waiting: [AppID: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameter limit: searches of one app at the same time.
    init(limit: Int) { self.limit = limit }

    /// Searches when it is the app's turn.
    ///
    /// - Throws: `tooManyCalls` if too many of the app wait already, and what the search throws.
    nonisolated func search<Result: Sendable>(
        of app: AppID, _ search: () async throws -> Result
    ) async throws -> Result {
        try await take(app)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await search()) } catch { result = .failure(error) }
        await giveBack(app)
        return try result.get()
    }

    /// Waits for a turn.
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

    /// Hands the turn to the search of the app that has waited longest.
    func giveBack(_ app: AppID) {
        if var others = waiting[app], !others.isEmpty {
            let next = others.removeFirst()
            waiting[app] = others.isEmpty ? nil : others
            return next.resume()
        }
        running[app] = running[app].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

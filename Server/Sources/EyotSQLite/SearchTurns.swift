import EyotDomain

/// The turns of apps to search, so that one app does not get all connections for searches.
actor SearchTurns {
    /// How many searches of one app may wait. A search beyond them would wait for minutes.
    static let waitingLimit = 50

    private let limit: Int
    private var running: [AppID: Int] = [:]
    private var waiting: [AppID: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameter limit: How many searches of one app run at the same time.
    init(limit: Int) { self.limit = limit }

    /// Runs a search when it is the app's turn.
    ///
    /// - Throws: `tooManyCalls` if too many searches of the app wait already, and the errors of the search.
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
            throw EyotError(.tooManyCalls, "\(Self.waitingLimit) calls of the app already wait for an audience search")
        }
        await withCheckedContinuation { waiting[app, default: []].append($0) }
    }

    /// Hands the turn to the app's search that has waited longest.
    func giveBack(_ app: AppID) {
        if var others = waiting[app], !others.isEmpty {
            let next = others.removeFirst()
            waiting[app] = others.isEmpty ? nil : others
            return next.resume()
        }
        running[app] = running[app].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

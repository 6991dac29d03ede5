import EyotDomain

/// The turns of apps to search, so that one app does not get all connections for searches.
///
/// Within an app, searches for declarations come first. A start then waits for the search that runs, and not for all
/// counts that were asked before it. A count searches page by page and takes a turn for each.
actor SearchTurns {
    /// How many searches of one app and purpose may wait. A search beyond them would wait for minutes.
    static let waitingLimit = 50
    /// How many searches for declarations come in a row while a question waits.
    static let declarationsInARow = 4

    private let limit: Int
    private var running: [AppID: Int] = [:]
    private var waiting: [AppID: WaitingSearches] = [:]

    /// - Parameter limit: How many searches of one app run at the same time.
    init(limit: Int) { self.limit = limit }

    /// Runs a search when it is the app's turn.
    ///
    /// - Throws: `tooManyCalls` if too many searches of the app wait already, and the errors of the search.
    nonisolated func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ search: () async throws -> Result
    ) async throws -> Result {
        try await take(app, for: purpose)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await search()) } catch { result = .failure(error) }
        await giveBack(app)
        return try result.get()
    }

    /// Waits for a turn.
    func take(_ app: AppID, for purpose: SearchPurpose) async throws(EyotError) {
        guard running[app, default: 0] >= limit else {
            running[app, default: 0] += 1
            return
        }
        guard waitingCount(of: app, for: purpose) < Self.waitingLimit else {
            throw EyotError(.tooManyCalls, "\(Self.waitingLimit) calls of the app already wait for an audience search")
        }
        await withCheckedContinuation { waiting[app, default: WaitingSearches()].append($0, for: purpose) }
    }

    /// Hands the turn to the app's search that is next.
    func giveBack(_ app: AppID) {
        if var others = waiting[app], let next = others.next() {
            waiting[app] = others.isEmpty ? nil : others
            return next.resume()
        }
        running[app] = running[app].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// How many searches of an app wait for a turn.
    func waitingCount(of app: AppID, for purpose: SearchPurpose) -> Int {
        waiting[app]?.count(for: purpose) ?? 0
    }
}

/// The searches of one app that wait, oldest first for each purpose.
private struct WaitingSearches {
    typealias Search = CheckedContinuation<Void, Never>

    private var declarations: [Search] = []
    private var questions: [Search] = []
    /// How many searches for declarations came since a question had a turn or none waited.
    private var inARow = 0

    var isEmpty: Bool { declarations.isEmpty && questions.isEmpty }

    func count(for purpose: SearchPurpose) -> Int {
        switch purpose {
        case .declaration: declarations.count
        case .question: questions.count
        }
    }

    mutating func append(_ search: Search, for purpose: SearchPurpose) {
        switch purpose {
        case .declaration: declarations.append(search)
        case .question: questions.append(search)
        }
    }

    mutating func next() -> Search? {
        let isForQuestion =
            declarations.isEmpty || (inARow >= SearchTurns.declarationsInARow && !questions.isEmpty)
        guard isForQuestion else {
            inARow = questions.isEmpty ? 0 : inARow + 1
            return declarations.removeFirst()
        }
        inARow = 0
        return questions.isEmpty ? nil : questions.removeFirst()
    }
}

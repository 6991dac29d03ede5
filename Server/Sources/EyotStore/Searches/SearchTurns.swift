import EyotDomain

/// The turns of apps to search, so that one app does not get all connections for searches.
///
/// Within an app, searches for declarations come first. A start then waits for the search that runs, and not for all
/// counts that were asked before it. A count searches page by page and takes a turn for each. If a page takes long, its
/// search yields the turn (``SearchTurn``).
package actor SearchTurns {
    /// How many searches of one app and purpose may wait. A search beyond them would wait for minutes.
    static let waitingLimit = 50
    /// How many searches for declarations come in a row while a question waits.
    static let declarationsInARow = 4

    private let limit: Int
    private let leastTime: Duration
    private var running: [AppID: [SearchTurn]] = [:]
    private var waiting: [AppID: WaitingSearches] = [:]

    /// - Parameters:
    ///   - limit: How many searches of one app run at the same time.
    ///   - leastTime: How long a question keeps its turn at least.
    package init(limit: Int, leastTime: Duration = SearchTurn.leastTime) {
        (self.limit, self.leastTime) = (limit, leastTime)
    }

    /// Runs a search when it is the app's turn, and once more if it had to yield the turn.
    ///
    /// - Throws: `tooManyCalls` if too many searches of the app wait already, and the errors of the search.
    package nonisolated func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ search: (SearchTurn) async throws -> Result
    ) async throws -> Result {
        var mayYield = purpose == .question
        while true {
            let turn = try await take(app, for: purpose, mayYield: mayYield)
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await search(turn)) } catch { result = .failure(error) }
            await giveBack(turn)
            guard case .failure = result, turn.hasYielded else { return try result.get() }
            // A caller that is gone needs no other turn.
            try Task.checkCancellation()
            mayYield = false
        }
    }

    /// Waits for a turn.
    func take(
        _ app: AppID, for purpose: SearchPurpose, mayYield: Bool = false
    ) async throws(EyotError) -> SearchTurn {
        let leastTime = mayYield ? leastTime : nil
        guard running[app]?.count ?? 0 >= limit else { return begin(of: app, yieldingAfter: leastTime) }
        guard waitingCount(of: app, for: purpose) < Self.waitingLimit else {
            throw EyotError(.tooManyCalls, "\(Self.waitingLimit) calls of the app already wait for an audience search")
        }
        if purpose == .declaration { for turn in running[app] ?? [] { turn.want() } }
        return await withCheckedContinuation { continuation in
            waiting[app, default: WaitingSearches()].append(
                WaitingSearch(continuation: continuation, leastTime: leastTime), for: purpose)
        }
    }

    private func begin(of app: AppID, yieldingAfter time: Duration?) -> SearchTurn {
        let turn = SearchTurn(of: app, yieldingAfter: time)
        // A declaration that waits already wants the turn too.
        if waitingCount(of: app, for: .declaration) > 0 { turn.want() }
        running[app, default: []].append(turn)
        return turn
    }

    /// Hands the turn to the app's search that is next.
    func giveBack(_ turn: SearchTurn) {
        let app = turn.app
        let others = (running[app] ?? []).filter { $0 !== turn }
        running[app] = others.isEmpty ? nil : others
        guard var left = waiting[app], let next = left.next() else { return }
        waiting[app] = left.isEmpty ? nil : left
        next.continuation.resume(returning: begin(of: app, yieldingAfter: next.leastTime))
    }

    /// How many searches of an app wait for a turn.
    func waitingCount(of app: AppID, for purpose: SearchPurpose) -> Int {
        waiting[app]?.count(for: purpose) ?? 0
    }
}

private struct WaitingSearch {
    var continuation: CheckedContinuation<SearchTurn, Never>
    /// How long it keeps its turn at least; nil if it need not yield it.
    var leastTime: Duration?
}

/// The searches of one app that wait, oldest first for each purpose.
private struct WaitingSearches {
    private var declarations: [WaitingSearch] = []
    private var questions: [WaitingSearch] = []
    /// How many searches for declarations came since a question had a turn or none waited.
    private var inARow = 0

    var isEmpty: Bool { declarations.isEmpty && questions.isEmpty }

    func count(for purpose: SearchPurpose) -> Int {
        switch purpose {
        case .declaration: declarations.count
        case .question: questions.count
        }
    }

    mutating func append(_ search: WaitingSearch, for purpose: SearchPurpose) {
        switch purpose {
        case .declaration: declarations.append(search)
        case .question: questions.append(search)
        }
    }

    mutating func next() -> WaitingSearch? {
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

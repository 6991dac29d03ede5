import EyotSQLite
import EyotStore

/// The figures of calls of one kind in one round.
struct MeasuredCalls: Sendable {
    var load = TimedLoad()
    /// Microseconds of CPU per call, of the server and of its caller.
    var cpu = 0.0
    var callerCPU = 0.0
    /// Bytes written to disks per call.
    var written = 0.0
    /// Statements of the writer per call.
    var statements = 0.0
    var commits = CommitTally()

    /// Measures calls to servers of this process.
    ///
    /// - Parameters:
    ///   - name: names the calls if one of them has no good answer.
    ///   - count: the number of calls that `make` makes.
    /// - Throws: ``BenchError`` if a call has no good answer.
    init(_ name: String, _ count: Int, in store: SQLiteStore, _ make: () async -> TimedLoad) async throws {
        let (statements, commits) = (try await store.statementsRun(), store.committed)
        let before = ProcessUsage.now
        load = await make()
        let (used, calls) = (ProcessUsage.now - before, Double(count))
        guard load.answered == count else {
            throw BenchError.refused(call: name, reason: "\(count - load.answered) of \(count) had no good answer")
        }
        callerCPU = load.cpu / calls * 1_000_000
        cpu = used.cpu / calls * 1_000_000 - callerCPU
        written = Double(used.bytesWritten) / calls
        self.commits = store.committed - commits
        self.statements = Double(try await store.statementsRun() - statements) / calls
    }

    /// Calls a second.
    var rate: Double { Double(load.answered) / load.seconds }

    /// Returns the seconds that this share of the calls did not wait longer than.
    func wait(_ share: Double) -> Double { BenchReport.quantile(share, of: load.waits) }
}

extension BenchReport {
    /// Adds rates, waits and CPU of calls under a name.
    mutating func add(_ name: String, calls all: [MeasuredCalls], rate: Goal? = nil, p99: Goal? = nil) {
        add("\(name) a second", all.map(\.rate), "", goal: rate)
        for (share, words) in [(0.5, "median"), (0.99, "p99"), (1, "longest")] {
            add("\(name): wait, \(words)", all.map { $0.wait(share) * 1_000 }, "ms", goal: share == 0.99 ? p99 : nil)
        }
        add("\(name): CPU of the server", all.map(\.cpu), "µs")
        add("\(name): CPU of the caller", all.map(\.callerCPU), "µs")
    }

    /// Adds the writes of calls, and their commits.
    mutating func add(_ name: String, writing all: [MeasuredCalls]) {
        add("\(name): written", all.map(\.written), "bytes")
        add("\(name): statements of the writer", all.map(\.statements), "")
        add("\(name): in one commit", all.map { Double($0.commits.writes) / Double($0.commits.commits) }, "")
        add("\(name): a commit", all.map { $0.commits.seconds / Double($0.commits.commits) * 1_000 }, "ms")
        add("\(name): time in commits", all.map { $0.commits.seconds / $0.load.seconds * 100 }, "%")
    }

    /// Adds the cost of each step of a call beyond the one before. The first has none before it.
    mutating func addParts<Step: Hashable>(
        of name: String, _ parts: [(String, Step)], _ rounds: [[Step: MeasuredCalls]]
    ) {
        for (index, (part, step)) in parts.enumerated() {
            let cost = rounds.map { round in
                (round[step]?.cpu ?? .nan) - (index == 0 ? 0 : round[parts[index - 1].1]?.cpu ?? .nan)
            }
            add("CPU of \(name): \(part)", cost, "µs")
        }
    }
}

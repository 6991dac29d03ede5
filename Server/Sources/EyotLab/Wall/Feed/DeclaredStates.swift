import EyotContract
import Foundation
import Synchronization

/// The activities that the lab's server knows, read again when an event says that one has changed.
final class DeclaredStates: Sendable {
    /// How many activities are followed.
    static let limit = 100
    /// How many changed activities are read one by one; of more, the list is read.
    private static let single = 20

    private struct Contents {
        var activities: [String: DeclaredActivity] = [:]
        /// The names that events have mentioned since the last reading.
        var pending: Set<String> = []
        var isListDue = true
    }

    private let contents = Mutex(Contents())
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init() { (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// The activities in the order of their names.
    var all: [DeclaredActivity] {
        contents.withLock { $0.activities.values.sorted { $0.name < $1.name } }
    }

    /// Takes a message of the server's stream of events.
    func note(_ message: EventMessage) {
        guard let name = (try? JSONValue(parsing: message.data))?.object?["activity"]?.string else { return }
        contents.withLock { _ = $0.pending.insert(name) }
        wake.yield()
    }

    /// Has the whole list read again.
    func readAgain() {
        contents.withLock { $0.isListDue = true }
        wake.yield()
    }

    /// Reads what has changed, each time that something did, until the task is cancelled. A call that fails, because
    /// the server is down, is made again with the next list.
    func run(_ api: () throws -> APIClient) async {
        for await _ in wakes {
            guard let api = try? api() else { continue }
            // The next list brings what a failed call would have brought.
            try? await read(by: api)
        }
    }

    /// Reads what has changed.
    func read(by api: APIClient) async throws {
        let (names, isListDue) = contents.withLock { contents in
            defer { (contents.pending, contents.isListDue) = ([], false) }
            return (contents.pending, contents.isListDue || contents.pending.count > Self.single)
        }
        if isListDue {
            let answer = try await api.call("GET", "/v1/activities?limit=\(Self.limit)")
            guard answer.isSuccess else { return }
            let reports = answer.body.object?["activities"]?.array ?? []
            adopt(reports.compactMap(DeclaredActivity.init(report:)), isComplete: true)
            return
        }
        for name in names.sorted() {
            let answer = try await api.call("GET", APIClient.path("v1", "activities", name))
            adopt([DeclaredActivity(report: answer.body)].compactMap(\.self))
        }
    }

    /// Takes reports in.
    ///
    /// - Parameter isComplete: whether activities that are not among them are gone.
    func adopt(_ reports: [DeclaredActivity], isComplete: Bool = false) {
        contents.withLock { contents in
            let former = contents.activities
            if isComplete { contents.activities = [:] }
            for report in reports {
                var report = report
                if let known = former[report.name] {
                    // Answers can overtake each other.
                    guard (known.generation, known.version) <= (report.generation, report.version) else {
                        contents.activities[report.name] = known
                        continue
                    }
                    report.adopt(known)
                }
                guard contents.activities[report.name] != nil || contents.activities.count < Self.limit else {
                    continue
                }
                contents.activities[report.name] = report
            }
        }
    }
}

import APNSWire
import EyotContract
import EyotDomain
import Synchronization

/// A pusher between an engine and a sink, which records the pushes.
///
/// Without a sink it accepts every push at once, so that only engine and store are measured.
final class BenchPusher: Pusher {
    /// The records since they were last taken.
    struct Notes {
        var pushes = 0
        /// The moment of the first push; nil for none.
        var first: ContinuousClock.Instant?
        /// The moment of the first push for each number in a state.
        var firsts: [Int: ContinuousClock.Instant] = [:]
        /// The number of pushes for each number in a state.
        var counts: [Int: Int] = [:]
        var alerts = 0
        var ends = 0
    }

    private struct State {
        var notes = Notes()
        var sink: (any Pusher)?
    }

    private let state = Mutex(State())
    private let readsNumbers: Bool

    /// Makes a pusher.
    ///
    /// - Parameter readsNumbers: whether pushes are distinguished by the number in their state.
    init(readingNumbers readsNumbers: Bool = false) { self.readsNumbers = readsNumbers }

    /// Passes later pushes to a sink; nil accepts each at once.
    func lead(into sink: (any Pusher)?) { state.withLock { $0.sink = sink } }

    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        var counts = [Int](repeating: 0, count: page.templates.count)
        for index in page.templateIndices { counts[Int(index)] += 1 }
        let said = readsNumbers ? page.templates.map(TemplateWords.init) : []
        let sink = state.withLock { state in
            state.notes.pushes += page.count
            state.notes.first = state.notes.first ?? .now
            for (count, said) in zip(counts, said) {
                if said.hasAlert { state.notes.alerts += count }
                if said.event == .end { state.notes.ends += count }
                guard let number = said.number else { continue }
                state.notes.counts[number, default: 0] += count
                if state.notes.firsts[number] == nil { state.notes.firsts[number] = .now }
            }
            return state.sink
        }
        guard let sink else { return PageVerdicts(count: page.count, .accepted) }
        return await sink.push(page, with: key, early: early)
    }

    /// The pushes since the records were last taken.
    var pushes: Int { state.withLock { $0.notes.pushes } }

    func take() -> Notes {
        state.withLock { state in
            defer { state.notes = Notes() }
            return state.notes
        }
    }
}

/// The content of a template's pushes.
struct TemplateWords: Sendable {
    var event: LiveActivityEvent?
    /// The number that identifies the state; nil for none.
    var number: Int?
    var hasAlert: Bool

    init(_ template: PushTemplate) {
        // The body of some second. Before that zeros stand in place of a number.
        let body = try? JSONValue(parsing: template.body(timestamp: 1_700_000_000))
        let aps = body?.object?[LiveActivityKey.aps]?.object
        event = aps?[LiveActivityKey.event]?.string.flatMap(LiveActivityEvent.init(rawValue:))
        number = aps?[LiveActivityKey.contentState]?.object?["n"]?.integer
        hasAlert = aps?[LiveActivityKey.alert] != nil
    }
}

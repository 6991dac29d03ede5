import APNSWire
import EyotContract
import EyotDomain
import Synchronization

/// Stands between an engine and whoever takes its pushes, and notes what goes by.
///
/// Where nobody takes them it accepts every push at once: what is left then is the cost of engine and store.
final class BenchPusher: Pusher {
    /// What went by since the last time.
    struct Notes {
        var pushes = 0
        /// When the first one left.
        var first: ContinuousClock.Instant?
        /// When the first push left, by the number that its state carries.
        var firsts: [Int: ContinuousClock.Instant] = [:]
        /// Pushes, by the same number.
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

    /// - Parameter readsNumbers: whether pushes are told apart by the number in their state.
    init(readingNumbers readsNumbers: Bool = false) { self.readsNumbers = readsNumbers }

    /// From now on pushes go there; nil accepts each at once.
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

    /// Pushes since the last time.
    var pushes: Int { state.withLock { $0.notes.pushes } }

    func take() -> Notes {
        state.withLock { state in
            defer { state.notes = Notes() }
            return state.notes
        }
    }
}

/// What pushes of a template say.
struct TemplateWords: Sendable {
    var event: LiveActivityEvent?
    /// What tells states apart; nil where it has none.
    var number: Int?
    var hasAlert: Bool

    init(_ template: PushTemplate) {
        // As it leaves in some second: until then zeros stand there, which are no number.
        let body = try? JSONValue(parsing: template.body(timestamp: 1_700_000_000))
        let aps = body?.object?[LiveActivityKey.aps]?.object
        event = aps?[LiveActivityKey.event]?.string.flatMap(LiveActivityEvent.init(rawValue:))
        number = aps?[LiveActivityKey.contentState]?.object?["n"]?.integer
        hasAlert = aps?[LiveActivityKey.alert] != nil
    }
}

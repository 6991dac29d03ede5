import APNSWire
import EyotContract
import Foundation

/// A page on its way, with the state of each slot: waiting, with Apple or settled. It runs on its lane's event loop.
final class PageFlight {
    /// A closure that gets the known verdicts.
    typealias Early = @Sendable (PageVerdicts) -> Void

    /// The number of looks within ``APNSSenderConfiguration/patience``. Fewer looks could make it up to twice as long.
    static let looksOfPatience = 4

    private enum SlotState: UInt8 {
        case waiting, withApple, settled
    }

    /// The position of missing answers. Answers arrive roughly in the order of their pushes.
    enum Turn {
        /// Answers arrive, so far to older pushes. On a busy machine that takes longer than the patience.
        case comesCloser
        /// No answer arrives, or something has not left.
        case isAwaited
        /// On each connection, the newest push of the page or a newer push was answered.
        case isPast
    }

    /// A connection that has pushes of the page.
    private struct Carrier {
        let connection: SenderConnection
        /// The newest stream among them.
        var newest: UInt32
        /// The connection's number of answers at the last look.
        var answersSeen: Int
    }

    let number: Int
    let page: PushPage
    let startedAt: Date
    var templates: [PreparedTemplate]
    private var states: [SlotState]
    private var nextSlot = 0
    private var unsettled: Int
    /// The number of slots that may have left and have no verdict.
    private var withApple = 0
    /// The most slots without a verdict at a time.
    private let window: Int
    private var verdicts: PageVerdicts
    /// The number of written and settled slots at the last look.
    private var progressSeen = 0
    /// The number of looks in a row without progress.
    private var looksInVain = 0
    private var carriers: [Carrier] = []
    /// The number of verdicts that were reported early.
    private var told = 0
    private let early: Early?
    private var continuation: CheckedContinuation<PageVerdicts, Never>?

    init(
        number: Int, page: PushPage, authority: String, startedAt: Date, window: Int,
        early: Early?, continuation: CheckedContinuation<PageVerdicts, Never>?
    ) {
        self.number = number
        self.page = page
        self.startedAt = startedAt
        self.early = early
        self.continuation = continuation
        self.window = window
        templates = page.templates.map { PreparedTemplate($0, to: page.recipients, authority: authority) }
        states = Array(repeating: .waiting, count: page.count)
        unsettled = page.count
        verdicts = PageVerdicts(count: page.count)
    }

    var isSettled: Bool { unsettled == 0 }
    var hasWaiting: Bool { nextSlot < page.count && !isSettled }
    /// Whether a slot waits and may be written now.
    var hasNext: Bool { hasWaiting && withApple < window }

    /// Returns the next slot to write. From then on its bytes may leave, stamped with this second.
    func takeSlot(stampedWith second: Int) -> Int? {
        guard hasNext else { return nil }
        defer { nextSlot += 1 }
        verdicts.stampedUpTo = max(verdicts.stampedUpTo, second)
        states[nextSlot] = .withApple
        withApple += 1
        return nextSlot
    }

    /// Records a verdict. Only the first one for a slot counts.
    func settle(_ slot: Int, _ verdict: PushVerdict, deadSince: Int64? = nil) {
        guard states[slot] != .settled else { return }
        if states[slot] == .withApple { withApple -= 1 }
        states[slot] = .settled
        verdicts.verdicts[slot] = verdict
        if let deadSince { verdicts.deadSince[slot] = deadSince }
        unsettled -= 1
        guard unsettled == 0 else { return }
        continuation?.resume(returning: verdicts)
        continuation = nil
    }

    /// Reports the known verdicts after a full patience without progress, unless answers come closer. The first report
    /// needs only one look if the turn is past.
    func look(_ turn: Turn = .isAwaited) {
        let progress = nextSlot + page.count - unsettled
        guard progress == progressSeen else {
            progressSeen = progress
            looksInVain = 0
            return
        }
        switch turn {
        case .comesCloser: looksInVain = 0
        case .isAwaited: looksInVain += 1
        case .isPast: looksInVain = told == 0 ? Self.looksOfPatience : looksInVain + 1
        }
        if looksInVain >= Self.looksOfPatience { reportKnownVerdicts() }
    }

    /// Records that a connection has pushes of the page up to this stream.
    func noteCarrier(_ connection: SenderConnection, newest: UInt32) {
        if let index = carriers.firstIndex(where: { $0.connection === connection }) {
            carriers[index].newest = newest
        } else {
            carriers.append(Carrier(connection: connection, newest: newest, answersSeen: connection.answers))
        }
    }

    /// Returns the position of the page's missing answers, and resets the counts of answers for the next look.
    func turn() -> Turn {
        var (isPast, comesCloser) = (!hasWaiting, false)
        for index in carriers.indices {
            let (carrier, answers) = (carriers[index], carriers[index].connection.answers)
            carriers[index].answersSeen = answers
            guard carrier.connection.isAnswerDue(to: carrier.newest) else { continue }
            isPast = false
            if answers > carrier.answersSeen { comesCloser = true }
        }
        return comesCloser ? .comesCloser : isPast ? .isPast : .isAwaited
    }

    /// Reports the known verdicts if there are more than at the last report.
    private func reportKnownVerdicts() {
        let settled = page.count - unsettled
        guard let early, !isSettled, settled > told else { return }
        told = settled
        var known = verdicts
        known.open = states.indices.filter { states[$0] != .settled }
        early(known)
    }

    /// Settles the slots that were never written as not processed.
    func settleWaiting() {
        let waiting = nextSlot..<page.count
        nextSlot = page.count
        for slot in waiting { settle(slot, .notProcessed) }
    }

    /// Settles the waiting slots if this second is not allowed for the page.
    func keepBack(in second: Int) {
        if !page.stamps.contains(second) { settleWaiting() }
    }

    /// Ends the page. Written slots without an answer are unknown.
    func settleAll() {
        settleWaiting()
        for slot in 0..<page.count { settle(slot, .unknown) }
    }
}

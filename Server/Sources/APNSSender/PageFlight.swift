import APNSWire
import EyotContract
import Foundation

/// A page on its way: which slots wait, which are with Apple, which are settled. Lives on its lane's event loop.
final class PageFlight {
    /// Told what is known so far.
    typealias Early = @Sendable (PageVerdicts) -> Void

    /// How often somebody looks within a patience. Looking seldom would make it up to twice as long.
    static let looksOfPatience = 4

    private enum SlotState: UInt8 {
        case waiting, withApple, settled
    }

    /// Where answers stand that have not come. They come in the order of their pushes, more or less.
    enum Turn {
        /// Answers come, and so far to older pushes. On a busy machine that takes longer than anybody's patience.
        case comesCloser
        /// Nothing comes, or something has not left.
        case isAwaited
        /// The newest push of the page that each connection has taken was answered, or a newer one was.
        case isPast
    }

    /// A connection that has taken pushes of the page.
    private struct Carrier {
        let connection: SenderConnection
        /// The newest of them.
        var newest: UInt32
        /// How many answers the connection had brought when somebody last looked.
        var answersSeen: Int
    }

    let number: Int
    let page: PushPage
    let startedAt: Date
    var templates: [PreparedTemplate]
    private var states: [SlotState]
    private var nextSlot = 0
    private var unsettled: Int
    /// Slots whose bytes may have left and that have no verdict.
    private var withApple = 0
    /// The most of them at a time.
    private let window: Int
    private var verdicts: PageVerdicts
    /// How many slots had been written and settled when somebody last looked whether the page was stuck.
    private var progressSeen = 0
    /// So often in a row nothing had happened.
    private var looksInVain = 0
    private var carriers: [Carrier] = []
    /// How many verdicts were told.
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
    /// Something waits, and may be written now.
    var hasNext: Bool { hasWaiting && withApple < window }

    /// The next slot to write; from here on its bytes may leave, stamped with this second.
    func takeSlot(stampedWith second: Int) -> Int? {
        guard hasNext else { return nil }
        defer { nextSlot += 1 }
        verdicts.stampedUpTo = max(verdicts.stampedUpTo, second)
        states[nextSlot] = .withApple
        withApple += 1
        return nextSlot
    }

    /// Notes a verdict. The first one for a slot counts.
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

    /// Tells what is known, where nothing was written or settled for all of a patience and nothing comes closer; the first time after one look
    /// where the turn is past.
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
        if looksInVain >= Self.looksOfPatience { tellWhatIsKnown() }
    }

    /// The connection has taken pushes of the page up to this stream.
    func noteCarrier(_ connection: SenderConnection, newest: UInt32) {
        if let index = carriers.firstIndex(where: { $0.connection === connection }) {
            carriers[index].newest = newest
        } else {
            carriers.append(Carrier(connection: connection, newest: newest, answersSeen: connection.answers))
        }
    }

    /// Where the page's answers stand, and what has changed since this was last asked.
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

    /// Nothing, where it is no more than was told before.
    private func tellWhatIsKnown() {
        let settled = page.count - unsettled
        guard let early, !isSettled, settled > told else { return }
        told = settled
        var known = verdicts
        known.open = states.indices.filter { states[$0] != .settled }
        early(known)
    }

    /// What was never written provably did not reach Apple.
    func settleWaiting() {
        let waiting = nextSlot..<page.count
        nextSlot = page.count
        for slot in waiting { settle(slot, .notProcessed) }
    }

    /// What may not leave with this second does not leave any more.
    func keepBack(in second: Int) {
        if !page.stamps.contains(second) { settleWaiting() }
    }

    /// Ends the page: what was written and not answered is unknown.
    func settleAll() {
        settleWaiting()
        for slot in 0..<page.count { settle(slot, .unknown) }
    }
}

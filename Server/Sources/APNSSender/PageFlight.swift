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
    /// How many answers each connection had brought then.
    private var answersSeen: [ObjectIdentifier: Int] = [:]
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

    /// Tells what is known, where for all of a patience nothing was written or settled and nothing comes closer.
    func look(_ comesCloser: () -> Bool = { false }) {
        let progress = nextSlot + page.count - unsettled
        if progress != progressSeen || comesCloser() {
            progressSeen = progress
            looksInVain = 0
        } else {
            looksInVain += 1
            if looksInVain >= Self.looksOfPatience { tellWhatIsKnown() }
        }
    }

    /// Whether the connection has brought answers, to whomever, since this was last asked.
    func hasHeardMore(from connection: SenderConnection) -> Bool {
        let seen = answersSeen.updateValue(connection.answers, forKey: ObjectIdentifier(connection))
        return connection.answers > seen ?? 0
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

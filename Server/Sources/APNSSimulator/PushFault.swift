import APNSWire
import Foundation
import Synchronization

/// A planned fault for one push, broadcast or channel request that passed every check.
public struct PushFault: Sendable, Equatable {
    /// The result that the sender sees.
    public enum Answer: Sendable, Equatable {
        /// The answer that it would have got anyway.
        case normal
        /// A refusal with this reason.
        case refused(APNSReason, deadSince: Date? = nil)
        /// No answer for as long as the connection lasts.
        case never
        /// The regular answer, delayed by this duration.
        case late(Duration)
        /// The stream is reset. REFUSED_STREAM says that the push was not processed.
        case reset(StreamReset)
        /// The connection is closed without a word.
        case closed
        /// The connection announces its end, answers the requests that it has accepted, and closes. `includingThis`
        /// says whether the push counts as processed.
        case goAway(includingThis: Bool, APNSReason?)
    }

    /// Codes with which a stream is reset.
    public enum StreamReset: Sendable, Equatable, CaseIterable {
        case refusedStream
        case internalError
        case cancel
    }

    /// The result that the sender sees.
    public var answer: Answer
    /// Whether the phone still gets the push. For a channel request: whether it is performed.
    public var isDelivered: Bool

    /// A fault with both its sides: the sender's result, and whether the phone gets the push.
    public init(_ answer: Answer, isDelivered: Bool) {
        self.answer = answer
        self.isDelivered = isDelivered
    }

    /// No fault: lets one push pass, between others.
    public static let none = PushFault(.normal, isDelivered: true)

    /// The phone gets nothing, the sender this reason.
    public static func refuse(_ reason: APNSReason, deadSince: Date? = nil) -> PushFault {
        PushFault(.refused(reason, deadSince: deadSince), isDelivered: false)
    }

    /// The phone gets the push, the sender no answer.
    public static let answerLost = PushFault(.never, isDelivered: true)

    /// The phone gets nothing and the sender no answer.
    public static let stall = PushFault(.never, isDelivered: false)
}

/// The faults that wait for the next pushes, first come first hit, and one that stands for all pushes after them.
public final class FaultScript: Sendable {
    /// How many faults may wait.
    public static let capacity = 100_000

    private let waiting = Mutex(FaultQueue())
    private let standing = Mutex(StandingFault())

    /// How many faults wait.
    public var count: Int { waiting.withLock { $0.count } }

    /// Appends faults for the next pushes that pass every check, on any connection. If more than ``capacity`` would
    /// wait, it appends nothing and returns false.
    @discardableResult
    public func enqueue(_ faults: [PushFault]) -> Bool {
        waiting.withLock { queue in
            guard queue.count + faults.count <= Self.capacity else { return false }
            queue.append(faults)
            return true
        }
    }

    /// Sets the fault of pushes for which none waits; nil for none.
    ///
    /// - Parameter every: 1 for each push, 10 for each tenth.
    public func stand(_ fault: PushFault?, every: Int = 1) {
        standing.withLock { $0 = StandingFault(fault: fault, every: max(1, every)) }
    }

    /// Forgets the faults that wait, and the one that stands.
    public func clear() {
        waiting.withLock { $0 = FaultQueue() }
        stand(nil)
    }

    func next() -> PushFault? { waiting.withLock { $0.next() } ?? standing.withLock { $0.next() } }
}

/// A fault for each push, or for each n-th.
private struct StandingFault {
    var fault: PushFault?
    var every = 1
    private var passed = 0

    init(fault: PushFault? = nil, every: Int = 1) {
        self.fault = fault
        self.every = every
    }

    mutating func next() -> PushFault? {
        guard let fault else { return nil }
        passed = (passed + 1) % every
        return passed == 0 ? fault : nil
    }
}

/// A queue that takes from the front without moving the rest each time.
private struct FaultQueue {
    private var faults: [PushFault] = []
    private var taken = 0

    var count: Int { faults.count - taken }

    mutating func append(_ more: [PushFault]) { faults += more }

    mutating func next() -> PushFault? {
        guard taken < faults.count else { return nil }
        defer {
            taken += 1
            if taken == faults.count { self = FaultQueue() }
        }
        return faults[taken]
    }
}

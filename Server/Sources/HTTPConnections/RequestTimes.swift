import NIOCore

/// The moments by which a connection must have made progress. It reads no clock.
///
/// Each moment is set when a part of a request begins, and further bytes do not extend it. The time of a head or a body
/// runs only while no earlier request waits for its answer, because the connection is not read meanwhile. The time of a
/// request runs for the oldest request without an answer.
struct RequestTimes {
    /// The event that did not happen in time.
    enum Missed: Sendable {
        case firstByte, head, body, answer, nextRequest
    }

    private enum Reading {
        case nothing, head, body
    }

    private let limits: ConnectionLimits
    private var reading = Reading.nothing
    /// When the first byte of the newest request came.
    private var began: NIODeadline
    private var inputBy: NIODeadline?
    private var answerBy: NIODeadline?
    private var nextBy: NIODeadline?

    /// Requests with a complete head and an incomplete answer.
    private(set) var openRequests = 0

    /// Whether the newest request has a head and has not ended.
    var isReadingBody: Bool { reading == .body }

    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        began = now
        inputBy = now + limits.headTime
    }

    /// The next moment, and the event that must have happened by then.
    var due: (at: NIODeadline, missed: Missed)? {
        let input = inputBy.map { by -> (NIODeadline, Missed) in
            switch reading {
            case .nothing: (by, .firstByte)
            case .head: (by, .head)
            case .body: (by, .body)
            }
        }
        let all = [input, answerBy.map { ($0, Missed.answer) }, nextBy.map { ($0, Missed.nextRequest) }]
        return all.compactMap(\.self).min { $0.0 < $1.0 }.map { (at: $0.0, missed: $0.1) }
    }

    mutating func noteBytes(at now: NIODeadline) {
        guard reading == .nothing else { return }
        reading = .head
        began = now
        guard openRequests == 0 else { return }
        nextBy = nil
        inputBy = now + limits.headTime
    }

    mutating func noteHead(at now: NIODeadline) {
        reading = .body
        openRequests += 1
        nextBy = nil
        guard openRequests == 1 else { return }
        inputBy = now + limits.bodyTime
        answerBy = began + limits.requestTime
    }

    mutating func noteEnd() {
        reading = .nothing
        inputBy = nil
    }

    /// Notes that the answer to the oldest open request is a stream of events.
    mutating func noteStream(at now: NIODeadline) { answerBy = now + limits.streamTime }

    mutating func noteAnswer(at now: NIODeadline) {
        openRequests = max(0, openRequests - 1)
        answerBy = openRequests > 0 ? now + limits.requestTime : nil
        switch (reading, openRequests) {
        case (.nothing, 0): nextBy = now + limits.idleTime
        case (.head, 0): inputBy = now + limits.headTime
        case (.body, 1): inputBy = now + limits.bodyTime
        default: break
        }
    }
}

import EyotKit

/// How far a card has come.
public enum LiveActivityRegistrationStatus: String, Codable, Sendable {
    /// It is followed, and the server does not have its token yet.
    case pending
    /// The server has its token.
    case registered
    /// It is not followed.
    case notTracked

    init(_ status: CardStatus) {
        self =
            switch status {
            case .notTracked: .notTracked
            case .pending: .pending
            case .registered: .registered
            }
    }
}

/// The present status, then every change.
public struct LiveActivityRegistrationStatusUpdates: AsyncSequence, Sendable {
    /// The element that it yields.
    public typealias Element = LiveActivityRegistrationStatus
    /// It never throws.
    public typealias Failure = Never

    let updates: @Sendable (Eyot) -> AsyncStream<CardStatus>

    init(_ updates: @escaping @Sendable (Eyot) -> AsyncStream<CardStatus>) { self.updates = updates }

    /// Begins to watch. Before `Eyot.configure(…)` nothing is tracked.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: updates) }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        let updates: @Sendable (Eyot) -> AsyncStream<CardStatus>
        private var statuses: AsyncStream<CardStatus>.Iterator?
        private var last: LiveActivityRegistrationStatus?

        init(updates: @escaping @Sendable (Eyot) -> AsyncStream<CardStatus>) { self.updates = updates }

        /// Waits for a status that differs from the previous one; nil if the task is cancelled.
        public mutating func next() async -> LiveActivityRegistrationStatus? {
            if statuses == nil {
                guard last != nil || Eyot.shared != nil else { return begin(with: .notTracked) }
                guard let eyot = await Eyot.configured() else { return nil }
                statuses = updates(eyot).makeAsyncIterator()
            }
            while let status = await statuses?.next().map(LiveActivityRegistrationStatus.init) {
                if status != last { return begin(with: status) }
            }
            return nil
        }

        private mutating func begin(with status: LiveActivityRegistrationStatus) -> LiveActivityRegistrationStatus {
            last = status
            return status
        }
    }
}

import EyotContract
import Foundation

extension Eyot {
    /// The instance that ``configure(_:)`` made; nil before that.
    public static var shared: Eyot? { stand ?? sharedSlot.withLock(\.instance) }

    /// Makes and starts the shared instance. Later calls return the same instance, until it is stopped; the next call
    /// then makes another one.
    @discardableResult
    public static func configure(_ configuration: EyotConfiguration) -> Eyot {
        let (instance, isNew) = sharedSlot.withLock { slot in
            if let made = slot.made, !made.isOver.withLock({ $0 }) { return (made, false) }
            let instance = Eyot(configuration: configuration)
            (slot.made, slot.instance) = (instance, nil)
            return (instance, true)
        }
        guard isNew else { return instance }
        // The instance becomes visible only after all earlier work has run.
        while let waiting = sharedSlot.withLock({ $0.takeWaiting() }) {
            for work in waiting { work(instance) }
        }
        instance.start()
        return instance
    }

    /// Runs work with the shared instance: at once if there is one, otherwise in order as soon as it is configured. At
    /// most 1,000 pieces of work wait, and further ones are refused.
    ///
    /// - Returns: whether the work was accepted.
    @discardableResult
    public static func whenConfigured(_ work: @escaping @Sendable (Eyot) -> Void) -> Bool {
        let instance: Eyot?
        if let stand {
            instance = stand
        } else {
            let (found, isTaken) = sharedSlot.withLock { slot in
                guard slot.instance == nil else { return (slot.instance, true) }
                guard slot.waiting.count < orderLimit else { return (nil, false) }
                slot.waiting.append(work)
                return (nil, true)
            }
            guard isTaken else { return false }
            instance = found
        }
        if let instance { work(instance) }
        return true
    }

    /// The instance that replaces the shared one in a task, so that many phones can live in one process.
    @TaskLocal package static var stand: Eyot?

    /// Runs `body` with this instance as ``shared``. For tests with many phones in one process.
    public func asShared<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$stand.withValue(self, operation: body, isolation: isolation)
    }

    private struct Slot: Sendable {
        /// The one instance, as soon as it is made.
        var made: Eyot?
        /// The same instance, as soon as no work waits for it.
        var instance: Eyot?
        var waiting: [@Sendable (Eyot) -> Void] = []

        /// Returns the waiting work in order. Nil if there is none; from then on the instance is visible.
        mutating func takeWaiting() -> [@Sendable (Eyot) -> Void]? {
            guard waiting.isEmpty else {
                defer { waiting = [] }
                return waiting
            }
            instance = made
            return nil
        }
    }

    private static let sharedSlot = Guarded(Slot())
}

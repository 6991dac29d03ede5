import EyotContract
import Foundation

extension Eyot {
    /// The instance that ``configure(_:)`` made; nil before.
    public static var shared: Eyot? { stand ?? sharedSlot.withLock(\.instance) }

    /// Makes and starts the shared instance. The first call decides: a later one gets the same instance.
    @discardableResult
    public static func configure(_ configuration: EyotConfiguration) -> Eyot {
        let (instance, isNew) = sharedSlot.withLock { slot in
            if let made = slot.made { return (made, false) }
            let instance = Eyot(configuration: configuration)
            slot.made = instance
            return (instance, true)
        }
        guard isNew else { return instance }
        // Nobody else gets at the instance before everything is done that was wished for before.
        while let waiting = sharedSlot.withLock({ $0.takeWaiting() }) {
            for work in waiting { work(instance) }
        }
        instance.start()
        return instance
    }

    /// Does something with the shared instance: at once where there is one, else as soon as it is configured, in order. 1,000 such
    /// wishes wait; a further one is not taken.
    ///
    /// - Returns: whether it was taken.
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

    /// Stands in for the shared instance in a task, so that many phones can live in one process.
    @TaskLocal package static var stand: Eyot?

    /// Does something with this instance as ``shared``: for tests in which many phones live in one process.
    public func asShared<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$stand.withValue(self, operation: body, isolation: isolation)
    }

    private struct Slot: Sendable {
        /// The one instance, from the moment in which somebody makes it.
        var made: Eyot?
        /// The same, as soon as nothing waits for it any more.
        var instance: Eyot?
        var waiting: [@Sendable (Eyot) -> Void] = []

        /// What waits, in order; nil where nothing does, and from then on the instance is everybody's.
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

import EyotContract

extension Braze {
    /// A subscription. It ends with ``cancel()``, and with the last reference to it.
    public final class Cancellable: Sendable {
        private struct Work: Sendable {
            var tasks: [Task<Void, Never>] = []
            var isCancelled = false
        }

        private let work = Guarded(Work())

        init() {}

        deinit { cancel() }

        /// Ends the subscription.
        public func cancel() {
            let tasks = work.withLock { work in
                work.isCancelled = true
                return work.tasks
            }
            for task in tasks { task.cancel() }
        }

        /// Passes every element of a stream to a handler, until the stream ends.
        func pass<Event: Sendable>(
            _ events: AsyncStream<Event>, to handler: @escaping @MainActor @Sendable (Event) async -> Void
        ) {
            let task = Task { @MainActor in
                for await event in events where !Task.isCancelled { await handler(event) }
            }
            let isLate = work.withLock { work in
                work.tasks.append(task)
                return work.isCancelled
            }
            if isLate { task.cancel() }
        }
    }
}

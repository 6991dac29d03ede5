#if !os(iOS) || targetEnvironment(macCatalyst)
    /// An App Intent that may start Live Activities in the background.
    ///
    /// AppIntents has far more to it; only the exemption is here.
    public protocol LiveActivityIntent {
        /// Performs the intent's action.
        func perform() async throws
    }

    /// Whether the current task performs a ``LiveActivityIntent``.
    enum IntentPerformance {
        @TaskLocal static var isRunning = false
    }

    extension LiveActivityIntent {
        /// Performs the intent as the system does: it may start cards in the background.
        public func performBySystem() async throws {
            try await IntentPerformance.$isRunning.withValue(true) { try await perform() }
        }
    }
#endif

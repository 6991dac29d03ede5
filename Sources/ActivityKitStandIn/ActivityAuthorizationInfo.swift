#if !os(iOS) || targetEnvironment(macCatalyst)
    import PhoneSimulator

    /// The person's settings for the app's Live Activities.
    ///
    /// They are those of the phone of the task that creates it. In a task without a phone everything is off.
    public final class ActivityAuthorizationInfo {
        private let process: PhoneProcess?
        /// Every change of ``areActivitiesEnabled``.
        public let activityEnablementUpdates: ActivityEnablementUpdates
        /// Every change of ``frequentPushesEnabled``. iOS 16.2.
        public let frequentPushEnablementUpdates: FrequentPushEnablementUpdates

        /// The settings of the current task's phone.
        public init() {
            process = PhoneProcess.current
            activityEnablementUpdates = ActivityEnablementUpdates(process: process)
            frequentPushEnablementUpdates = FrequentPushEnablementUpdates(process: process)
        }

        /// Whether Live Activities are on.
        public var areActivitiesEnabled: Bool { process?.activitiesEnabled ?? false }

        /// Whether frequent updates are on. iOS 16.2.
        public var frequentPushesEnabled: Bool {
            guard ActivityKitMember.frequentPushes.isAvailable(in: process) else { return false }
            return process?.frequentPushesEnabled ?? false
        }

        /// The sequence of ``activityEnablementUpdates``.
        public struct ActivityEnablementUpdates: AsyncSequence {
            /// The element that it yields.
            public typealias Element = Bool
            /// It never throws.
            public typealias Failure = Never

            let process: PhoneProcess?

            /// Begins to listen.
            public func makeAsyncIterator() -> Iterator {
                Iterator(changes: (process?.activitiesEnabledChanges() ?? .finished).makeAsyncIterator())
            }

            /// Waits for changes.
            public struct Iterator: AsyncIteratorProtocol {
                var changes: AsyncStream<Bool>.Iterator

                /// The next setting; nil when the process is over.
                public mutating func next() async -> Bool? { await changes.next() }
            }
        }

        /// The sequence of ``frequentPushEnablementUpdates``.
        public struct FrequentPushEnablementUpdates: AsyncSequence {
            /// The element that it yields.
            public typealias Element = Bool
            /// It never throws.
            public typealias Failure = Never

            let process: PhoneProcess?

            /// Begins to listen.
            public func makeAsyncIterator() -> Iterator {
                let isAvailable = ActivityKitMember.frequentPushes.isAvailable(in: process)
                let changes = isAvailable ? process?.frequentPushesEnabledChanges() : nil
                return Iterator(changes: (changes ?? .finished).makeAsyncIterator())
            }

            /// Waits for changes.
            public struct Iterator: AsyncIteratorProtocol {
                var changes: AsyncStream<Bool>.Iterator

                /// The next setting; nil when the process is over.
                public mutating func next() async -> Bool? { await changes.next() }
            }
        }
    }

    extension AsyncStream {
        /// A stream with nothing in it.
        static var finished: AsyncStream { AsyncStream { $0.finish() } }
    }
#endif

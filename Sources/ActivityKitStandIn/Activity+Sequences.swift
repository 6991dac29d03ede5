#if !os(iOS) || targetEnvironment(macCatalyst)
    import EyotContract
    import Foundation
    import PhoneSimulator

    /// Each sequence begins to listen when its iterator is created. It yields the present values, then each new one,
    /// and ends with the app's process. `next()` does not mutate, as in ActivityKit: an iterator is only a handle on
    /// the stream behind it.
    extension Activity {
        /// The Live Activities of this type: those in view, then new ones, started by pushes too.
        public static var activityUpdates: ActivityUpdates { ActivityUpdates(process: PhoneProcess.current) }

        /// The token with which a server starts Live Activities, and every later one. iOS 17.2.
        public static var pushToStartTokenUpdates: PushTokenUpdates {
            let process = PhoneProcess.current
            return PushTokenUpdates {
                guard ActivityKitMember.pushToStartToken.isAvailable(in: process) else { return .finished }
                return process?.startTokens() ?? .finished
            }
        }

        /// Its state, and every change.
        public var activityStateUpdates: ActivityStateUpdates { ActivityStateUpdates(process: process, id: id) }

        /// Its content, and every change. iOS 16.2.
        public var contentUpdates: ContentUpdates { ContentUpdates(process: process, id: id) }

        /// Its content's state, and every change.
        @available(*, deprecated, message: "use contentUpdates")
        public var contentStateUpdates: ContentStateUpdates { ContentStateUpdates(updates: contentUpdates) }

        /// Its push token, and every later one.
        public var pushTokenUpdates: PushTokenUpdates {
            PushTokenUpdates { [process, id] in process.updateTokens(ofCard: id) }
        }
    }

    extension AsyncStream where Element: Sendable {
        /// The next element. All iterators share their streams' buffer, so a new iterator loses nothing.
        fileprivate func next() async -> Element? {
            var iterator = makeAsyncIterator()
            return await iterator.next()
        }
    }

    extension Activity {
        /// Yields Live Activities.
        public struct ActivityUpdates: AsyncSequence {
            /// The element that it yields.
            public typealias Element = Activity<Attributes>
            /// It never throws.
            public typealias Failure = Never

            let process: PhoneProcess?

            /// Begins to listen.
            public func makeAsyncIterator() -> Iterator {
                Iterator(process: process, ids: process?.cardIDs(ofType: typeName) ?? .finished)
            }

            /// Waits for Live Activities.
            public struct Iterator: AsyncIteratorProtocol {
                let process: PhoneProcess?
                let ids: AsyncStream<String>

                /// The next Live Activity; nil when the process is over.
                public func next() async -> Activity<Attributes>? {
                    while let id = await ids.next() {
                        guard let process, let card = process.card(id), let activity = Activity(card, in: process)
                        else { continue }
                        return activity
                    }
                    return nil
                }
            }
        }

        /// Yields states.
        public struct ActivityStateUpdates: AsyncSequence {
            /// The element that it yields.
            public typealias Element = ActivityState
            /// It never throws.
            public typealias Failure = Never

            let process: PhoneProcess
            let id: String

            /// Begins to listen.
            public func makeAsyncIterator() -> Iterator { Iterator(phases: process.phases(ofCard: id)) }

            /// Waits for states.
            public struct Iterator: AsyncIteratorProtocol, Sendable {
                let phases: AsyncStream<CardPhase>

                /// The next state; nil after `dismissed`, and when the process is over.
                public func next() async -> ActivityState? { await phases.next().map(ActivityState.init) }
            }
        }

        /// Yields content.
        public struct ContentUpdates: AsyncSequence {
            /// The element that it yields.
            public typealias Element = ActivityContent<ContentState>
            /// It never throws.
            public typealias Failure = Never

            let process: PhoneProcess
            let id: String

            /// Begins to listen.
            public func makeAsyncIterator() -> Iterator {
                let isAvailable = ActivityKitMember.content.isAvailable(in: process)
                return Iterator(process: process, contents: isAvailable ? process.contents(ofCard: id) : .finished)
            }

            /// Waits for content.
            public struct Iterator: AsyncIteratorProtocol {
                let process: PhoneProcess
                let contents: AsyncStream<CardContent>

                /// The next content; nil when it is gone from view, and when the process is over.
                public func next() async -> ActivityContent<ContentState>? {
                    while let card = await contents.next() {
                        if let content = Activity.content(card, in: process) { return content }
                    }
                    return nil
                }
            }
        }

        /// Yields the states of contents.
        public struct ContentStateUpdates: AsyncSequence {
            /// The element that it yields.
            public typealias Element = ContentState
            /// It never throws.
            public typealias Failure = Never

            let updates: ContentUpdates

            /// Begins to listen.
            public func makeAsyncIterator() -> Iterator { Iterator(contents: updates.makeAsyncIterator()) }

            /// Waits for states.
            public struct Iterator: AsyncIteratorProtocol {
                let contents: ContentUpdates.Iterator

                /// The next state; nil when it is gone from view, and when the process is over.
                public func next() async -> ContentState? { await contents.next()?.state }
            }
        }

        /// Yields tokens.
        public struct PushTokenUpdates: AsyncSequence {
            /// The element that it yields.
            public typealias Element = Data
            /// It never throws.
            public typealias Failure = Never

            let listen: @Sendable () -> AsyncStream<PushToken>

            /// Begins to listen.
            public func makeAsyncIterator() -> Iterator { Iterator(tokens: listen()) }

            /// Waits for tokens.
            public struct Iterator: AsyncIteratorProtocol {
                let tokens: AsyncStream<PushToken>

                /// The next token; nil when the process is over.
                public func next() async -> Data? { await tokens.next().map { Data($0.bytes) } }
            }
        }
    }
#endif

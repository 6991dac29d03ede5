#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation

    /// The content of a Live Activity, and the time until which it is valid.
    public struct ActivityContent<State: Codable & Hashable>: CustomStringConvertible {
        /// The changing data.
        public let state: State
        /// When the content is out of date; nil for never.
        public let staleDate: Date?
        /// Relative to the app's other Live Activities: the highest leads the Dynamic Island.
        public let relevanceScore: Double

        /// Content.
        public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {
            self.state = state
            self.staleDate = staleDate
            self.relevanceScore = relevanceScore
        }

        /// State, stale date and score in one line.
        public var description: String {
            let stale = staleDate.map { "\($0)" } ?? "nil"
            return "ActivityContent(state: \(state), staleDate: \(stale), relevanceScore: \(relevanceScore))"
        }
    }

    extension ActivityContent: Sendable where State: Sendable {}
#endif

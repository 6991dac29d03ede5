#if !os(iOS) || targetEnvironment(macCatalyst)
    import PhoneSimulator

    /// The source of a Live Activity's pushes.
    public struct PushType: Equatable {
        let updates: CardUpdates

        /// From pushes to a token of its own.
        public static var token: PushType { .init(updates: .token) }
        /// From a broadcast channel, by its base64 id. iOS 18.
        public static func channel(_ name: String) -> PushType { .init(updates: .channel(name)) }
    }

    /// How long a Live Activity stays.
    public enum ActivityStyle: Equatable, Hashable {
        /// Until it ends.
        case standard
        /// Until the person locks the phone, collapses it or taps outside it.
        case transient
    }
#endif

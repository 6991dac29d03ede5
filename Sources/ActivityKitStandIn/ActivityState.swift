#if !os(iOS) || targetEnvironment(macCatalyst)
    import PhoneSimulator

    /// The phase of a Live Activity's life.
    public enum ActivityState: Sendable, Codable, Hashable {
        /// Shown and up to date.
        case active
        /// Still visible, takes no more updates.
        case ended
        /// Gone from view.
        case dismissed
        /// Shown, past its stale date. iOS 16.2.
        case stale
        /// Scheduled and not begun. iOS 26.
        case pending

        init(_ phase: CardPhase) {
            self =
                switch phase {
                case .pending: .pending
                case .active: .active
                case .stale: .stale
                case .ended: .ended
                case .dismissed: .dismissed
                }
        }
    }
#endif

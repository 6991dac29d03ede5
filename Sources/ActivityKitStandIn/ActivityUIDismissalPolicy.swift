#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation
    import PhoneSimulator

    /// When an ended Live Activity goes from the Lock Screen.
    public struct ActivityUIDismissalPolicy: Equatable, Sendable {
        private enum Kind: Equatable, Sendable {
            case `default`
            case immediate
            case after(Date)
        }

        private let kind: Kind

        /// After four hours.
        public static let `default` = ActivityUIDismissalPolicy(kind: .default)
        /// At once.
        public static let immediate = ActivityUIDismissalPolicy(kind: .immediate)
        /// At a moment, at most four hours after the end.
        public static func after(_ date: Date) -> ActivityUIDismissalPolicy { .init(kind: .after(date)) }

        var dismissal: CardDismissal {
            switch kind {
            case .default: .standard
            case .immediate: .immediate
            case .after(let date): .after(date)
            }
        }
    }
#endif

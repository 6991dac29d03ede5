#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation

    /// How an update lights the screen.
    @available(iOS 16.1, *)
    public struct AlertConfiguration: Equatable, Sendable {
        /// The sound of an alert.
        public struct AlertSound: Equatable, Sendable {
            private let name: String?

            /// The system's sound.
            public static let `default` = AlertSound(name: nil)
            /// The sound of a file in the app.
            public static func named(_ name: String) -> AlertSound { .init(name: name) }
        }

        /// Shown as text on Apple Watch.
        public var title: LocalizedStringResource
        /// Shown as text on Apple Watch.
        public var body: LocalizedStringResource
        /// The sound.
        public var sound: AlertSound

        /// An alert.
        public init(title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertSound) {
            self.title = title
            self.body = body
            self.sound = sound
        }
    }
#endif

#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation
    import PhoneSimulator

    /// Why a Live Activity could not be started.
    public enum ActivityAuthorizationError: CustomNSError, LocalizedError, Hashable {
        /// The attributes, or they and the state together, are over 4 KB.
        case attributesTooLarge
        /// The device cannot show Live Activities.
        case unsupported
        /// They are off in Settings.
        case denied
        /// The device shows as many as it can.
        case globalMaximumExceeded
        /// The app has as many as it may have.
        case targetMaximumExceeded
        /// The app may not have any.
        case unsupportedTarget
        /// The app is in the background.
        case visibility
        /// It could not be stored.
        case persistenceFailure
        /// The caller has no process.
        case missingProcessIdentifier
        /// The app lacks the entitlement.
        case unentitled
        /// The id is malformed.
        case malformedActivityIdentifier
        /// Another process tries to create it again.
        case reconnectNotPermitted

        /// A guess: Apple's interface does not show the text.
        public static var errorDomain: String { "com.apple.ActivityKit.ActivityAuthorization" }

        /// A guess: Apple's interface does not show the numbers.
        public var errorCode: Int {
            switch self {
            case .attributesTooLarge: 0
            case .unsupported: 1
            case .denied: 2
            case .globalMaximumExceeded: 3
            case .targetMaximumExceeded: 4
            case .unsupportedTarget: 5
            case .visibility: 6
            case .persistenceFailure: 7
            case .missingProcessIdentifier: 8
            case .unentitled: 9
            case .malformedActivityIdentifier: 10
            case .reconnectNotPermitted: 11
            }
        }

        /// Why, in a sentence.
        public var failureReason: String? {
            switch self {
            case .attributesTooLarge: "The attributes and the content are larger than 4 KB."
            case .unsupported: "This device cannot show the Live Activity."
            case .denied: "Live Activities are off for this app."
            case .globalMaximumExceeded: "The device shows as many Live Activities as it can."
            case .targetMaximumExceeded: "The app has as many Live Activities as it may have."
            case .unsupportedTarget: "The app may not start Live Activities."
            case .visibility: "The app is in the background."
            case .persistenceFailure: "The Live Activity could not be stored."
            case .missingProcessIdentifier: "The process that asks is over."
            case .unentitled: "The app lacks an entitlement."
            case .malformedActivityIdentifier: "The id of the Live Activity is malformed."
            case .reconnectNotPermitted: "Another process started the Live Activity."
            }
        }

        /// The remedy, in a sentence; nil if there is none.
        public var recoverySuggestion: String? {
            switch self {
            case .attributesTooLarge: "Put less into the attributes and the content state."
            case .denied: "Ask the person to switch Live Activities on in Settings."
            case .globalMaximumExceeded, .targetMaximumExceeded: "End another Live Activity first."
            case .visibility: "Start it while the app is in the foreground, or by a push."
            default: nil
            }
        }

        init(_ refusal: CardRefusal) {
            self =
                switch refusal {
                case .attributesTooLarge: .attributesTooLarge
                case .unsupported: .unsupported
                case .denied: .denied
                case .globalMaximumExceeded: .globalMaximumExceeded
                case .targetMaximumExceeded: .targetMaximumExceeded
                case .visibility: .visibility
                case .persistenceFailure: .persistenceFailure
                case .missingProcessIdentifier: .missingProcessIdentifier
                }
        }
    }
#endif

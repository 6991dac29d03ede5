import EyotContract
import EyotKit
import Foundation

/// The reason why a call of the bridge did nothing. JavaScript and Dart get it as `{"code": …, "message": …}`.
public struct BridgeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors. The names are stable, so programs can rely on them.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The SDK cannot use Live Activities: before iOS 16.2.
        case unavailable
        /// The app has not set ``LiveActivityBridge/shared`` yet.
        case notSetUp
        /// The bridge has no call of this name.
        case unknownMethod
        /// The request is not JSON, or a member of it is missing, unknown or of the wrong kind.
        case badRequest
        /// The request is larger than ``LiveActivityBridge/requestLimit``.
        case requestTooLarge
        /// `dismissalPolicy` is none of the three kinds, or lacks its date.
        case badDismissalPolicy
        /// No type is registered under this name.
        case typeNotRegistered
        /// The type is already registered, or another type under its name.
        case typeAlreadyRegistered
        /// No card with this id is in view.
        case cardNotFound
        /// The card is still in view and accepts no more updates.
        case cardEnded
        /// Attributes or a state do not decode as the app's Swift type.
        case decodingFailed
        /// The app is in the background. A card is started in the foreground, from an intent, or by a push.
        case inBackground
        /// Live Activities are switched off for the app.
        case switchedOff
        /// The device or the app has the most cards that the system allows.
        case tooManyCards
        /// Attributes and state together exceed the 4 KB that ActivityKit accepts.
        case contentTooLarge
        /// The device, or the app as it was built, cannot show Live Activities.
        case unsupported
        /// The system could not start the card for another reason, which is in the message.
        case startFailed
    }

    /// The kind of the error, for programs.
    public let code: Code
    /// The error and its place, for people. The text may change.
    public let message: String

    /// Code and message.
    public var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error in the form for the bridge.
    var json: JSONValue { ["code": .string(code.rawValue), "message": .string(message)] }
}

extension BridgeError {
    init(_ error: JSONFieldError) {
        self.init(error.path.hasPrefix("dismissalPolicy") ? .badDismissalPolicy : .badRequest, error.description)
    }

    init(_ error: JSONSyntaxError) { self.init(.badRequest, "the request is no JSON: \(error)") }

    /// Makes the error of a value that does not decode.
    ///
    /// - Parameter root: the place of the value in the request.
    init<Value: Decodable>(decoding type: Value.Type, from value: JSONValue, _ error: any Error, at root: String) {
        let words = SchemaMismatch.words(for: error, decoding: type, from: value, below: root)
        self.init(.decodingFailed, Self.excerpt(words))
    }

    /// Makes the error of a failed `Activity.request`.
    @available(iOS 16.2, *)
    init(starting error: any Error) {
        guard let refusal = error as? ActivityAuthorizationError else {
            let isRefusedPush = Self.isMissingPushCapability(error)
            self.init(
                isRefusedPush ? .unsupported : .startFailed,
                isRefusedPush ? Self.missingPushCapability : Self.excerpt("\(error)"))
            return
        }
        // Later systems may have further cases.
        switch refusal {
        case .visibility:
            self.init(.inBackground, "the app is in the background: start the card in the foreground, or by a push")
        case .denied: self.init(.switchedOff, "Live Activities are switched off for this app in Settings")
        case .globalMaximumExceeded: self.init(.tooManyCards, "the device shows as many Live Activities as it can")
        case .targetMaximumExceeded: self.init(.tooManyCards, "the app has as many Live Activities as it may have")
        case .attributesTooLarge: self.init(.contentTooLarge, "attributes and state are larger than 4 KB together")
        case .unsupported: self.init(.unsupported, "this device cannot show Live Activities")
        case .unsupportedTarget:
            self.init(
                .unsupported, "the app may not show Live Activities: set NSSupportsLiveActivities in its Info.plist")
        case .unentitled: self.init(.unsupported, Self.missingPushCapability)
        default: self.init(.startFailed, refusal.failureReason ?? Self.excerpt("\(refusal)"))
        }
    }

    private static let missingPushCapability =
        "the app lacks an entitlement: add the capability Push Notifications, which a card with a push token needs"

    /// Whether the system refuses a push token because the app lacks the push capability. Developers report code 4 of
    /// `SessionCore.PermissionsError` for it, which no public type describes.
    private static func isMissingPushCapability(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain.hasSuffix("SessionCore.PermissionsError") && error.code == 4
    }

    /// Shortens a text that comes from outside the app and may have any length.
    static func excerpt(_ text: String) -> String { text.count > 300 ? "\(text.prefix(300))…" : text }
}

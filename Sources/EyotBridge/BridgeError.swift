import EyotContract
import EyotKit
import Foundation

/// Why a call of the bridge did nothing. It reaches JavaScript and Dart as `{"code": …, "message": …}`.
public struct BridgeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. The names are stable: programs go by them.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There are no Live Activities as the SDK uses them: before iOS 16.2.
        case unavailable
        /// The app has not given the bridge to ``LiveActivityBridge/shared`` yet.
        case notSetUp
        /// No call of the bridge has this name.
        case unknownMethod
        /// The request is no JSON, or a member of it is missing, unknown or of the wrong kind.
        case badRequest
        /// The request is larger than ``LiveActivityBridge/requestLimit``.
        case requestTooLarge
        /// `dismissalPolicy` is none of the three, or lacks its date.
        case badDismissalPolicy
        /// No type was registered under this name.
        case typeNotRegistered
        /// The type, or another under its name, was registered before.
        case typeAlreadyRegistered
        /// No card with this id is in view.
        case cardNotFound
        /// The card is still in view and takes no more updates.
        case cardEnded
        /// Attributes or a state do not fit the app's Swift type.
        case decodingFailed
        /// The app is in the background; cards are started in the foreground, from an intent, or by a push.
        case inBackground
        /// The person has switched Live Activities off for the app.
        case switchedOff
        /// The device or the app shows as many cards as it may.
        case tooManyCards
        /// Attributes and state are together larger than the 4 KB that ActivityKit takes.
        case contentTooLarge
        /// The device, or the app as it was built, cannot show Live Activities.
        case unsupported
        /// The system could not start the card for another reason, which the message gives.
        case startFailed
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong and where, for people. Its wording may change.
    public let message: String

    /// Code and message.
    public var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// As it goes over the bridge.
    var json: JSONValue { ["code": .string(code.rawValue), "message": .string(message)] }
}

extension BridgeError {
    init(_ error: JSONFieldError) {
        self.init(error.path.hasPrefix("dismissalPolicy") ? .badDismissalPolicy : .badRequest, error.description)
    }

    init(_ error: JSONSyntaxError) { self.init(.badRequest, "the request is no JSON: \(error)") }

    /// A value that does not decode.
    ///
    /// - Parameter root: where it stands in the request.
    init<Value: Decodable>(decoding type: Value.Type, from value: JSONValue, _ error: any Error, at root: String) {
        let words = SchemaMismatch.words(for: error, decoding: type, from: value, below: root)
        self.init(.decodingFailed, Self.excerpt(words))
    }

    /// What `Activity.request` threw.
    @available(iOS 16.2, *)
    init(starting error: any Error) {
        guard let refusal = error as? ActivityAuthorizationError else {
            let isRefusedPush = Self.isMissingPushCapability(error)
            self.init(
                isRefusedPush ? .unsupported : .startFailed,
                isRefusedPush ? Self.missingPushCapability : Self.excerpt("\(error)"))
            return
        }
        // Later systems may have more of them.
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

    /// Whether the system refuses a push token because the app has no push capability. Developers report this error
    /// for it, code 4 of `SessionCore.PermissionsError`, which no public type describes.
    private static func isMissingPushCapability(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain.hasSuffix("SessionCore.PermissionsError") && error.code == 4
    }

    /// What the app did not write itself may be of any length.
    static func excerpt(_ text: String) -> String { text.count > 300 ? "\(text.prefix(300))…" : text }
}

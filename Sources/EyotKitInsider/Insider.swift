@_exported import EyotKit
import Foundation

/// The calls that apps make to Insider's SDK for Live Activities, over EyotKit.
///
/// An app calls `Eyot.configure(…)` once, instead of `Insider.initWithLaunchOptions(…)`, and sets the logged-in user
/// with `Eyot.identify`. Earlier calls are kept until then, and so are tokens that come before a login. They are
/// declared for the versions of iOS that Insider declares. EyotKit begins with iOS 16.2, so they have no effect on
/// 16.1.
public enum Insider {
    /// Live Activities.
    @available(iOS 16.1, *)
    public static var liveActivities: any InsiderLiveActivitiesProtocol { LiveActivities() }
}

/// The calls for an app's Live Activities.
@available(iOS 16.1, *)
public protocol InsiderLiveActivitiesProtocol: Sendable {
    /// Lets the backend start cards of this type from now on. It need not be repeated after a login, because the token
    /// moves to the new user.
    ///
    /// - Throws: ``InsiderLiveActivitiesError/authorizationDenied`` if Live Activities are switched off. The type is
    ///   registered anyway, for when they are switched on.
    @available(iOS 17.2, *)
    func register<T: InsiderLiveActivitiesAttributes>(forType type: Activity<T>.Type) async throws

    /// Follows all cards of this type, present and future, regardless of their origin. Call it at every launch, early.
    ///
    /// - Throws: ``InsiderLiveActivitiesError/authorizationDenied`` if Live Activities are switched off. Cards are
    ///   still followed when they appear.
    func resumeActivities<T: InsiderLiveActivitiesAttributes>(forType type: Activity<T>.Type) async throws

    /// Stops following all cards of this type, and lets the backend start no more. Those that run stay.
    func cancel<T: InsiderLiveActivitiesAttributes>(forType type: Activity<T>.Type) async

    /// Stops following the card with this identifier. It runs on.
    func cancel(activityId: InsiderLiveActivityIdentifier) async

    /// Stops following all cards of all types, and lets the backend start no more. Those that run stay.
    func cancelAll() async
}

/// Why a call could not have an effect at once.
@available(iOS 16.1, *)
public enum InsiderLiveActivitiesError: LocalizedError, Sendable {
    /// The person has switched Live Activities off for this app.
    case authorizationDenied

    /// A description of the error.
    public var errorDescription: String? {
        switch self {
        case .authorizationDenied: "Live Activities are switched off for this app in Settings."
        }
    }
}

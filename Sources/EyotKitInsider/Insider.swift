@_exported import EyotKit
import Foundation

/// The calls that apps make to Insider's SDK for Live Activities, over EyotKit.
///
/// An app calls `Eyot.configure(…)` once, where it called `Insider.initWithLaunchOptions(…)`, and says who is logged in
/// with `Eyot.identify`. Calls before that are kept until then, and so are tokens that come before a login. They are
/// declared for the versions of iOS that Insider declares; EyotKit begins with iOS 16.2, so on 16.1 they do nothing.
public enum Insider {
    /// Live Activities.
    @available(iOS 16.1, *)
    public static var liveActivities: any InsiderLiveActivitiesProtocol { LiveActivities() }
}

/// What an app can ask for its Live Activities.
@available(iOS 16.1, *)
public protocol InsiderLiveActivitiesProtocol: Sendable {
    /// The backend may start cards of this type from now on. After a login it is not needed again: the token moves
    /// along.
    ///
    /// - Throws: ``InsiderLiveActivitiesError/authorizationDenied`` where Live Activities are switched off. The type is
    ///   registered all the same, for the day on which they are switched on.
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

    /// In words.
    public var errorDescription: String? {
        switch self {
        case .authorizationDenied: "Live Activities are switched off for this app in Settings."
        }
    }
}

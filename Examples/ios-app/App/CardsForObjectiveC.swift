import EyotKit
import Foundation

/// The entry point for an app that is written in Objective-C. Neither ActivityKit nor EyotKit has an Objective-C
/// interface, because generic and async Swift code cannot be called from there. A small Swift class like this one
/// offers only the calls that the app needs. `LegacyController.m` calls it.
@objc(EYTCards)
final class CardsForObjectiveC: NSObject {
    /// Records the login of a user. `user` is your backend's id.
    @objc static func identify(_ user: String) { Eyot.shared?.identify(user) }

    /// Records the logout. The cards go.
    @objc static func logOut() { Eyot.shared?.logout() }

    /// Starts a match. `completion` gets the error, or nil, on the main thread.
    @objc(startMatchNamed:home:away:completion:)
    static func startMatch(
        named name: String, home: String, away: String, completion: @escaping @MainActor @Sendable (NSError?) -> Void
    ) {
        Task { @MainActor in
            do {
                _ = try Activity.request(
                    attributes: MatchAttributes(eyotActivityName: name, home: home, away: away),
                    content: ActivityContent(
                        state: MatchAttributes.ContentState(homeScore: 0, awayScore: 0, clock: "Before kick-off"),
                        staleDate: Date(timeIntervalSinceNow: 15 * 60)),
                    pushType: .token)
                completion(nil)
            } catch {
                completion(error as NSError)
            }
        }
    }
}

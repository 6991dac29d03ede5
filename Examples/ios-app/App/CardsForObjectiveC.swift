import EyotKit
import Foundation

/// The way in for an app that is written in Objective-C. ActivityKit has no Objective-C interface at all, and neither has
/// EyotKit: what is generic or async in Swift cannot be called from there. So one small Swift class like this one says in
/// Objective-C's words what the app needs, and no more. `LegacyController.m` calls it.
@objc(EYTCards)
final class CardsForObjectiveC: NSObject {
    /// Somebody has logged in. `user` is your backend's id.
    @objc static func identify(_ user: String) { Eyot.shared?.identify(user) }

    /// Nobody is logged in any more; the cards go.
    @objc static func logOut() { Eyot.shared?.logout() }

    /// Starts a match. `completion` gets what is wrong, or nil, on the main thread.
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

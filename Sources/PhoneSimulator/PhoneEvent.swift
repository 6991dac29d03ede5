import EyotContract
import Foundation

/// An event on a phone. ``SimulatedPhone`` passes it on to the app's process and to Apple's token index.
public enum PhoneEvent: Sendable, Hashable {
    /// A card of this type is there.
    case cardAppeared(type: String, card: String)
    /// A card's life went on.
    case phase(card: String, CardPhase)
    /// A card shows other content.
    case content(card: String, CardContent)
    /// A card got its token, or another one.
    case updateToken(card: String, PushToken)
    /// The phone got its push-to-start token, or another one.
    case startToken(PushToken)
    /// The switch for Live Activities was moved.
    case activitiesEnabled(Bool)
    /// The switch for frequent updates was moved.
    case frequentPushesEnabled(Bool)
    /// The app's process began.
    case launched(generation: Int, LaunchReason)
    /// The app's process is over.
    case terminated(generation: Int)
    /// The running app came to the front or left it.
    case moved(generation: Int, AppRun)
    /// Apple takes pushes for this token from now on.
    case tokenBorn(PushToken)
    /// Apple answers 410 for this token, from this moment on.
    case tokenDied(PushToken, since: Date)
    /// Apple carries the broadcasts of this channel to the phone from now on.
    case subscribed(channel: String)
    /// Apple carries them no longer.
    case unsubscribed(channel: String)
}

/// Whether and how the app runs.
public enum AppRun: String, Sendable, Hashable, CaseIterable {
    case notRunning, background, foreground
}

/// Why the app's process began.
public enum LaunchReason: String, Sendable, Hashable, CaseIterable {
    /// The person opened the app.
    case person
    /// A pushed start woke it in the background.
    case push
    /// A card's new token woke it in the background.
    case token
}

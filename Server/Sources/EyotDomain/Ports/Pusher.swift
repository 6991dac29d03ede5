import APNSWire
import EyotContract

/// The edge out: takes pages and answers with a verdict for each push. It never sends anything again (R2).
package protocol Pusher: Sendable {
    /// Sends a page with an app's key. Answers when every push has its verdict, at the latest after the page's time limit.
    ///
    /// - Parameter early: told what is known of a page that is stuck, with the slots that are still open, while the rest waits
    ///   on (R10); again when more is known, and not after the answer, which has all verdicts. Nil where nobody asks.
    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts
}

extension Pusher {
    /// The same, where nobody asks before everything is known.
    package func push(_ page: PushPage, with key: PushCredentials) async -> PageVerdicts {
        await push(page, with: key, early: nil)
    }
}

/// What signs provider tokens for one app in one environment.
package struct PushCredentials: Sendable, Hashable {
    package var teamID: String
    package var keyID: String
    /// The private key as PEM text, as in Apple's .p8 file.
    package var privateKey: Secret

    package init(teamID: String, keyID: String, privateKey: Secret) {
        self.teamID = teamID
        self.keyID = keyID
        self.privateKey = privateKey
    }
}

/// Text that must not reach a log.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The text itself.
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
}

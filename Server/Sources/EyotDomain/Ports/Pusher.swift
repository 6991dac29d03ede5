import APNSWire
import EyotContract

/// The way out to Apple: takes pages and answers with a verdict for each push. It never sends a push twice (R2).
package protocol Pusher: Sendable {
    /// Sends a page with an app's key. It answers when every push has its verdict, at the latest after the page's time
    /// limit.
    ///
    /// - Parameter early: called with the verdicts known so far, and the open slots, if a page hangs (R10). It is
    ///   called again when more is known, and never after the answer. Nil if the caller needs no early verdicts.
    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts
}

extension Pusher {
    /// Sends a page without early verdicts.
    package func push(_ page: PushPage, with key: PushCredentials) async -> PageVerdicts {
        await push(page, with: key, early: nil)
    }
}

/// Sends nothing.
package struct NoPusher: Pusher {
    package init() {}

    package func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        PageVerdicts(count: page.count, .notProcessed)
    }
}

/// The key that signs provider tokens for one app in one environment.
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

import APNSWire
import EyotContract

/// The id of an app in the store. Every row belongs to one app, and every look-up names it (R12).
package struct AppID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// One iOS app.
package struct App: Sendable, Hashable {
    package var id: AppID
    package var bundleID: String
    package var name: String
    /// The public key in each copy of the app. It lets a phone register, and nothing else.
    package var publicKey: String
    /// The reasons why nothing is sent in an environment at present. Each environment has a key of its own, so a fault
    /// of one says nothing of the other. Declarations and registrations are accepted meanwhile.
    package var pauses: [PushEnvironment: AppPause] = [:]
    /// Why no push gets through in an environment at present although nothing is paused. It stops nothing.
    package var failures: [PushEnvironment: AppleFailure] = [:]
    /// When a key was stored for an environment, or the app was resumed. Apple's answers to pages from before that say
    /// nothing of the present key. Compared for equality, never with a clock.
    package private(set) var renewedAt: [PushEnvironment: Instant] = [:]
    /// The trials of environments that are paused, or were until lately.
    package var trials: [PushEnvironment: Trials] = [:]
    /// Since when an operator has halted the app; nil if it is not halted.
    package var haltedAt: Instant?
    /// Types that an operator has halted, and since when.
    package var haltedTypes: [String: Instant] = [:]
    /// Whether its users have to be proven. Nil means that nothing was set, and counts as ``IdentityMode/off``. The
    /// first identity key sets ``IdentityMode/require``.
    package var identityMode: IdentityMode?
    /// Whether any of its phones may join an activity that is declared neither public nor private.
    package var opensActivities = true
    /// Names under which audiences believe what phones report, although the backend has set them too.
    package var openNames: Set<TraitName> = []
    package var createdAt: Instant
    /// Since when it is being removed; nil if it is not. From then on no key opens it and no look-up by name finds it,
    /// and its rows are removed in steps.
    package var removedAt: Instant?

    package init(
        id: AppID, bundleID: String, name: String, publicKey: String, createdAt: Instant
    ) {
        self.id = id
        self.bundleID = bundleID
        self.name = name
        self.publicKey = publicKey
        self.createdAt = createdAt
    }

    /// Makes Apple's answers to pages that are under way void; see ``renewedAt``. Two renewals never have the same
    /// moment, whatever the clock reads.
    package mutating func renew(in environments: some Sequence<PushEnvironment>, at now: Instant) {
        for environment in environments {
            let next = renewedAt[environment].map { Instant(microseconds: $0.microseconds + 1) } ?? now
            renewedAt[environment] = max(now, next)
        }
    }

    /// Sets the stored moment of a renewal.
    package mutating func restore(renewedAt moment: Instant?, in environment: PushEnvironment) {
        renewedAt[environment] = moment
    }

    /// The terms for tokens that prove users.
    package var proofTerms = ProofTerms()

    /// The most open names.
    package static let openNameLimit = 200

    /// The topic of this app's Live Activities.
    package var topic: String { APNSPushType.liveActivity.topic(bundleID: bundleID) }
}

/// A pause of an app in an environment, because Apple refuses its pushes for a reason that no other push would change.
package struct AppPause: Sendable, Hashable {
    package var reason: APNSReason
    package var since: Instant

    package init(reason: APNSReason, since: Instant) {
        self.reason = reason
        self.since = since
    }

    /// The meaning of the reason. A sender without a key never asks Apple, so that reason is Eyot's own.
    package var meaning: String { reason == .missingProviderToken ? "no APNs key is stored" : reason.meaning }
}

/// A count of refusals that decides whether the tokens or the app are at fault (R8). One window belongs to one app in
/// one environment.
///
/// The two reasons that make a token suspect also come for every token if topic or environment is wrong. If more of
/// them come for tokens that worked before than can have died meanwhile, the app is at fault and no token is touched. A
/// token that never worked may be made up by a phone, so it says nothing of the app.
///
/// An app with few phones never fills a window. For it a row counts: since its first refusal, more phones were refused
/// than Apple has accepted pushes.
package struct SuspicionWindow: Sendable, Hashable {
    /// Apple's answer for a token that it had accepted before.
    package enum Answer: Sendable, Hashable {
        case accepted
        case suspect(DeviceID)
    }

    /// The share of suspect answers up to which the tokens count as the cause.
    package static let limit = 0.05
    /// The length of the first window, in answers.
    package static let firstLength = 500
    /// The length of each later window, in answers.
    package static let length = 10_000
    /// The fewest refused phones of a row that speak against the app.
    package static let leastOfRow = 3

    private var answers = 0
    /// Each phone counts once, however many tokens it has.
    private var suspects: Set<DeviceID> = []
    private var isFirst: Bool
    /// The phones that were refused since the row began, and the acceptances since then.
    private var refusedInRow: Set<DeviceID> = []
    private var acceptedInRow = 0

    /// - Parameter isFirst: whether nothing is known of the app's tokens yet.
    package init(isFirst: Bool = true) { self.isFirst = isFirst }

    /// Counts one answer of Apple's. Of a refused token only the first refusal counts. The second comes from the other
    /// environment, and second refusals arrive in a row when a lap is over.
    ///
    /// - Returns: whether the app has to be paused.
    package mutating func count(_ answer: Answer) -> Bool {
        let length = isFirst ? Self.firstLength : Self.length
        answers += 1
        switch answer {
        case .suspect(let device):
            suspects.insert(device)
            refusedInRow.insert(device)
        case .accepted: if !refusedInRow.isEmpty { acceptedInRow += 1 }
        }
        defer {
            if answers >= length { (answers, suspects, isFirst) = (0, [], false) }
        }
        return Double(suspects.count) > Self.limit * Double(length)
    }

    /// Judges the row at the end of a page. Within a page the order of answers says nothing.
    ///
    /// - Returns: whether the app has to be paused.
    package mutating func endPage() -> Bool {
        guard refusedInRow.count > acceptedInRow else {
            (refusedInRow, acceptedInRow) = ([], 0)
            return false
        }
        return refusedInRow.count >= Self.leastOfRow
    }
}

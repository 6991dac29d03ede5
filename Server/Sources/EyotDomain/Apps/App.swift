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
    /// The only thing an app carries of ours that is public: it lets a phone register, nothing else.
    package var publicKey: String
    /// Why nothing is sent for this app in an environment at the moment: it has a key for each, and what is wrong with one says
    /// nothing of the other. Declarations and registrations are taken all the same.
    package var pauses: [PushEnvironment: AppPause] = [:]
    /// When a key was stored for an environment, or the app resumed: what Apple answers to pages that were taken before
    /// says nothing of the key in force. Compared for equality, never with a clock.
    package private(set) var renewedAt: [PushEnvironment: Instant] = [:]
    /// How often an environment was tried again that is paused or was until lately.
    package var trials: [PushEnvironment: Trials] = [:]
    /// Since when an operator lets nothing be sent for this app.
    package var haltedAt: Instant?
    /// Types of which an operator lets nothing be sent, and since when.
    package var haltedTypes: [String: Instant] = [:]
    /// Whether its users have to prove who they are; nil where nobody has said, and then they need not. The first key that is put
    /// says ``IdentityMode/require``.
    package var identityMode: IdentityMode?
    /// Whether any of its phones may join an activity of which nobody has said whether it is public.
    package var opensActivities = true
    /// Names under which audiences believe what phones say of themselves, though the backend has set them too.
    package var openNames: Set<TraitName> = []
    package var createdAt: Instant
    /// Since when it is being removed. From then on nothing opens it or finds it by its name, and what belongs to it goes
    /// in steps.
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

    /// Makes what Apple answers to pages that are on their way void: see ``renewedAt``. Two renewals never carry the
    /// same moment, whatever the clock reads.
    package mutating func renew(in environments: some Sequence<PushEnvironment>, at now: Instant) {
        for environment in environments {
            let next = renewedAt[environment].map { Instant(microseconds: $0.microseconds + 1) } ?? now
            renewedAt[environment] = max(now, next)
        }
    }

    /// Takes over what is stored.
    package mutating func restore(renewedAt moment: Instant?, in environment: PushEnvironment) {
        renewedAt[environment] = moment
    }

    /// What is asked of tokens that prove users.
    package var proofTerms = ProofTerms()

    /// The most names that may be open.
    package static let openNameLimit = 200

    /// The topic of this app's Live Activities.
    package var topic: String { APNSPushType.liveActivity.topic(bundleID: bundleID) }
}

/// Why an app is paused in an environment: Apple refuses in a way that no other push would mend.
package struct AppPause: Sendable, Hashable {
    package var reason: APNSReason
    package var since: Instant

    package init(reason: APNSReason, since: Instant) {
        self.reason = reason
        self.since = since
    }

    /// What the reason means. A sender without a key never asks Apple, so this reason is Eyot's own.
    package var meaning: String { reason == .missingProviderToken ? "no APNs key is stored" : reason.meaning }

    /// For whoever declares something meanwhile.
    package func warning(in environment: PushEnvironment) -> String {
        if reason == .missingProviderToken {
            return "No APNs key is stored for \(environment.rawValue), so the app is paused there and nothing is sent. "
                + "Store one with `eyot app apns-key set`: the app is tried again by itself, or at once "
                + "when it is resumed."
        }
        return
            "the app is paused in \(environment.rawValue), since Apple refuses its pushes (\(reason.name)): a few are tried "
            + "now and then, and all go again when Apple takes one, or when the app is resumed"
    }
}

/// Whether refusals speak against the tokens or against the app (R8). One window is one app's in one environment.
///
/// The two reasons that make a token suspect also come for every token when topic or environment is set up wrongly. If
/// more of them come for tokens that worked before than can have died meanwhile, the app is at fault and no token is
/// touched. A token that never worked may be anything that a phone made up: it says nothing of the app.
package struct SuspicionWindow: Sendable, Hashable {
    /// What Apple said of a token that it took before.
    package enum Answer: Sendable, Hashable {
        case accepted
        case suspect(DeviceID)
    }

    /// The share of suspect answers that is still put down to the tokens.
    package static let limit = 0.05
    /// The length of the first window, in answers.
    package static let firstLength = 500
    /// The length of every later window.
    package static let length = 10_000

    private var answers = 0
    /// A phone counts once, whatever it holds.
    private var suspects: Set<DeviceID> = []
    private var isFirst: Bool

    /// - Parameter isFirst: whether nothing is known of the app's tokens yet.
    package init(isFirst: Bool = true) { self.isFirst = isFirst }

    /// Counts one answer of Apple's. Of a token that is refused only the first counts: the second comes from the other
    /// environment, and all of them come one after the other when a lap is over.
    ///
    /// - Returns: whether the app has to be paused.
    package mutating func count(_ answer: Answer) -> Bool {
        let length = isFirst ? Self.firstLength : Self.length
        answers += 1
        if case .suspect(let device) = answer { suspects.insert(device) }
        defer {
            if answers >= length { (answers, suspects, isFirst) = (0, [], false) }
        }
        return Double(suspects.count) > Self.limit * Double(length)
    }
}

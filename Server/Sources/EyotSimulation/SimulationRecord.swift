import APNSWire
import EyotContract
import EyotDomain

/// The events of a simulation that the oracle needs, and a digest of all of them.
package struct SimulationRecord: Sendable {
    /// A name in one generation.
    struct Generation: Hashable, Sendable {
        var name: String
        var number: Int
    }

    /// An accepted declaration, as the calling backend sees it.
    struct Declared: Sendable {
        var version: Int
        /// The state; nil for an end that keeps the last one.
        var state: Int?
        var isEnd = false
        var asOf: Instant?
        /// Whether it began as a canary. Other cards may have ended before they got it.
        var isTriedOut = false
        /// Whether it was a canary that failed and was superseded, so that no further card gets it.
        var isDropped = false

        init(_ request: DeclarationRequest, version: Int) {
            self.version = version
            state = request.content.state?.object?["n"]?.integer
            isEnd = request.verb == .end
            asOf = request.asOf
            isTriedOut = request.canary != nil
        }
    }

    /// The share of a canary, as the calling backend sees it.
    struct Share: Sendable {
        var version: Int
        /// The last ordinal of the share.
        var upTo: Int
        /// The number of its pushes with an answer that counts, or without any.
        var answers = 0
    }

    /// An answer of Apple about a token in one environment.
    struct Saying: Hashable {
        var reason: APNSReason
        var environment: PushEnvironment
        /// The moment since which the token is dead, with 410.
        var since: Instant?
        /// Whether it was the answer to an end.
        var isOfEnd: Bool
    }

    /// A push that Apple accepted for a card, with a verdict that the server has stored.
    struct Acceptance: Hashable {
        var at: Instant
        var id: APNSID
    }

    /// An activity's newest alert for everyone, and the cards that must get it.
    struct PendingAlert: Sendable {
        var version: Int
        var until: Instant
        var cards: Set<String>
    }

    /// An alert that a card must get before peace is over.
    struct OwedAlert: Sendable {
        var card: String
        var device: DeviceID
        var version: Int
    }

    /// The node and declaration by which outdated pushes are counted.
    struct LatePlace: Hashable {
        var node: Int
        var successor: Int
    }

    /// The place of a start.
    struct Place: Hashable {
        var activity: ActivityID
        var ordinal: Int

        init(activity: ActivityID, ordinal: Int) {
            (self.activity, self.ordinal) = (activity, ordinal)
        }

        /// The place of a push, which its id contains.
        init(_ id: APNSID) {
            (activity, ordinal) = (ActivityID(rawValue: Int64(id.high >> 16)), Int(id.low & 0xFF_FFFF_FFFF))
        }
    }

    /// The declaration for a list's members.
    struct Listed: Sendable {
        var generation: Generation
        var declared: Declared
    }

    /// Devices with pending starts at a scoped declaration. The places from those starts belong to its scope.
    struct PendingStarts: Sendable {
        var generation: Generation
        var declared: Declared
        var devices: Set<DeviceID>
        /// The lists with those starts.
        var lists: Set<Int64>
    }

    /// The lines of the run's log.
    package private(set) var trace: [String] = []
    /// The violations, each with its rule's name.
    package private(set) var violations: [String] = []
    /// FNV-1a over the trace. Equal runs have equal digests.
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The declarations for everyone, newest last.
    var everyone: [Generation: [Declared]] = [:]
    /// Cards with a phone that ignored the newest push because the app's budget was spent.
    var spent: Set<String> = []
    /// The timestamp of the newest answer that a card shows.
    var answered: [String: Double] = [:]
    /// Cards that a broadcast ended with a second that was not later than their answer's. They keep the answer's
    /// content.
    var hidden: Set<String> = []
    /// The share of each activity's canary.
    var shares: [ActivityID: Share] = [:]
    /// The ordinals of the running cards when an operation for everyone was accepted, with the versions of their
    /// tokens.
    var holders: [Int64: [Int: Int]] = [:]
    /// The declarations for some replicas, by ordinal.
    var scoped: [Generation: [Int: [Declared]]] = [:]
    /// The declarations of later starts with live audiences.
    var live: [Generation: [Declared]] = [:]
    /// The declarations of lists, by the ids of the lists.
    var listed: [Int64: Listed] = [:]
    var pendingStarts: [PendingStarts] = []
    /// The places of cards that appeared at once after a start. A start that Apple kept for an absent phone is not in
    /// it.
    var startedAs: [String: Place] = [:]
    /// Starts with bytes that may have reached Apple.
    var startsOut: Set<Place> = []
    /// The seconds of pushes to a card or channel, from the first to the last of each tenure.
    var seconds: [String: [Int: ClosedRange<Int>]] = [:]
    /// The number of outdated pushes that left a node after each declaration.
    var late: [Generation: [LatePlace: Int]] = [:]
    /// Apple's answers about each token, whether or not the server got them.
    var said: [PushToken: [Saying]] = [:]
    /// Tokens that the server knows to be dead, and that were not reported since.
    var buried: Set<PushToken> = []
    /// The newest token of each card that the server got.
    var told: [String: PushToken] = [:]
    /// What each card showed when its phone last told the server.
    var showing: [String: StateDigest] = [:]
    /// When a call last wanted dismissed cards back.
    var wantedBack: [Generation: Instant] = [:]
    /// The moment when a phone reported a card as dismissed.
    var dismissed: [Generation: [Int: Instant]] = [:]
    /// Alerts that Apple accepted for a card, with a stored verdict.
    var alerts: Set<String> = []

    /// Pushes that Apple accepted for each place, in the order in which their verdicts were stored.
    var accepted: [Place: [Acceptance]] = [:]
    /// Places with an accepted update, with a stored verdict.
    var updated: Set<Place> = []
    /// How often a stored acceptance of an end has ended the card of a place without an event.
    var ends: [Place: Int] = [:]
    /// Pushes that Apple accepted, whether or not the server knows it.
    var passed: Set<APNSID> = []
    /// The newest event of each transaction that recorded some, and the transaction's moment.
    var moments: [(event: Int64, at: Instant)] = []

    /// The newest pending alert of each activity.
    var owed: [ActivityID: PendingAlert] = [:]
    /// Alerts that Apple accepted for a card, whether or not the server knows it.
    var given: Set<String> = []

    /// An alert that a phone has sounded.
    struct Sound: Hashable {
        /// The index of the phone.
        var phone: Int
        var activity: ActivityID
        var version: Int
    }

    var sounded: Set<Sound> = []

    /// Answered calls with a key, and the moment of the answer.
    var answeredCalls: [String: Instant] = [:]

    /// The generation of the channel that a card follows.
    var follows: [String: Generation] = [:]
    /// The moment of the last starts with an activity's channel, by the common version at that time.
    var channelStarts: [ActivityID: [Int: Instant]] = [:]
    /// The moment when Apple last accepted the broadcast of an end.
    var broadcastEnds: [ActivityID: Instant] = [:]

    /// Whether a violation is of this rule.
    package func breaks(_ rule: String) -> Bool {
        violations.contains { words in
            words.prefix { $0 != ":" }.split(separator: ",").contains { $0.trimmingPrefix(" ") == rule }
        }
    }

    mutating func note(_ line: String) {
        trace.append(line)
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Stands for all tenures of former histories.
    static let formerTenure = 0

    /// Forgets what the server did since a copy of its database was made. What phones and Apple know stays.
    ///
    /// - Parameter last: The highest ordinal of each activity that the copy has. Later places come again with others.
    mutating func goBack(to copy: SimulationRecord, placesUpTo last: [ActivityID: Int]) {
        let now = self
        self = copy
        (trace, violations, digest) = (now.trace, now.violations, now.digest)
        (spent, answered, hidden, said) = (now.spent, now.answered, now.hidden, now.said)
        follows = now.follows
        // The numbers of tenures come again. All of before are earlier than those to come.
        seconds = now.seconds.mapValues { tenures in
            let (first, last) = (tenures.values.map(\.lowerBound).min(), tenures.values.map(\.upperBound).max())
            guard let first, let last else { return [:] }
            return [Self.formerTenure: first...last]
        }
        startedAs = now.startedAs.filter { $0.value.ordinal <= last[$0.value.activity] ?? 0 }
    }

    mutating func violate(_ words: String) {
        violations.append(words)
        note("!! \(words)")
    }
}

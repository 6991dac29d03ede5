import APNSWire
import EyotContract
import EyotDomain

/// What happened in a simulation, as far as the oracle has to know, and a digest of all of it.
package struct SimulationRecord: Sendable {
    /// A name in one generation.
    struct Generation: Hashable, Sendable {
        var name: String
        var number: Int
    }

    /// What was declared and accepted, as the backend that called sees it.
    struct Declared: Sendable {
        var version: Int
        /// Nil for an end that leaves the last state.
        var state: Int?
        var isEnd = false
        var asOf: Instant?
        /// It went to a share first: others may have ended before they had it.
        var isTriedOut = false
        /// It was tried out, failed, and something newer took its place: nobody is to have it.
        var isDropped = false

        init(_ request: DeclarationRequest, version: Int) {
            self.version = version
            state = request.content.state?.object?["n"]?.integer
            isEnd = request.verb == .end
            asOf = request.asOf
            isTriedOut = request.canary != nil
        }
    }

    /// A share that may have what is tried out, as the backend that asked for it sees it.
    struct Share: Sendable {
        var version: Int
        /// The last ordinal.
        var upTo: Int
        /// Pushes of it to which Apple has said something that counts, or nothing.
        var answers = 0
    }

    /// What Apple said of a token in one environment.
    struct Saying: Hashable {
        var reason: APNSReason
        var environment: PushEnvironment
        /// Since when it is dead, with 410.
        var since: Instant?
        /// It was said to an end.
        var isOfEnd: Bool
    }

    /// An alert for everyone that is the newest of its activity, and the cards to which it is owed.
    struct PendingAlert: Sendable {
        var version: Int
        var until: Instant
        var cards: Set<String>
    }

    /// An alert that a card is to have before peace is over.
    struct OwedAlert: Sendable {
        var card: String
        var device: DeviceID
        var version: Int
    }

    /// Where pushes left that were older than a declaration.
    struct LatePlace: Hashable {
        var node: Int
        var successor: Int
    }

    /// A place that a start was sent for.
    struct Place: Hashable {
        var activity: ActivityID
        var ordinal: Int
    }

    /// What those on a list are to be told.
    struct Listed: Sendable {
        var generation: Generation
        var declared: Declared
    }

    /// Who waited for a place when something was declared for them: what a start of before gives them is in its scope.
    struct PendingStarts: Sendable {
        var generation: Generation
        var declared: Declared
        var devices: Set<DeviceID>
        /// The lists on which they waited.
        var lists: Set<Int64>
    }

    /// Lines that tell the run.
    package private(set) var trace: [String] = []
    /// What broke a rule, each with the rule's name.
    package private(set) var violations: [String] = []
    /// FNV-1a over the trace: equal where two runs were equal.
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    /// For everyone, newest last.
    var everyone: [Generation: [Declared]] = [:]
    /// Cards of which the phone passed over the newest push, since their app's budget was spent.
    var spent: Set<String> = []
    /// The timestamp of the newest answer that a card shows.
    var answered: [String: Double] = [:]
    /// Cards that a broadcast has ended whose second was not later than that: what the answer brought stays on them.
    var hidden: Set<String> = []
    /// What is tried out of each activity, if anything was.
    var shares: [ActivityID: Share] = [:]
    /// By operations for everyone, the ordinals of those whose cards ran when it was accepted, and the versions of their tokens.
    var holders: [Int64: [Int: Int]] = [:]
    /// For some replicas, by ordinal.
    var scoped: [Generation: [Int: [Declared]]] = [:]
    /// What later starts declared whose audiences stay open.
    var live: [Generation: [Declared]] = [:]
    /// By the ids of the lists.
    var listed: [Int64: Listed] = [:]
    var pendingStarts: [PendingStarts] = []
    /// Whose start led to a card at once; of one that Apple kept for a phone that was away nothing is said.
    var startedAs: [String: Place] = [:]
    /// Starts of which bytes may have reached Apple.
    var startsOut: Set<APNSID> = []
    /// The seconds that left for a card or on a channel, from the first to the last of each tenure.
    var seconds: [String: [Int: ClosedRange<Int>]] = [:]
    /// For each declaration, pushes that left a node after it and are older.
    var late: [Generation: [LatePlace: Int]] = [:]
    /// What Apple said of each token, whether the server has heard it or not.
    var said: [PushToken: [Saying]] = [:]
    /// Tokens that the server was told are dead, and not told of since.
    var buried: Set<PushToken> = []
    /// The newest token of each card that the server was told of.
    var told: [String: PushToken] = [:]
    /// When a phone told the server that a card was dismissed.
    var dismissed: [Generation: [Int: Instant]] = [:]
    /// Alerts that Apple took for a card, and whose verdict was stored.
    var alerts: Set<String> = []

    /// The newest alert of each activity, where it is owed to cards.
    var owed: [ActivityID: PendingAlert] = [:]
    /// Alerts that Apple took for a card, whether the server knows it or not.
    var given: Set<String> = []

    /// Alerts that phones have sounded, by phone, activity and version, and how often a process had begun by then: what is on its
    /// way when one dies may go again (R9).
    var sounded: [String: Int] = [:]
    /// How often a process has begun to push.
    var recoveries = 0

    /// Calls with a key that were answered, and when.
    var answeredCalls: [String: Instant] = [:]

    /// Whose channel a card follows.
    var follows: [String: Generation] = [:]
    /// When the last starts left that name the channel of an activity, by the version that everybody had then.
    var channelStarts: [ActivityID: [Int: Instant]] = [:]
    /// When Apple last took the broadcast of an end.
    var broadcastEnds: [ActivityID: Instant] = [:]

    /// Whether one of the violations is of this rule.
    package func breaks(_ rule: String) -> Bool {
        violations.contains { words in
            words.prefix { $0 != ":" }.split(separator: ",").contains { $0.trimmingPrefix(" ") == rule }
        }
    }

    mutating func note(_ line: String) {
        trace.append(line)
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func violate(_ words: String) {
        violations.append(words)
        note("!! \(words)")
    }
}

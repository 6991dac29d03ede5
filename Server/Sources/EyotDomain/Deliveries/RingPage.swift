import APNSWire
import EyotContract

/// How far the ring has brought one page of an activity: one row for what Apple accepted for up to a thousand replicas.
///
/// Most replicas are alike: live, with a token, and behind by the same declarations. They are members of the ring. A page of
/// them is taken and settled as a whole, and what it brought is noted here instead of in each of their rows. A replica that
/// something is the matter with, or that changed while its page was on the way, is noted in its own row.
package struct RingPage: Sendable, Hashable {
    /// Ordinals of one page.
    package static let capacity = 1_000

    package let activity: ActivityID
    /// The page of the ordinals from `number * capacity + 1` on.
    package let number: Int
    /// How often the page was taken. A replica that changed since counts from the next time on.
    package var taken = 0
    /// The last time that was settled; what follows is what it brought.
    package var settled = 0
    package var credit = RingCredit()
    /// The newest declaration for everyone with which all of its replicas were looked at, ``unseen`` where one of them has
    /// changed since, or is on its way. A page that has seen the newest one is not read again before ``lookAt``.
    package var seen = unseen
    /// When time alone makes something due on it.
    package var lookAt: Instant?
    /// Somebody on a page that has been seen is behind and waits for that moment.
    package var owes = false
    /// Somebody on a page that has been seen is behind, and was passed over since the app is paused in their environment.
    package var holds = false
    /// Raised whenever one of its replicas changes.
    package var changes = 0

    /// Less than every version.
    package static let unseen = -1

    package init(activity: ActivityID, number: Int) {
        self.activity = activity
        self.number = number
    }

    /// Whether the credit is for a replica that joined at this time, 0 where it is not in the ring.
    package func counts(forJoined time: Int) -> Bool { time > 0 && time <= settled }

    /// The number of the page that an ordinal is on.
    package static func number(of ordinal: Int) -> Int { (ordinal - 1) / capacity }

    /// The first ordinal on a page.
    package static func first(onPage number: Int) -> Int { number * capacity + 1 }

    /// Ordinals of this page.
    package var ordinals: ClosedRange<Int> { Self.first(onPage: number)...(number + 1) * Self.capacity }
}

/// Some ordinals of one page, a bit for each.
package struct RingSlots: Sendable, Hashable {
    private var words = [UInt64](repeating: 0, count: (RingPage.capacity + 63) / 64)

    package init() {}

    package mutating func insert(_ ordinal: Int) {
        let (word, bit) = Self.place(of: ordinal)
        words[word] |= bit
    }

    package func contains(_ ordinal: Int) -> Bool {
        let (word, bit) = Self.place(of: ordinal)
        return words[word] & bit != 0
    }

    private static func place(of ordinal: Int) -> (word: Int, bit: UInt64) {
        let place = (ordinal - 1) % RingPage.capacity
        return (place / 64, 1 << UInt64(place % 64))
    }
}

/// What a page of the ring brought its members.
package struct RingCredit: Sendable, Hashable {
    /// The newest state for everyone when the page was taken: each member has that, or what was declared for it since. Where it
    /// was their end, that.
    package var accepted = 0
    package var alerted = 0
    /// No later push carries a later second. It holds for everybody on the page: who left the ring meanwhile was pushed too.
    package var lastSecond = 0
    /// The one from which the next update of its members is spaced: of the last time that brought more than what some of them were
    /// owed at once. Members who are given an alert now and again would else keep the others from their updates (R3).
    package var spacedSecond = 0
    /// It was their end.
    package var isEnd = false

    package init() {}

    /// Adds it to how far a replica has been brought.
    ///
    /// - Parameters:
    ///   - scoped: the newest state that was declared for this replica and not for everyone.
    func add(scoped: Int, _ accepted: inout Int, _ alerted: inout Int, _ lastSecond: inout Int) {
        lastSecond = max(lastSecond, spacedSecond)
        accepted = max(self.accepted, scoped)
        alerted = max(alerted, self.alerted)
    }
}

/// The members of one page, as flat columns: what a push to them takes.
package struct RingMembers: Sendable {
    /// One member, as its own row says.
    package struct Member: Sendable, Hashable {
        package var ordinal: Int
        /// From which time on the page's credit counts for it.
        package var joined: Int
        package var accepted: Int
        package var alerted: Int
        package var scoped: Int
        package var scopedAlert: Int
        package var lastSecond: Int
        package var tokenVersion: Int
        package var environment: PushEnvironment
        package var tokenSetAt: Instant
        /// When the card has been running for as long as iOS lets it.
        package var expiresAt: Instant

        package init(
            ordinal: Int, joined: Int, accepted: Int, alerted: Int, scoped: Int, scopedAlert: Int, lastSecond: Int,
            tokenVersion: Int, environment: PushEnvironment, tokenSetAt: Instant, expiresAt: Instant
        ) {
            self.ordinal = ordinal
            self.joined = joined
            self.accepted = accepted
            self.alerted = alerted
            self.scoped = scoped
            self.scopedAlert = scopedAlert
            self.lastSecond = lastSecond
            self.tokenVersion = tokenVersion
            self.environment = environment
            self.tokenSetAt = tokenSetAt
            self.expiresAt = expiresAt
        }

        /// The member as it stands with its page's credit; nil where that has ended it.
        package func credited(by page: RingPage) -> Member? {
            let counts = page.counts(forJoined: joined)
            if counts, page.credit.isEnd { return nil }
            var member = self
            if counts {
                page.credit.add(scoped: scoped, &member.accepted, &member.alerted, &member.lastSecond)
            }
            return member
        }

        /// How far it is.
        package var stand: RingStand {
            RingStand(accepted: accepted, alerted: alerted, scoped: scoped, scopedAlert: scopedAlert)
        }
    }

    /// Room for that many is made beforehand.
    private static let usualTokenBytes = 80

    package private(set) var members: [Member] = []
    /// Tokens, end to end.
    private var tokenBytes: [UInt8] = []
    private var tokenEnds: [Int] = []

    package init() {
        members.reserveCapacity(RingPage.capacity)
        tokenEnds.reserveCapacity(RingPage.capacity)
        tokenBytes.reserveCapacity(RingPage.capacity * Self.usualTokenBytes)
    }

    package mutating func append(_ member: Member, token: UnsafeRawBufferPointer) {
        members.append(member)
        tokenBytes.append(contentsOf: token)
        tokenEnds.append(tokenBytes.count)
    }

    /// Bytes of all tokens together.
    package var tokenByteCount: Int { tokenBytes.count }

    /// The members' tokens, which are not copied: good within the body.
    package func withTokens<Result>(_ body: (Tokens) throws -> Result) rethrows -> Result {
        try tokenBytes.withUnsafeBufferPointer { bytes in
            try tokenEnds.withUnsafeBufferPointer { try body(Tokens(bytes: bytes, ends: $0)) }
        }
    }

    /// Tokens by the indices of their members.
    package struct Tokens {
        fileprivate let bytes: UnsafeBufferPointer<UInt8>
        fileprivate let ends: UnsafeBufferPointer<Int>

        package subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
        }
    }
}

/// How far a member of the ring is. What is due for it is due for each that is as far, at the same moment.
package struct RingStand: Sendable, Hashable {
    package var accepted: Int
    package var alerted: Int
    package var scoped: Int
    package var scopedAlert: Int

    package init(accepted: Int, alerted: Int, scoped: Int, scopedAlert: Int) {
        self.accepted = accepted
        self.alerted = alerted
        self.scoped = scoped
        self.scopedAlert = scopedAlert
    }
}

extension Replica {
    /// Whether nothing is the matter with it: what it is to be told follows from its activity and from what was declared for
    /// it last. Where somebody said when that was true, its page's credit does not say whether it has it.
    package var isInRing: Bool {
        guard phase == .live, let token, !token.probing else { return false }
        return !isSparing && lease == nil && retry == nil && ending == nil && blocked == 0 && scopedAsOf == nil
    }

    /// Takes in what its page of the ring brought.
    ///
    /// - Parameter isMember: whether that was for it; else it only learns when its page was last pushed.
    package mutating func take(_ credit: RingCredit, isMember: Bool) {
        pageSecond = credit.lastSecond
        guard isMember else { return }
        let former = accepted
        credit.add(scoped: scoped, &accepted, &alerted, &lastSecond)
        // Apple has taken a push to it since.
        if accepted != former { isPardoned = false }
        if credit.isEnd { phase = .ended }
    }

    /// Stands for all members of a ring that are equally far: what is due for it is due for each of them.
    ///
    /// - Parameter ordinal: that of any of them.
    package init(memberOf activity: ActivityID, ordinal: Int, at stand: RingStand, environment: PushEnvironment) {
        // Its life has no end, and its token was always there: whoever asks looks at these of each member.
        let always = Instant(microseconds: 0)
        self.init(
            activity: activity, ordinal: ordinal, device: DeviceID(rawValue: 0), phase: .live,
            createdAt: Instant(microseconds: .max / 2))
        token = PushToken(bytes: [0]).map {
            UpdateToken(token: $0, environment: environment, version: 1, setAt: always)
        }
        accepted = stand.accepted
        alerted = stand.alerted
        scoped = stand.scoped
        scopedAlert = stand.scopedAlert
    }
}

extension Tally {
    /// Adds what happened to one replica as often as it happened to replicas that are equally far.
    package mutating func add(_ one: Tally, times count: Int) {
        started += one.started * count
        accepted += one.accepted * count
        ended += one.ended * count
        superseded += one.superseded * count
        alertsSuperseded += one.alertsSuperseded * count
        alertsExpired += one.alertsExpired * count
        refused += one.refused * count
        unknown += one.unknown * count
    }
}

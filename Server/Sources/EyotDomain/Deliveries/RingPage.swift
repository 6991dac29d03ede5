import APNSWire
import EyotContract

/// The progress of one page of the ring: one row for what Apple accepted for up to 1,000 replicas.
///
/// **Problem.** A million cards follow one match. When a goal falls, Apple accepts a million pushes within seconds, and
/// each acceptance must be durable. A row for each acceptance costs several times what sending costs.
///
/// **Approach.** Most replicas of a large activity are alike: live, with a token, and behind by the same declarations.
/// These are *members of the ring* (``Replica/isInRing``). A page of 1,000 ordinals is taken and settled as a whole.
/// Its accepted pushes become one row, the page's *credit*. The ledger shows each member with its page's credit in it,
/// so no transition of the domain knows of pages.
///
///     ordinals     1 … 1,000      1,001 … 2,000     2,001 … 3,000
///                +------------+  +------------+    +------------+
///     page row   | credit 4   |  | credit 4   |    | credit 3   | ◀ behind: next to be taken
///                | seen   4   |  | seen   4   |    | seen   3   |
///                +------------+  +------------+    +------------+
///     own rows   ordinal 17: refused, waits        ordinal 2,400: token replaced while its page was on the way
///
/// **Why it is right.** Counting decides which replicas get a credit. ``taken`` rises in the transaction that takes the
/// page, ``settled`` in the transaction that credits it. A member that is written notes `taken + 1` as its `joined`,
/// and a credit holds for it only if `joined <= settled`. A replica that changed while its page was on the way is
/// therefore not credited. A member that was due but not taken is not credited either, because taking the page writes
/// its row anew. Their verdicts, and all verdicts but acceptance, are settled one by one. After a crash before the
/// credit, the former credit holds. The members are then due again with the newest state (R9).
///
/// **Which pages are read.** ``seen`` is the newest version for everyone with which all replicas of the page were
/// looked at. A declaration for everyone writes no page: a lap (``RingLaps``) reads the pages that have not seen it. A
/// change of one replica makes its page unseen and raises ``changes``. If ``changes`` rose while the page was on the
/// way, its credit does not make it seen. When time alone makes a member due, ``lookAt`` says when.
package struct RingPage: Sendable, Hashable {
    /// The number of ordinals on one page.
    package static let capacity = 1_000

    package let activity: ActivityID
    /// The number of the page, from 0. Its first ordinal is `number * capacity + 1`.
    package let number: Int
    /// How often the page was taken. A replica that is written now counts from the next time on.
    package var taken = 0
    /// The last time that was settled with a credit; 0 if none was.
    package var settled = 0
    package var credit = RingCredit()
    /// The newest declaration for everyone with which all its replicas were looked at. It is ``unseen`` if a replica
    /// has changed since, or is on the way. A page that has seen the newest declaration is not read before ``lookAt``.
    package var seen = unseen
    /// When time alone makes a replica of the page due; nil if it never does.
    package var lookAt: Instant?
    /// Whether a replica of the page, which has been seen, is behind and waits for ``lookAt``.
    package var hasWaitingReplicas = false
    /// Whether a replica of the page, which has been seen, is behind and was skipped because the app is paused in its
    /// environment.
    package var hasSkipped = false
    /// Raised by every change of one of its replicas.
    package var changes = 0

    /// Lower than every version.
    package static let unseen = -1

    package init(activity: ActivityID, number: Int) {
        self.activity = activity
        self.number = number
    }

    /// Whether the credit holds for a member.
    ///
    /// - Parameter time: the time from which the member counts; 0 if it is not in the ring.
    package func counts(forJoined time: Int) -> Bool { time > 0 && time <= settled }

    /// The number of the page that an ordinal is on.
    package static func number(of ordinal: Int) -> Int { (ordinal - 1) / capacity }

    /// The first ordinal on a page.
    package static func first(onPage number: Int) -> Int { number * capacity + 1 }

    /// The ordinals of this page.
    package var ordinals: ClosedRange<Int> { Self.first(onPage: number)...(number + 1) * Self.capacity }
}

/// The progress that a page of the ring brought its members.
package struct RingCredit: Sendable, Hashable {
    /// The newest state for everyone when the page was taken, or the end. Each member has accepted it, or the newest
    /// scoped state if that is higher.
    package var accepted = 0
    package var alerted = 0
    /// No earlier push to the page carries a later second. It holds for all replicas of the page, because one that left
    /// the ring meanwhile was pushed too.
    package var lastSecond = 0
    /// The second from which the spacing of the members' next update counts. It rises if the page brought a newer state
    /// for everyone or a spaced push. Other pushes, such as alerts for some members, would otherwise delay the updates
    /// of the rest (R3).
    package var spacedSecond = 0
    /// Whether the credit is the members' end.
    package var isEnd = false

    package init() {}

    /// Adds the credit to a member's progress.
    ///
    /// - Parameter scoped: the newest scoped state of the member, 0 for none.
    func add(scoped: Int, _ accepted: inout Int, _ alerted: inout Int, _ lastSecond: inout Int) {
        lastSecond = max(lastSecond, spacedSecond)
        accepted = max(self.accepted, scoped)
        alerted = max(alerted, self.alerted)
    }
}

/// The members of one page in flat columns, with what a push to them needs.
package struct RingMembers: Sendable {
    /// One member, as its own row has it.
    package struct Member: Sendable, Hashable {
        package var ordinal: Int
        /// The time from which the page's credit holds for it; see ``RingPage/taken``.
        package var joined: Int
        package var accepted: Version
        package var alerted: Version
        package var scoped: Version
        package var scopedAlert: Version
        package var lastSecond: Int
        package var tokenVersion: Int
        package var environment: PushEnvironment
        package var tokenSetAt: Instant
        /// When the card has run for as long as iOS lets it.
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

        /// The member with its page's credit; nil if the credit has ended it.
        package func credited(by page: RingPage) -> Member? {
            let counts = page.counts(forJoined: joined)
            if counts, page.credit.isEnd { return nil }
            var member = self
            if counts {
                page.credit.add(scoped: scoped, &member.accepted, &member.alerted, &member.lastSecond)
            }
            return member
        }

        /// The progress of the member.
        package var stand: RingStand {
            RingStand(accepted: accepted, alerted: alerted, scoped: scoped, scopedAlert: scopedAlert)
        }
    }

    /// Bytes of a usual token. Room for that many per member is reserved.
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

    /// The number of bytes of all tokens together.
    package var tokenByteCount: Int { tokenBytes.count }

    /// Passes the members' tokens to `body` without copying them. They are valid only within it.
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

/// The progress of a member of the ring. Members with the same progress are due for the same push at the same moment.
package struct RingStand: Sendable, Hashable {
    package var accepted: Version
    package var alerted: Version
    package var scoped: Version
    package var scopedAlert: Version

    package init(accepted: Int, alerted: Int, scoped: Int, scopedAlert: Int) {
        self.accepted = accepted
        self.alerted = alerted
        self.scoped = scoped
        self.scopedAlert = scopedAlert
    }

    /// Whether Apple has not accepted anything for such a member yet.
    package var isUnproven: Bool { accepted == 0 }
}

extension Replica {
    /// Whether it is an ordinary replica: what is due for it follows from its activity and its scoped versions alone. A
    /// replica with a scoped `asOf` is not, because its page's credit does not say whether it has that state.
    package var isInRing: Bool {
        guard phase == .live, let token, !token.probing else { return false }
        guard !isSparing, lease == nil, retry == nil, ending == nil, keeping == nil else { return false }
        return blockedVersion == 0 && scopedAsOf == nil
    }

    /// Applies the credit of its page of the ring.
    ///
    /// - Parameter isMember: whether the credit holds for it. Otherwise it only learns when its page was last pushed.
    package mutating func take(_ credit: RingCredit, isMember: Bool) {
        pageSecond = credit.lastSecond
        guard isMember else { return }
        let former = acceptedVersion
        credit.add(scoped: scopedState, &acceptedVersion, &alertedVersion, &lastSecond)
        // Apple has accepted a push to it since.
        if acceptedVersion != former { isPardoned = false }
        if credit.isEnd { (phase, removal) = (.ended, nil) }
    }

    /// Makes a stand-in for all members of the ring with the same progress. What is due for it is due for each of them.
    ///
    /// - Parameter ordinal: the ordinal of any of them.
    package init(memberOf activity: ActivityID, ordinal: Int, at stand: RingStand, environment: PushEnvironment) {
        // The stand-in never expires and always had its token. The caller checks both for each member.
        let always = Instant(microseconds: 0)
        self.init(
            activity: activity, ordinal: ordinal, device: DeviceID(rawValue: 0), phase: .live,
            createdAt: Instant(microseconds: .max / 2))
        token = PushToken(bytes: [0]).map {
            UpdateToken(token: $0, environment: environment, version: 1, setAt: always)
        }
        acceptedVersion = stand.accepted
        alertedVersion = stand.alerted
        scopedState = stand.scoped
        scopedAlert = stand.scopedAlert
    }
}

extension Tally {
    /// Adds the counts of one replica, times the number of replicas with the same progress.
    package mutating func add(_ one: Tally, times count: Int) {
        started += one.started * count
        accepted += one.accepted * count
        ended += one.ended * count
        superseded += one.superseded * count
        alertsSuperseded += one.alertsSuperseded * count
        alertsExpired += one.alertsExpired * count
        refused += one.refused * count
        unknown += one.unknown * count
        alertsGiven += one.alertsGiven * count
        alertsWithoutRoom += one.alertsWithoutRoom * count
    }
}

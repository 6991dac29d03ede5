import EyotDomain

/// Neighbouring cards of an activity. Phones that registered together have places side by side, so what Apple says of a
/// few of them speaks for the others.
package struct ProbationBlock: Sendable, Hashable, Comparable {
    /// Cards of a block.
    static let size = 64

    package let activity: ActivityID
    let number: Int

    init(of ordinal: Int, in activity: ActivityID) { self.init((ordinal - 1) / Self.size, in: activity) }

    private init(_ number: Int, in activity: ActivityID) { (self.activity, self.number) = (activity, number) }

    /// It and the blocks before and after it.
    var neighbourhood: [ProbationBlock] { (number - 1...number + 1).map { ProbationBlock($0, in: activity) } }

    /// The place of a card in the order in which the members of its block leave. The first card is the first, and the
    /// next ones are spread over the block.
    static func rank(of ordinal: Int) -> Int { (ordinal - 1) % size * 37 % size }

    package static func < (one: ProbationBlock, other: ProbationBlock) -> Bool {
        (one.activity.rawValue, one.number) < (other.activity.rawValue, other.number)
    }

    /// Apple's answers for members of a block.
    struct Standing: Sendable, Hashable {
        var accepted = 0
        var refused = 0

        /// Whether a member is a real phone.
        var hasReal: Bool { accepted > 0 }

        /// How many members may leave.
        var quota: Int { 4 * accepted >= refused ? 4 * (accepted + refused) : 0 }
    }

    /// How much speaks for the members of a block that wait.
    enum Promise: Int, Sendable, Hashable {
        /// Apple has refused its members, and those of both blocks beside it.
        case none
        /// Apple has accepted a member of it or of a block beside it.
        case besideReal
        /// Apple has answered for none of its members.
        case unjudged
    }

    /// A block with members that wait.
    package struct Waiting: Sendable, Hashable, Comparable {
        package let block: ProbationBlock
        let promise: Promise
        let at: Instant

        /// The greatest is next: of equal promise, the newest.
        package static func < (one: Waiting, other: Waiting) -> Bool {
            (one.promise.rawValue, one.block) < (other.promise.rawValue, other.block)
        }
    }
}

/// The blocks that leave next by the places that come back: the greatest of those that were met waiting.
package struct WaitingBlocks: Sendable, Hashable {
    /// Their number. The places that come back in a second are enough for their members.
    private static let limit = 8

    private var known: [ProbationBlock: ProbationBlock.Waiting] = [:]

    func contains(_ block: ProbationBlock) -> Bool { known[block] != nil }

    mutating func insert(_ block: ProbationBlock.Waiting) {
        known[block.block] = block
        if known.count > Self.limit, let least = known.values.min() { known[least.block] = nil }
    }

    mutating func insert(_ others: WaitingBlocks) {
        for block in others.known.values { insert(block) }
    }

    mutating func remove(_ block: ProbationBlock) { known[block] = nil }

    /// Forgets blocks that no look has met for a time.
    mutating func forget(after seconds: Double, at now: Instant) {
        known = known.filter { abs(now.seconds(since: $0.value.at)) < seconds }
    }
}

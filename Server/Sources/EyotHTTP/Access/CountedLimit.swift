import EyotCommands
import EyotDomain
import Synchronization

/// A limit for which this process counts. Nodes on one database count in the store too, in coarse steps, so that all
/// of them together allow what one would.
final class CountedLimit<Source: Hashable & Sendable & CustomStringConvertible>: Sendable {
    private let name: LimitedSource.Limit
    private let limit: Mutex<RateLimit<Source>>
    private let shared: SharedCounts?

    /// How many sources are remembered.
    var remembered: Int { limit.withLock(\.remembered) }

    /// - Parameter shared: Nil for a process that has its database for itself.
    init(_ name: LimitedSource.Limit, _ limit: RateLimit<Source>, among shared: SharedCounts?) {
        (self.name, self.shared) = (name, shared)
        self.limit = Mutex(limit)
    }

    /// Replaces the limit if its rate is another one. The counts of this process begin anew.
    func change(_ new: RateLimit<Source>) {
        limit.withLock { if $0.rate != new.rate { $0 = new } }
    }

    func look(_ source: Source, at now: Instant) -> RateStanding? { limit.withLock { $0.look(source, at: now) } }

    func giveBack(_ source: Source, at now: Instant) { limit.withLock { $0.giveBack(source, at: now) } }

    /// Counts one use, if it is allowed.
    ///
    /// - Returns: The standing after it; nil if there is no limit. While the store cannot be reached, this process
    ///   counts alone.
    func take(_ source: Source, at now: Instant) async -> RateStanding? {
        let (standing, due, rate) = limit.withLock { limit in
            let standing = limit.take(source, at: now)
            let isShared = standing?.wait == nil && shared?.isUsable == true
            return (standing, isShared ? limit.due(source) : nil, limit.rate)
        }
        guard let due, let shared else { return standing }
        do {
            let spent = try await shared.spend(due, of: LimitedSource(name, source.description), at: rate, now)
            limit.withLock { $0.settle(source, as: spent.left) }
            return rate.standing(spent.left, isTaken: spent.isAllowed)
        } catch {
            limit.withLock { $0.keep(due, of: source) }
            return standing
        }
    }
}

/// The counts that nodes share.
struct SharedCounts: Sendable {
    let store: any Store
    let pushing: PushingState

    /// Whether moments of this node mean the same to others.
    var isUsable: Bool { !pushing.isClockApart }

    func spend(
        _ uses: Int, of source: LimitedSource, at rate: Rate, _ now: Instant
    ) async throws -> (left: RateBucket, isAllowed: Bool) {
        try await store.write { try SpendUses(Transaction($0, at: now))(uses, of: source, at: rate) }
    }
}

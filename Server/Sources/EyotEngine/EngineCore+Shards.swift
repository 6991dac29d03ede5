import EyotDomain

/// The shards that a node pushes for.
///
/// A shard that a node leaves gets nothing new. Once nothing is under way for it, ``Effect/left(_:)`` reports that, and
/// another node may have it. Until then the shard does not come back, so an answer never meets a turn of a later
/// tenure.
struct ServedShards {
    let sharding: Sharding
    private(set) var numbers: Set<Int> = []
    /// Their activities.
    private(set) var activities = Shards.none
    private(set) var leaving: Set<Int> = []

    /// - Parameter sharding: nil for one shard that is served at once.
    init(of sharding: Sharding?) {
        self.sharding = sharding ?? .whole
        if sharding == nil { serve([0]) }
    }

    func contains(_ id: ActivityID) -> Bool { activities.contains(id) }

    mutating func serve(_ shards: Set<Int>) {
        leaving.formUnion(numbers.subtracting(shards))
        numbers = shards.subtracting(leaving)
        activities = sharding.activities(of: numbers)
    }

    /// - Parameter busy: Shards with something under way.
    /// - Returns: The shards that have been left.
    mutating func leave(except busy: Set<Int>) -> Set<Int> {
        let left = leaving.subtracting(busy)
        leaving.subtract(left)
        return left
    }
}

extension EngineCore {
    /// The shard of a page that is under way.
    package func shard(of page: PageID) -> Int? { flights[page]?.shard }

    /// Begins with shards that are new, and begins nothing more in those that are not there any longer.
    mutating func serve(_ shards: Set<Int>, _ effects: inout [Effect]) {
        let former = served.numbers
        served.serve(shards)
        if !served.numbers.subtracting(former).isEmpty { findOthers(&effects) }
    }

    /// Ends turns of shards that are left, and reports shards with nothing under way. A transaction that takes may
    /// still bring pages, so its answer is awaited.
    mutating func leaveShards(_ effects: inout [Effect]) {
        guard !served.leaving.isEmpty else { return }
        for (id, turn) in turns where !served.contains(id) && !turn.isTaking && turn.pages == 0 { letGo(of: id) }
        guard !isTaking else { return }
        var busy = Set(flights.values.map(\.shard))
        for id in turns.keys { busy.insert(served.sharding.shard(of: id)) }
        let left = served.leave(except: busy)
        if !left.isEmpty { effects.append(.left(left)) }
    }
}

import EyotDomain

/// The devices in a scope that have no replica yet because their start is pending. They are members of the scope like
/// any other.
extension FreezeMembers {
    /// Devices that are looked up together for their builds.
    private static let pageSize = 1_000

    /// Finds the devices in a scope that have a pending start.
    ///
    /// - Parameter list: Only lists after this one count.
    /// - Returns: Their ids, in ascending order.
    func pendingStarts(to activity: ActivityID, in scope: Audience, after list: Int64 = 0) throws -> [Int64] {
        let lists = try starts(of: activity, after: list)
        guard var last = lists.map(\.processed).min() else { return [] }
        var readers = lists.map { PendingReader(ledger, of: $0) }
        var pendingStarts: [Int64] = []
        while readers.contains(where: { !$0.isOver }) {
            let page = try ledger.deviceIDs(in: scope, of: app, after: DeviceID(rawValue: last), limit: limit)
            for id in page where try readers.contain(id.rawValue) { pendingStarts.append(id.rawValue) }
            guard let next = page.last, page.count == limit else { break }
            last = next.rawValue
        }
        return pendingStarts
    }

    /// Does the same for devices that were already found in the scope.
    func pendingStarts(to activity: ActivityID, among devices: [MemberRuns], after list: Int64) throws -> [Int64] {
        var readers = try starts(of: activity, after: list).map { PendingReader(ledger, of: $0) }
        guard !readers.isEmpty else { return [] }
        var pendingStarts: [Int64] = []
        for runs in devices {
            for id in MemberRuns.numbers(in: runs.bytes, after: 0, limit: .max) ?? [] where try readers.contain(id) {
                pendingStarts.append(id)
            }
        }
        return pendingStarts
    }

    private func starts(of activity: ActivityID, after list: Int64) throws -> [MemberList] {
        try ledger.memberLists(of: activity, limit: MemberList.listsPerApp).filter { $0.isStart && $0.id > list }
    }

    /// The builds of some devices of an audience, without the known ones. Usually none is new, and one query of the
    /// audience shows that.
    func builds(of devices: [Int64], in audience: Audience, but known: Set<String>) throws -> Set<String> {
        guard !devices.isEmpty, try !ledger.builds(in: audience, of: app).isSubset(of: known) else { return [] }
        var builds: Set<String> = []
        for first in stride(from: 0, to: devices.count, by: Self.pageSize) {
            let page = devices[first..<min(first + Self.pageSize, devices.count)].map(DeviceID.init(rawValue:))
            builds.formUnion(try ledger.builds(in: .devices(page), of: app))
        }
        return builds
    }
}

extension FrozenMembers {
    /// Adds devices with a pending start.
    ///
    /// - Parameter devices: Ids in ascending order.
    /// - Throws: `tooManyMembers`.
    mutating func add(_ devices: [Int64], limit: Int) throws {
        guard !devices.isEmpty else { return }
        let known = pendingStarts.others.flatMap { MemberRuns.numbers(in: $0.bytes, after: 0, limit: .max) ?? [] }
        let all = known.isEmpty ? devices : Set(known).union(devices).sorted()
        guard replicas.count + all.count <= limit else {
            throw EyotError(.tooManyMembers, "scope has more than \(limit) members", field: "scope")
        }
        pendingStarts = Group(all, inlineLimit: 0)
    }
}

extension [PendingReader] {
    /// Whether one of the lists has a number. The numbers must be asked for in ascending order.
    fileprivate mutating func contain(_ number: Int64) throws -> Bool {
        var isThere = false
        for index in indices where try self[index].contains(number) { isThere = true }
        return isThere
    }
}

import EyotDomain

/// The members of requests, and those that are pending.
extension MemoryLedger {
    package func deviceIDs(in audience: Audience, of app: AppID, after id: DeviceID, limit: Int) -> [DeviceID] {
        devices(in: audience, of: app, after: id, limit: limit).map(\.id)
    }

    package func isMember(_ device: DeviceID, of audience: Audience, in app: AppID) -> Bool {
        deviceIDs(in: audience, of: app, after: DeviceID(rawValue: 0), limit: .max).contains(device)
    }

    package func ordinals(of activity: ActivityID, in audience: Audience, of app: AppID, limit: Int) -> [Int] {
        let members = Set(deviceIDs(in: audience, of: app, after: DeviceID(rawValue: 0), limit: .max))
        return (replicas[activity] ?? []).filter { members.contains($0.device) }.prefix(limit).map(\.ordinal)
    }

    package func insert(_ list: MemberList, members: [MemberRuns]) -> MemberList {
        newestIDs.list += 1
        var stored = list
        stored.id = newestIDs.list
        memberLists.append(stored)
        memberChunks[stored.id] = members
        return stored
    }

    package func memberLists(after id: Int64, limit: Int) -> [MemberList] {
        memberLists.filter { $0.id > id }.prefix(limit).map(\.self)
    }

    package func memberLists(of app: AppID, after id: Int64, limit: Int) -> [MemberList] {
        memberLists.filter { $0.app == app && $0.id > id }.prefix(limit).map(\.self)
    }

    package func memberLists(of activity: ActivityID, limit: Int) -> [MemberList] {
        memberLists.filter { $0.activity == activity }.prefix(limit).map(\.self)
    }

    package func memberListCount(of app: AppID, limit: Int) -> Int {
        min(limit, memberLists.count { $0.app == app })
    }

    package func pending(of list: MemberList, limit: Int) -> [Int64] {
        guard let chunk = memberChunks[list.id]?.first(where: { $0.last > list.processed }) else { return [] }
        return MemberRuns.numbers(in: chunk.bytes, after: list.processed, limit: limit) ?? []
    }

    package func update(_ list: MemberList) {
        guard let index = memberLists.firstIndex(where: { $0.id == list.id }) else { return }
        memberLists[index] = list
        memberChunks[list.id]?.removeAll { $0.last <= list.processed }
    }

    package func remove(_ list: MemberList) {
        memberLists.removeAll { $0.id == list.id }
        memberChunks[list.id] = nil
    }
}

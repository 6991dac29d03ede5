import EyotCommands
import EyotDomain
import Logging
import ServiceLifecycle

/// Tells those who wait on lists, one short transaction after the other, the lists by turns, and starts those who have come to belong to
/// audiences that stay open.
struct MemberWorker: Service {
    /// Seconds between two looks where there was nobody to tell. Requests tell the first of their members themselves.
    private static let pause = 0.2

    let store: any Store
    let clock: any WallClock
    let logger: Logger

    /// Each list, each look and each device is told for itself: where one fails, the others go on (R10). Looks search,
    /// which may take seconds, so lists and changed devices do not wait for them.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let lists: Void = tellLists()
            async let looks: Void = again { await lookAtAudiences() }
            async let changed: Void = again { await lookAtChanged() }
            _ = await (lists, looks, changed)
        }
    }

    /// Does something again and again until it is cancelled. Who is left then waits for the next start.
    ///
    /// - Parameter round: answers whether there may be more.
    private func again(_ round: () async -> Bool) async {
        while !Task.isCancelled {
            if await round() { continue }
            try? await clock.pause(seconds: Self.pause)
        }
    }

    private func tellLists() async {
        var turns = ListTurns()
        await again {
            var hasTold = false
            for list in await read(&turns, { try $0.next(in: $1) }) ?? [] {
                if await tell(list, &turns) { hasTold = true }
            }
            return hasTold
        }
    }

    /// Apps side by side, so that costly audiences of one do not hold up another's.
    ///
    /// - Returns: whether there may be more.
    private func lookAtAudiences() async -> Bool {
        let audiences = await attempt { try await store.read { try AdmitLiveMembers.unlooked(in: $0) } } ?? []
        let apps = Dictionary(grouping: audiences, by: \.app)
        return await withTaskGroup { group in
            for own in apps.values { group.addTask { await look(at: own) } }
            return await group.reduce(false) { $0 || $1 }
        }
    }

    /// - Returns: whether one of them was looked at.
    private func look(at audiences: [LiveAudience]) async -> Bool {
        var hasLooked = false
        for audience in audiences {
            let taken: Void? = await attempt("activity", audience.activity.rawValue, of: audience.app) {
                let look = try await store.search(of: audience.app) {
                    try AdmitLiveMembers.look(audience, in: $0, at: clock.now)
                }
                try await store.write { try AdmitLiveMembers(ledger: $0, now: clock.now).take(look) }
            }
            if taken != nil { hasLooked = true }
        }
        return hasLooked
    }

    /// Tells a list, or, where nobody on it is ready, the next ones of its app: they wait for each other.
    ///
    /// - Returns: whether anybody was told.
    private func tell(_ first: MemberList, _ turns: inout ListTurns) async -> Bool {
        var (next, tried): (MemberList?, Set<Int64>) = (first, [])
        while let list = next, tried.insert(list.id).inserted {
            let told = await attempt("list", list.id, of: list.app) {
                try await store.write { try ProcessMembers(ledger: $0, now: clock.now)(list.id) }
            }
            guard told == false else { return told ?? false }
            next = await read(&turns) { try $0.next(of: list.app, in: $1) } ?? nil
        }
        return false
    }

    private func read<Result: Sendable>(
        _ turns: inout ListTurns, _ body: @escaping @Sendable (inout ListTurns, any Ledger) throws -> Result
    ) async -> Result? {
        let former = turns
        let result = await attempt {
            try await store.read { ledger in
                var turns = former
                return (try body(&turns, ledger), turns)
            }
        }
        if let result { turns = result.1 }
        return result?.0
    }

    /// - Returns: whether there was a device that was looked at.
    private func lookAtChanged() async -> Bool {
        // Asked first by reading: where nobody has changed, nothing is written.
        let changed = await attempt { try await store.read { try $0.changedDevices(limit: 1) } }
        guard let device = changed?.first else { return false }
        if await look(upTo: AdmitLiveMembers.looks, from: device) { return true }
        // One of them fails, and with it what is done for the others: they are looked at by turns, each alone.
        if await look(upTo: 1, from: device) { return true }
        await attempt("device", device.rawValue) {
            try await store.write { try AdmitLiveMembers.putOff(device, in: $0) }
        }
        return false
    }

    private func look(upTo limit: Int, from device: DeviceID) async -> Bool {
        let hadSome = await attempt("device", device.rawValue) {
            try await store.write { try AdmitLiveMembers(ledger: $0, now: clock.now).lookAtChanged(limit: limit) }
        }
        return hadSome != nil
    }

    /// - Returns: nil where it failed, which is logged; it is done again.
    @discardableResult
    private func attempt<Result>(
        _ what: String = "step", _ id: Int64? = nil, of app: AppID? = nil, _ body: () async throws -> Result
    ) async -> Result? {
        do {
            try Task.checkCancellation()
            return try await body()
        } catch is CancellationError {
            return nil
        } catch {
            var metadata: Logger.Metadata = ["error": "\(error)"]
            if let id { metadata[what] = "\(id)" }
            if let app { metadata["app"] = "\(app.rawValue)" }
            logger.error("Members could not be told what was declared; they are told again", metadata: metadata)
            return nil
        }
    }
}

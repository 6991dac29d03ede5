import EyotCommands
import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that processes member lists and admits devices to live audiences. Each transaction is short, and the
/// lists take turns.
struct MemberWorker: Service {
    /// Seconds between two looks when nothing was processed. Requests process their first members themselves.
    private static let pause = 0.2

    let store: any Store
    let clock: any WallClock
    let pushing: PushingState
    let logger: Logger

    /// Processes lists, audiences and changed devices side by side. Each list, audience and device is handled by
    /// itself, so a failure does not stop the others (R10). A look at an audience searches, which may take seconds, so
    /// lists and changed devices do not wait for it.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let lists: Void = processLists()
            async let looks: Void = again { await lookAtAudiences() }
            async let changed: Void = again { await lookAtChanged() }
            _ = await (lists, looks, changed)
        }
    }

    /// Repeats a round until the task is cancelled. The remaining work waits for the next start.
    ///
    /// - Parameter round: Returns whether there may be more.
    private func again(_ round: () async -> Bool) async {
        while !Task.isCancelled {
            if pushing.leads, await round() { continue }
            try? await clock.pause(seconds: Self.pause)
        }
    }

    private func processLists() async {
        var turns = ListTurns()
        await again {
            var hasProcessed = false
            for list in await read(&turns, { try $0.next(in: $1) }) ?? [] {
                if await process(list, &turns) { hasProcessed = true }
            }
            return hasProcessed
        }
    }

    /// Looks at audiences, apps side by side, so that an app's costly audiences do not hold up another app's.
    ///
    /// - Returns: Whether there may be more.
    private func lookAtAudiences() async -> Bool {
        let audiences = await attempt { try await store.read { try AdmitLiveMembers.unlooked(in: $0) } } ?? []
        let apps = Dictionary(grouping: audiences, by: \.app)
        return await withTaskGroup { group in
            for own in apps.values { group.addTask { await look(at: own) } }
            return await group.reduce(false) { $0 || $1 }
        }
    }

    /// - Returns: Whether one of the audiences was looked at.
    private func look(at audiences: [LiveAudience]) async -> Bool {
        var hasLooked = false
        for audience in audiences {
            let taken: Void? = await attempt("activity", audience.activity.rawValue, of: audience.app) {
                let look = try await store.search(of: audience.app, for: .declaration) {
                    try AdmitLiveMembers.look(audience, in: $0, at: clock.now)
                }
                try await store.write { try AdmitLiveMembers(Transaction($0, at: clock.now)).take(look) }
            }
            if taken != nil { hasLooked = true }
        }
        return hasLooked
    }

    /// Processes a portion of a list. If no member of the list is ready, tries the next lists of its app, because lists
    /// wait for each other.
    ///
    /// - Returns: Whether a member was processed.
    private func process(_ first: MemberList, _ turns: inout ListTurns) async -> Bool {
        var (next, tried): (MemberList?, Set<Int64>) = (first, [])
        while let list = next, tried.insert(list.id).inserted {
            let told = await attempt("list", list.id, of: list.app) {
                try await store.write { try ProcessMembers(Transaction($0, at: clock.now))(list.id) }
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

    /// Looks at changed devices, for all live audiences.
    ///
    /// - Returns: Whether there was a device that was looked at.
    private func lookAtChanged() async -> Bool {
        // A read comes first: if no device has changed, nothing is written.
        let changed = await attempt { try await store.read { try $0.changedDevices(limit: 1) } }
        guard let device = changed?.first else { return false }
        if await look(upTo: AdmitLiveMembers.looks, from: device) { return true }
        // A failing device undoes the work for the others of its transaction, so the first device is looked at alone.
        if await look(upTo: 1, from: device) { return true }
        await attempt("device", device.rawValue) {
            try await store.write { try AdmitLiveMembers.putOff(device, in: $0) }
        }
        return false
    }

    private func look(upTo limit: Int, from device: DeviceID) async -> Bool {
        let hadSome = await attempt("device", device.rawValue) {
            try await store.write { try AdmitLiveMembers(Transaction($0, at: clock.now)).lookAtChanged(limit: limit) }
        }
        return hadSome != nil
    }

    /// Runs a step that the next round repeats if it fails.
    ///
    /// - Returns: nil if the step failed. A failure other than cancellation is logged.
    @discardableResult
    private func attempt<Result>(
        _ what: String = "step", _ id: Int64? = nil, of app: AppID? = nil, _ body: () async throws -> Result
    ) async -> Result? {
        var metadata: Logger.Metadata = [:]
        if let id { metadata[what] = "\(id)" }
        if let app { metadata["app"] = "\(app.rawValue)" }
        return await logger.attempt("Members could not be told what was declared; they are told again", metadata) {
            try Task.checkCancellation()
            return try await body()
        }
    }
}

import EyotCommands
import EyotDomain
import Logging
import ServiceLifecycle

/// Tells those who wait on lists, one short transaction after the other, the lists by turns, and starts those who have come to belong to
/// audiences that stay open.
struct Teller: Service {
    /// Seconds between two looks where there was nobody to tell. Requests tell the first of their members themselves.
    private static let pause = 0.2

    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var turns = ListTurns()
            do {
                while true {
                    if await round(&turns) { continue }
                    try await clock.pause(seconds: Self.pause)
                }
            } catch {
                // Cancelled: who is left waits for the next start.
            }
        }
    }

    /// Each list, each look and each device is told for itself: where one fails, the others go on (R10).
    ///
    /// - Returns: whether there may be more.
    private func round(_ turns: inout ListTurns) async -> Bool {
        var hasTold = false
        for list in await read(&turns, { try $0.next(in: $1) }) ?? [] {
            if await tell(list, &turns) { hasTold = true }
        }
        let looks = await attempt { try await store.read { try TellLive.looks(in: $0, at: clock.now) } }
        for look in looks ?? [] {
            let taken: Void? = await attempt("activity", look.activity.rawValue, of: look.app) {
                try await store.write { try TellLive(ledger: $0, now: clock.now).take(look) }
            }
            if taken != nil { hasTold = true }
        }
        return await lookAtChanged() || hasTold
    }

    /// Tells a list, or, where nobody on it is ready, the next ones of its app: they wait for each other.
    ///
    /// - Returns: whether anybody was told.
    private func tell(_ first: MemberList, _ turns: inout ListTurns) async -> Bool {
        var (next, tried): (MemberList?, Set<Int64>) = (first, [])
        while let list = next, tried.insert(list.id).inserted {
            let told = await attempt("list", list.id, of: list.app) {
                try await store.write { try TellMembers(ledger: $0, now: clock.now)(list.id) }
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
        if await look(upTo: TellLive.looks, from: device) { return true }
        // One of them fails, and with it what is done for the others: they are looked at by turns, each alone.
        if await look(upTo: 1, from: device) { return true }
        await attempt("device", device.rawValue) { try await store.write { try TellLive.putOff(device, in: $0) } }
        return false
    }

    private func look(upTo limit: Int, from device: DeviceID) async -> Bool {
        let hadSome = await attempt("device", device.rawValue) {
            try await store.write { try TellLive(ledger: $0, now: clock.now).lookAtChanged(limit: limit) }
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

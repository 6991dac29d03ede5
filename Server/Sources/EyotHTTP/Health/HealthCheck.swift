import EyotContract
import EyotDomain

/// One check of the server's health.
struct HealthCheck: Sendable {
    enum Code: String, Sendable, CaseIterable {
        case stopping, store, disk, schema, pushing, lease
        case appleSandbox = "apple.sandbox"
        case appleProduction = "apple.production"
        case keys, lag, clock
    }

    var code: Code
    var isOK: Bool
    /// What is, and what to do about it if it is wrong.
    var sentence: String

    var json: JSONValue {
        ["code": .string(code.rawValue), "ok": .bool(isOK), "sentence": .string(sentence)]
    }
}

/// The checks of a server, from what it knows in memory.
struct HealthChecks {
    /// Seconds for which a card can be behind before the lag counts as a fault.
    static let longestBehind = 10.0

    let backend: Backend
    let now: Instant
    /// Why the server is not ready; nil if it is.
    let failure: EyotError?

    var all: [HealthCheck] {
        [stopping, store, disk] + schema + [pushing, lease] + PushEnvironment.allCases.map(apple) + keys + [lag, clock]
    }

    private var stopping: HealthCheck {
        backend.isDraining()
            ? HealthCheck(
                code: .stopping, isOK: false, sentence: "The server is draining and stops soon. Send no more calls.")
            : HealthCheck(code: .stopping, isOK: true, sentence: "The server is not stopping.")
    }

    private var store: HealthCheck {
        let health = backend.store.health
        if let failure, failure.code != .diskFull, !backend.isDraining() {
            return HealthCheck(
                code: .store, isOK: false, sentence: "The store does not take all calls: \(failure.detail).")
        }
        if health.isStuck {
            return HealthCheck(
                code: .store, isOK: false,
                sentence:
                    "The writer has finished nothing for \(Int(health.busySeconds)) seconds. See the server's log.")
        }
        return HealthCheck(code: .store, isOK: true, sentence: "\(health.waitingWrites) writes wait for the store.")
    }

    private var disk: HealthCheck {
        let health = backend.store.health
        if health.hasFullDisk || failure?.code == .diskFull {
            return HealthCheck(
                code: .disk, isOK: false, sentence: "A write found the disk full. Free space beside the database.")
        }
        let free = health.freeBytes.map { "\($0 / 1_048_576) MiB are free" } ?? "The free space is not known"
        return HealthCheck(
            code: .disk, isOK: !health.isLowOnSpace,
            sentence: health.isLowOnSpace ? "\(free), less than twice the database's log." : free + ".")
    }

    /// The server does not start with a schema that it does not work with.
    private var schema: [HealthCheck] {
        guard let schema = backend.store.health.schema else { return [] }
        let known = backend.build.schema ?? schema
        return [
            HealthCheck(
                code: .schema, isOK: true,
                sentence: schema == known
                    ? "The database has schema \(schema), as this program does."
                    : "A newer program gave the database schema \(schema). This one, of \(known), works with it.")
        ]
    }

    private var pushing: HealthCheck {
        let status = backend.pushing.status(at: now)
        guard let wait = status.wait else {
            let since = status.beginsAt.map { " since \($0.rfc3339)" } ?? ""
            return HealthCheck(code: .pushing, isOK: true, sentence: "This process pushes\(since).")
        }
        guard wait != .notAdopted else {
            return HealthCheck(
                code: .pushing, isOK: false,
                sentence: "This process does not push, because the database was copied or restored by other programs. "
                    + "Stop all servers, run `eyot database adopt`, and start them again.")
        }
        let until = status.until.map { " until \($0.rfc3339)" } ?? ""
        return HealthCheck(
            code: .pushing, isOK: false, sentence: "This process does not push\(until): \(wait.rawValue).")
    }

    private var lease: HealthCheck {
        let status = backend.pushing.status(at: now)
        guard let epoch = status.epoch, status.wait != .otherNode else {
            return HealthCheck(code: .lease, isOK: false, sentence: "This process does not hold a lease to push.")
        }
        guard status.allShards > 1 else {
            return HealthCheck(code: .lease, isOK: true, sentence: "This process holds the lease, tenure \(epoch).")
        }
        return HealthCheck(
            code: .lease, isOK: true,
            sentence: "This process pushes for \(status.shards) of \(status.allShards) shards. "
                + "Its newest tenure is \(epoch).")
    }

    private func apple(in environment: PushEnvironment) -> HealthCheck {
        let code: HealthCheck.Code = environment == .sandbox ? .appleSandbox : .appleProduction
        let used = backend.health.apple().filter { $0.environment == environment }
        guard let fault = used.first(where: \.isUnreachable) else {
            let ready = used.reduce(0) { $0 + $1.ready }
            return HealthCheck(
                code: code, isOK: true,
                sentence: used.isEmpty ? "Apple was not needed yet." : "\(ready) connections to Apple are open.")
        }
        return HealthCheck(
            code: code, isOK: false,
            sentence: "The last \(fault.failures) connections to Apple's \(fault.service) failed. "
                + "See the server's log, and try `eyot doctor`.")
    }

    private var keys: [HealthCheck] {
        guard let apps = backend.health.apps.value else { return [] }
        let missing = apps.withoutKey
        return [
            HealthCheck(
                code: .keys, isOK: missing == 0,
                sentence: missing == 0
                    ? "Each app has an APNs key."
                    : "\(missing) of \(apps.apps.count) apps have no APNs key. Store one with `eyot app apns-key set`.")
        ]
    }

    private var lag: HealthCheck {
        let (behind, waiting) = (backend.meters.longestBehind(at: now), backend.store.health.waitingWrites)
        let isLate = behind > Self.longestBehind || waiting > StoreHealth.manyWrites
        return HealthCheck(
            code: .lag, isOK: !isLate,
            sentence: "A card can be behind for \(Int(behind.rounded(.up))) seconds, and \(waiting) writes wait.")
    }

    private var clock: HealthCheck {
        let status = backend.pushing.status(at: now)
        if let until = status.cardsWaitUntil {
            return HealthCheck(
                code: .clock, isOK: false,
                sentence: "The clock was ahead. Cards that were pushed with it wait until \(until.rfc3339).")
        }
        guard let setBack = status.setBack else {
            return HealthCheck(code: .clock, isOK: true, sentence: "The clock was not set back.")
        }
        return HealthCheck(
            code: .clock, isOK: true,
            sentence: "The clock was set back by \(Int(setBack.seconds.rounded())) seconds, and no card waits for it.")
    }
}

import EyotCommands
import EyotDomain
import HTTPTypes
import NIOCore
import Synchronization

/// The limits of calls for keys, apps, devices and addresses.
final class CallGate: Sendable {
    /// The plane that a secret belongs to.
    enum Plane: Sendable, Hashable {
        case control, device
    }

    private struct Failures: Sendable {
        var limit: RateLimit<String>
        /// Good secrets, as hashes of this process. They stay usable from an address that also shows wrong ones.
        var good: Set<Int> = []
    }

    /// Calls an hour that each key has in reserve to halt, resume and revoke keys.
    static let reserve = 60

    /// How many good secrets are remembered. Beyond that an arbitrary one is dropped.
    static let goodSecrets = 10_000

    private let limits: Mutex<CallLimits>
    private let keys: Mutex<RateLimit<Int64>>
    private let apps: Mutex<RateLimit<AppID>>
    private let reserves = Mutex(RateLimit<Int64>(CallGate.reserve, each: 3_600))
    private let devices: Mutex<RateLimit<DeviceID>>
    private let control: Mutex<Failures>
    private let device: Mutex<Failures>

    init(_ limits: CallLimits) {
        self.limits = Mutex(limits)
        keys = Mutex(RateLimit(limits.keyCallsPerHour, each: 3_600))
        apps = Mutex(RateLimit(limits.appCallsPerHour, each: 3_600))
        devices = Mutex(Self.devices(limits))
        control = Mutex(Failures(limit: RateLimit(limits.failedKeysPerMinute, each: 60)))
        device = Mutex(Failures(limit: RateLimit(limits.registrationsPerMinute, each: 60)))
    }

    private static func devices(_ limits: CallLimits) -> RateLimit<DeviceID> {
        RateLimit(limits.deviceCallsPerHour, each: 3_600, sources: 100_000)
    }

    /// Replaces the limits. The counts for a changed limit begin anew, and those for others go on.
    func change(_ new: CallLimits) {
        limits.withLock { old in
            if new.keyCallsPerHour != old.keyCallsPerHour {
                keys.withLock { $0 = RateLimit(new.keyCallsPerHour, each: 3_600) }
            }
            if new.appCallsPerHour != old.appCallsPerHour {
                apps.withLock { $0 = RateLimit(new.appCallsPerHour, each: 3_600) }
            }
            if new.deviceCallsPerHour != old.deviceCallsPerHour {
                devices.withLock { $0 = Self.devices(new) }
            }
            if new.failedKeysPerMinute != old.failedKeysPerMinute {
                control.withLock { $0.limit = RateLimit(new.failedKeysPerMinute, each: 60) }
            }
            if new.registrationsPerMinute != old.registrationsPerMinute {
                device.withLock { $0.limit = RateLimit(new.registrationsPerMinute, each: 60) }
            }
            old = new
        }
    }

    /// Counts a call of the control plane, unless its key or its app has made too many.
    ///
    /// - Parameter app: the app that the call is about; nil if it is about none.
    /// - Returns: the state of the limit that has less left; nil if there is no limit.
    func take(_ key: APIKey, _ app: AppID?, at now: Instant) -> RateStanding? {
        // A call that the app's limit refuses does not count for the key.
        if let app, let standing = apps.withLock({ $0.look(app, at: now) }), standing.wait != nil { return standing }
        let own = keys.withLock { $0.take(key.id, at: now) }
        guard own?.wait == nil, let app, let common = apps.withLock({ $0.take(app, at: now) }) else { return own }
        guard let own else { return common }
        return common.wait != nil || common.remaining < own.remaining ? common : own
    }

    /// Counts a call against the reserve of a key. With it an app can still be stopped when its calls are used up.
    func takeFromReserve(_ key: APIKey, at now: Instant) -> RateStanding? {
        reserves.withLock { $0.take(key.id, at: now) }
    }

    /// Takes a refused call off its app's count. It counts only for its key, so that it uses up no other key's calls.
    func giveBack(_ app: AppID, at now: Instant) { apps.withLock { $0.giveBack(app, at: now) } }

    /// Counts a call of a device.
    ///
    /// - Throws: `tooManyCalls`.
    func take(_ device: DeviceID, at now: Instant) throws(Problem) {
        guard let wait = devices.withLock({ $0.take(device, at: now) })?.wait else { return }
        throw .tooManyCalls("this device has made too many calls", wait: wait, limit: "device")
    }

    /// Checks that an address may show another secret. Nil and this machine are not limited.
    ///
    /// - Throws: `tooManyCalls` if the address showed too many unknown secrets, unless this one is known to be good.
    func checkFailures(
        _ plane: Plane, _ secret: String, from address: SocketAddress?, at now: Instant
    ) throws(Problem) {
        guard let network = address?.network else { return }
        let wait = withFailures(plane) { failures in
            failures.good.contains(secret.hashValue) ? nil : failures.limit.look(network, at: now)?.wait
        }
        if let wait {
            throw .tooManyCalls("too many unknown keys came from this address", wait: wait, limit: "failedKeys")
        }
    }

    /// Records whether a secret was good.
    func note(_ plane: Plane, _ secret: String, isGood: Bool, from address: SocketAddress?, at now: Instant) {
        guard let network = address?.network else { return }
        withFailures(plane) { failures in
            guard isGood else {
                _ = failures.limit.take(network, at: now)
                failures.good.remove(secret.hashValue)
                return
            }
            if failures.good.count >= Self.goodSecrets, let any = failures.good.first { failures.good.remove(any) }
            failures.good.insert(secret.hashValue)
        }
    }

    private func withFailures<Result: Sendable>(
        _ plane: Plane, _ body: (inout sending Failures) -> sending Result
    ) -> Result {
        switch plane {
        case .control: control.withLock(body)
        case .device: device.withLock(body)
        }
    }
}

extension Problem {
    /// The seconds after which a phone may come again if the server has no room. Each refusal names one of them by
    /// chance, because phones that were refused together would otherwise return together.
    package static let phonesRetryAfter = 1...10

    /// - Parameters:
    ///   - wait: how many seconds until the call may be made.
    ///   - limit: the limit's name in metrics.
    static func tooManyCalls(_ detail: String, wait: Double, limit: String? = nil) -> Problem {
        var problem = Problem(EyotError(.tooManyCalls, detail))
        problem.limit = limit
        problem.headers[.retryAfter] = String(max(1, Int(wait.rounded(.up))))
        return problem
    }
}

extension RateStanding {
    /// Writes the limits into an answer's headers. Their names are lower-case because vendors' clients expect this.
    func write(into headers: inout HTTPFields) {
        headers[.rateLimit] = String(limit)
        headers[.rateRemaining] = String(remaining)
        headers[.rateReset] = String(Int(fullAt.seconds(since: Instant(second: 0)).rounded(.up)))
    }
}

extension HTTPField.Name {
    fileprivate static let rateLimit = known("x-ratelimit-limit")
    fileprivate static let rateRemaining = known("x-ratelimit-remaining")
    fileprivate static let rateReset = known("x-ratelimit-reset")
}

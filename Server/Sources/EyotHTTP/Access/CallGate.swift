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

    /// The unknown secrets that addresses show.
    private final class Failures: Sendable {
        let counts: CountedLimit<String>
        /// Good secrets, as hashes of this process. They stay usable from an address that also shows wrong ones.
        let good = Mutex<Set<Int>>([])

        init(_ limit: LimitedSource.Limit, _ counts: RateLimit<String>, among shared: SharedCounts?) {
            self.counts = CountedLimit(limit, counts, among: shared)
        }
    }

    /// Calls an hour that each key has in reserve to halt, resume and revoke keys.
    static let reserve = 60

    /// How many good secrets are remembered. Beyond that an arbitrary one is dropped.
    static let goodSecrets = 10_000

    private let keys: CountedLimit<Int64>
    private let apps: CountedLimit<Int64>
    private let reserves: CountedLimit<Int64>
    private let devices: CountedLimit<Int64>
    private let control: Failures
    private let device: Failures
    private let registrations: RegistrationLimit

    /// - Parameter shared: The counts of all nodes; nil for a process that has its database for itself.
    init(_ limits: CallLimits, among shared: SharedCounts? = nil) {
        keys = CountedLimit(.key, limits.ofKeys, among: shared)
        apps = CountedLimit(.app, limits.ofApps, among: shared)
        reserves = CountedLimit(.reserve, RateLimit(Self.reserve, each: 3_600), among: shared)
        devices = CountedLimit(.device, limits.ofDevices, among: shared)
        control = Failures(.failedKeys, limits.ofFailedKeys, among: shared)
        device = Failures(.failedSecrets, limits.ofFailedSecrets, among: shared)
        registrations = RegistrationLimit(limits, among: shared)
    }

    /// Replaces the limits. The counts for a changed limit begin anew, and those for others go on.
    func change(_ new: CallLimits) {
        keys.change(new.ofKeys)
        apps.change(new.ofApps)
        devices.change(new.ofDevices)
        control.counts.change(new.ofFailedKeys)
        device.counts.change(new.ofFailedSecrets)
        registrations.change(new)
    }

    /// Counts a call of the control plane, unless its key or its app has made too many.
    ///
    /// - Parameter app: the app that the call is about; nil if it is about none.
    /// - Returns: the state of the limit that has less left; nil if there is no limit.
    func take(_ key: APIKey, _ app: AppID?, at now: Instant) async -> RateStanding? {
        // A call that the app's limit refuses does not count for the key.
        if let app, let standing = apps.look(app.rawValue, at: now), standing.wait != nil { return standing }
        let own = await keys.take(key.id, at: now)
        guard own?.wait == nil, let app, let common = await apps.take(app.rawValue, at: now) else { return own }
        guard let own else { return common }
        return common.wait != nil || common.remaining < own.remaining ? common : own
    }

    /// Counts a call against the reserve of a key. With it an app can still be stopped when its calls are used up.
    func takeFromReserve(_ key: APIKey, at now: Instant) async -> RateStanding? {
        await reserves.take(key.id, at: now)
    }

    /// Takes a refused call off its app's count. It counts only for its key, so that it uses up no other key's calls.
    func giveBack(_ app: AppID, at now: Instant) { apps.giveBack(app.rawValue, at: now) }

    /// Counts a call of a device.
    ///
    /// - Throws: `tooManyCalls`.
    func take(_ device: DeviceID, at now: Instant) async throws(Problem) {
        guard let wait = await devices.take(device.rawValue, at: now)?.wait else { return }
        throw .tooManyCalls("this device has made too many calls", wait: wait, limit: "device")
    }

    /// Counts a registration of an unknown installation.
    ///
    /// - Throws: `tooManyRegistrations`.
    func takeRegistration(_ app: AppID, from address: SocketAddress?, at now: Instant) async throws(Problem) {
        guard let wait = await registrations.take(app, from: address, at: now) else { return }
        var problem = Problem(EyotError(.tooManyRegistrations, "this address has sent too many registrations"))
        problem.headers[.retryAfter] = String(Int(wait.rounded(.up)))
        throw problem
    }

    /// Checks that an address may show another secret. Nil and this machine are not limited.
    ///
    /// - Throws: `tooManyCalls` if the address showed too many unknown secrets, unless this one is known to be good.
    func checkFailures(
        _ plane: Plane, _ secret: String, from address: SocketAddress?, at now: Instant
    ) throws(Problem) {
        guard let network = address?.network else { return }
        let failures = failures(of: plane)
        guard !failures.good.withLock({ $0.contains(secret.hashValue) }),
            let wait = failures.counts.look(network, at: now)?.wait
        else { return }
        throw .tooManyCalls("too many unknown keys came from this address", wait: wait, limit: "failedKeys")
    }

    /// Records whether a secret was good.
    func note(_ plane: Plane, _ secret: String, isGood: Bool, from address: SocketAddress?, at now: Instant) async {
        guard let network = address?.network else { return }
        let failures = failures(of: plane)
        failures.good.withLock { good in
            good.remove(secret.hashValue)
            guard isGood else { return }
            if good.count >= Self.goodSecrets, let any = good.first { good.remove(any) }
            good.insert(secret.hashValue)
        }
        if !isGood { _ = await failures.counts.take(network, at: now) }
    }

    private func failures(of plane: Plane) -> Failures { plane == .control ? control : device }
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

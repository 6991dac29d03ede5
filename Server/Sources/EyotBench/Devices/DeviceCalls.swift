import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import Foundation
import NIOCore

/// A measurement of the calls that phones make, over HTTP and TLS, with the cost of each part. It runs beside a
/// hello-world of the same framework with the same TLS. There is no engine.
public struct DeviceCalls: Sendable {
    /// The number of known phones.
    public var phones: Int
    /// The calls of each kind in one round.
    public var calls: Int
    /// The number of connections at a time, each with one caller.
    public var connections: Int
    /// The number of rounds.
    public var rounds: Int
    /// The number of phones that come back after the rounds; 0 for none.
    public var returning = 0
    /// The seconds within which they come back.
    public var returnSeconds = 120.0
    /// Milliseconds that their listener may be late and take new connections; 0 for any time.
    public var lag = 500

    /// The goal: the rate of token reports on kept connections, as a part of hello-world's.
    private static let goal = 0.5
    /// The kinds that the goal is for.
    private static let goalKinds = [DeviceStep.startToken, .cardToken]

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - phones: 1,000 or more.
    ///   - calls: calls of each kind in a round, from 100 to the number of phones.
    ///   - connections: 1 or more.
    ///   - rounds: 1 or more.
    public init(phones: Int, calls: Int, connections: Int, rounds: Int) {
        self.phones = phones
        self.calls = calls
        self.connections = connections
        self.rounds = rounds
    }

    private typealias Round = [DeviceStep: MeasuredCalls]

    /// The two servers, and their phones.
    private struct Course {
        var hello: HTTPLoad
        var api: HTTPLoad
        var phones: BenchPhones
        var bench: BenchStore
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchOutcome {
        let bench = try await BenchStore()
        progress("filling a store with \(phones) phones")
        let phones = try await BenchPhones(self.phones, in: bench)
        let certificate = try BenchCertificate()
        var rounds: [Round] = []
        try await BenchStore.serve(HelloWorld(), certificate: certificate.server) { hello in
            try await bench.withRegistrations(complaining: { progress("\($0)") }) { registrations in
                try await bench.withHTTP(
                    limits: .counting, certificate: certificate.server, registrations: registrations,
                    routes: { DeviceParts(backend: $0).routes }
                ) { port in
                    let course = Course(
                        hello: HTTPLoad(port: hello, connections: connections, tls: certificate.client),
                        api: HTTPLoad(port: port, connections: connections, tls: certificate.client),
                        phones: phones, bench: bench)
                    for number in 0...self.rounds {
                        let round = try await self.round(number, on: course)
                        // The first round fills caches.
                        if number > 0 { rounds.append(round) }
                        progress(
                            "round \(number) of \(self.rounds): \(Int(round[.startToken]?.rate ?? 0)) start tokens, "
                                + "\(Int(round[.hello]?.rate ?? 0)) calls of hello-world a second")
                    }
                }
            }
        }
        try await bench.remove()
        var report = report(rounds)
        if returning > 0 {
            let plan = Returning(phones: returning, seconds: returnSeconds)
            let allowed = lag > 0 ? TimeAmount.milliseconds(Int64(lag)) : nil
            let outcome = try await MatchDuringReturn(returning: plan, phones: self.phones, lag: allowed)
                .run(progress: progress)
            report.add(outcome, of: plan)
        }
        report.addPeakMemory()
        return BenchOutcome(report: report, complaints: complaints(rounds))
    }

    // MARK: One round

    private func round(_ number: Int, on course: Course) async throws -> Round {
        var round: Round = [:]
        for (index, step) in DeviceStep.allCases.enumerated() {
            let first = (number * DeviceStep.allCases.count + index) * calls + 1
            let bytes = try (first..<first + calls).map { try call(step, $0, course.phones) }
            var load = step.peer == step ? course.hello : course.api
            load.keepsConnections = step.keepsConnections
            round[step] = try await MeasuredCalls(step.rawValue, calls, in: course.bench.file()) { [load] in
                await load.timed(calls: calls) { bytes[$0] }
            }
        }
        return round
    }

    /// Returns the bytes of a call.
    ///
    /// - Parameter number: a number that rises in the whole measurement.
    private func call(_ step: DeviceStep, _ number: Int, _ phones: BenchPhones) throws -> [UInt8] {
        // The phones come in a scattered order, and none twice among the calls of one kind in a round.
        let phone = 1 + BenchStore.scattered(number, of: self.phones)
        switch step {
        case .hello, .helloAnew, .startToken, .startTokenAnew:
            return phones.report(try BenchPhones.startToken(number), of: phone, sequence: number)
        case .read, .known, .queued, .undone:
            return phones.report(
                try BenchPhones.startToken(number), of: phone, sequence: number,
                to: step.path.replacing("{name}", with: "\(phone)"))
        case .cardToken:
            return phones.report(try BenchPhones.cardToken(number, of: phone), of: phone, sequence: number)
        case .shown: return phones.report(BenchPhones.shown(number, on: phone), of: phone, sequence: number)
        case .register: return BenchPhones.register(number)
        }
    }

    // MARK: What came of it

    private func report(_ rounds: [Round]) -> BenchReport {
        var report = BenchReport(name: "devices", rounds: rounds.count)
        report.add("phones", Double(phones), "")
        report.add("connections", Double(connections), "")
        for step in DeviceStep.allCases {
            guard let name = step.name else { continue }
            let all = rounds.compactMap { $0[step] }
            report.add(name, calls: all)
            guard step.peer != step, let peer = step.peer.name else { continue }
            report.add(name, writing: all)
            report.add(
                "\(name) to \(peer)", ratios(of: step, rounds), "",
                goal: Self.goalKinds.contains(step) ? .atLeast(Self.goal) : nil)
            report.add(
                "\(name) to \(peer), CPU of the server",
                rounds.map { ($0[step]?.cpu ?? .nan) / ($0[step.peer]?.cpu ?? .nan) }, "")
        }
        report.addParts(
            of: "a start token",
            [
                ("HTTP and TLS, of the framework", DeviceStep.hello), ("finding the route, and reading JSON", .read),
                ("secret and limits", .known), ("a turn on the writer", .queued),
                ("the change, and undoing it", .undone), ("the commit", .startToken),
            ], rounds)
        report.addParts(
            of: "a new connection",
            [("a call on a kept one", DeviceStep.hello), ("TCP and the handshake", .helloAnew)],
            rounds)
        return report
    }

    private func ratios(of step: DeviceStep, _ rounds: [Round]) -> [Double] {
        rounds.map { ($0[step]?.rate ?? .nan) / ($0[step.peer]?.rate ?? .nan) }
    }

    /// Returns the goals that the median of the rounds missed.
    private func complaints(_ rounds: [Round]) -> [String] {
        Self.goalKinds.compactMap { step in
            let ratio = BenchReport.median(ratios(of: step, rounds))
            guard ratio < Self.goal else { return nil }
            return "\(step.name ?? step.rawValue): \(BenchReport.text(ratio)) of hello-world, and not \(Self.goal)"
        }
    }
}

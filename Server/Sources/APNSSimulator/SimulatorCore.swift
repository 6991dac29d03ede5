import APNSWire
import EyotContract
import Foundation
import Synchronization

/// The state that all connections of a simulator share: the configuration, the teams, the channels, the faults, the
/// record and the receiver.
final class SimulatorCore: Sendable {
    /// A connection's reaction to a complete request.
    enum Reply {
        case answer(APNSAnswer)
        case answerLate(APNSAnswer, by: Duration)
        case silence
        case reset(PushFault.StreamReset)
        case close
        /// The answer is sent first if the request counts as processed.
        case goAway(APNSAnswer?, APNSReason?)
    }

    /// A request that passed every check that can be made without doing it.
    private enum Admitted {
        case push(ReceivedPush)
        case broadcast(ReceivedBroadcast)
        case channels(ChannelRequest, ChannelRegistry.App)
    }

    let configuration: APNSSimulatorConfiguration
    let log: RequestLog
    private let receiver: any PushReceiver
    private let teams: Mutex<APNSTeams>
    private let registry: Mutex<ChannelRegistry>
    private let faults = (push: FaultScript(), broadcast: FaultScript(), channels: FaultScript())

    init(configuration: APNSSimulatorConfiguration, receiver: any PushReceiver) {
        self.configuration = configuration
        self.receiver = receiver
        log = RequestLog(capacity: configuration.limits.recordedRequests)
        teams = Mutex(APNSTeams(configuration.teams))
        registry = Mutex(ChannelRegistry(limits: configuration.limits))
    }

    func register(_ team: APNSTeam) { teams.withLock { $0[team.id] = team } }

    func faults(of service: APNSEndpoint.Service) -> FaultScript {
        switch service {
        case .push: faults.push
        case .broadcast: faults.broadcast
        case .channels: faults.channels
        }
    }

    func channels(of bundleID: String, in environment: PushEnvironment) -> [APNSChannelID] {
        registry.withLock { $0.channels(of: .init(bundleID: bundleID, environment: environment)) }
    }

    /// Checks a request, performs it, and applies a waiting fault.
    func decide(
        _ request: APNSRequest, at endpoint: APNSEndpoint, connection number: Int, _ state: inout APNSConnectionState
    ) -> Reply {
        let now = configuration.now()
        let service = configuration.rules.service(of: request, at: endpoint)
        // The answer repeats the sender's id, unless it was no UUID.
        let id = request.validID(service) ?? Self.makeID()
        var fault: PushFault?
        var isDelivered = false
        var outcome = Result<APNSSuccess, APNSRefusal>.success(APNSSuccess())
        do throws(APNSRefusal) {
            let admitted = try admit(
                request, to: APNSEndpoint(service, endpoint.environment), now: now, id: id, &state)
            fault = faults(of: service).next()
            if fault?.isDelivered ?? true {
                isDelivered = true
                if let success = try perform(admitted) {
                    outcome = .success(success)
                } else {
                    (fault, isDelivered) = (.stall, false)
                }
            }
        } catch {
            outcome = .failure(error)
        }
        if case .refused(let reason, let deadSince) = fault?.answer {
            outcome = .failure(APNSRefusal(reason, deadSince: deadSince))
        }
        let answer = answer(outcome, service, endpoint.environment, id: id, now: now)
        let verdict = RequestRecord.Verdict(
            status: answer.status, reason: outcome.refusal?.reason, fault: fault, isDelivered: isDelivered)
        log.append(
            RequestRecord(
                time: now, endpoint: endpoint, connection: number, request: request, verdict: verdict, id: id))
        return Self.reply(answer, fault)
    }

    private func answer(
        _ outcome: Result<APNSSuccess, APNSRefusal>, _ service: APNSEndpoint.Service, _ environment: PushEnvironment,
        id: String, now: Date
    ) -> APNSAnswer {
        let hasUniqueID = service == .push && environment == .sandbox && outcome.refusal == nil
        return APNSAnswer(
            service: service, id: id, uniqueID: hasUniqueID ? Self.makeID() : nil, outcome: outcome, time: now)
    }

    private static func reply(_ answer: APNSAnswer, _ fault: PushFault?) -> Reply {
        switch fault?.answer {
        case nil, .normal, .refused: .answer(answer)
        case .never: .silence
        case .late(let delay): .answerLate(answer, by: delay)
        case .reset(let reset): .reset(reset)
        case .closed: .close
        case .goAway(let includingThis, let reason): .goAway(includingThis ? answer : nil, reason)
        }
    }

    private static func makeID() -> String { UUID().uuidString.lowercased() }
}

// MARK: - The services' work

extension SimulatorCore {
    private func admit(
        _ request: APNSRequest, to endpoint: APNSEndpoint, now: Date, id: String, _ state: inout APNSConnectionState
    ) throws(APNSRefusal) -> Admitted {
        let (service, environment) = (endpoint.service, endpoint.environment)
        let teams = teams.withLock { $0 }
        if service == .push {
            var check = APNSRequestCheck(
                request, environment: environment, teams: teams, rules: configuration.rules, now: now, id: id)
            return .push(try check.push(on: &state))
        }
        let check = AppRequestCheck(
            request: request, service: service, environment: environment, teams: teams, rules: configuration.rules,
            now: now)
        if service == .channels {
            let (request, app) = try ChannelRequest.read(check, on: &state)
            return .channels(request, app)
        }
        let broadcast = try BroadcastCheck(check, on: &state)
        let storage = try storage(of: broadcast.channel, broadcast.app)
        try broadcast.checkRest(storage)
        try registry.withLock { registry throws(APNSRefusal) in try registry.pace.admit(broadcast.channel, at: now) }
        return .broadcast(
            ReceivedBroadcast(
                channel: broadcast.channel, storage: storage, environment: environment,
                bundleID: broadcast.app.bundleID,
                priority: broadcast.priority ?? .immediate, expiration: broadcast.expiration, id: id,
                payload: request.body, receivedAt: now))
    }

    private func storage(
        of channel: APNSChannelID, _ app: ChannelRegistry.App
    ) throws(APNSRefusal) -> APNSStoragePolicy {
        try registry.withLock { registry throws(APNSRefusal) in
            try registry.description(of: channel, of: app).storage
        }
    }

    /// - Returns: nil if there is to be no answer.
    private func perform(_ admitted: Admitted) throws(APNSRefusal) -> APNSSuccess? {
        switch admitted {
        case .push(let push):
            switch receiver.receive(push) {
            case .accepted: return APNSSuccess()
            case .refused(let reason, let deadSince): throw APNSRefusal(reason, deadSince: deadSince)
            case .unanswered: return nil
            }
        case .broadcast(let broadcast):
            receiver.receive(broadcast)
            return APNSSuccess()
        case .channels(let request, let app):
            return try registry.withLock { registry throws(APNSRefusal) in try registry.perform(request, of: app) }
        }
    }
}

extension Result where Failure == APNSRefusal {
    fileprivate var refusal: APNSRefusal? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}

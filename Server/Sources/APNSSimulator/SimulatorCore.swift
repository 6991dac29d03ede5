import APNSWire
import EyotContract
import Foundation
import Synchronization

/// What all connections of a simulator share: the configuration, the teams, the faults, the record, the receiver.
final class SimulatorCore: Sendable {
    /// What a connection does about a request that is complete.
    enum Reply {
        case answer(APNSAnswer)
        case answerLate(APNSAnswer, by: Duration)
        case silence
        case reset(PushFault.StreamReset)
        case close
        /// The answer goes out before where the request counts as processed.
        case goAway(APNSAnswer?, APNSReason?)
    }

    let configuration: APNSSimulatorConfiguration
    let faults = FaultScript()
    let log: RequestLog
    private let receiver: any PushReceiver
    private let teams: Mutex<APNSTeams>

    init(configuration: APNSSimulatorConfiguration, receiver: any PushReceiver) {
        self.configuration = configuration
        self.receiver = receiver
        log = RequestLog(capacity: configuration.limits.recordedRequests)
        teams = Mutex(APNSTeams(configuration.teams))
    }

    func register(_ team: APNSTeam) { teams.withLock { $0[team.id] = team } }

    /// Judges a request, hands its push to the receiver, and lets a waiting fault change what happens.
    func decide(
        _ request: APNSRequest, at endpoint: APNSEndpoint, connection number: Int, _ state: inout APNSConnectionState
    ) -> Reply {
        let now = configuration.now()
        // What is sent back is what came, unless it was no UUID.
        let id = request.validID ?? Self.makeID()
        var fault: PushFault?
        var isDelivered = false
        var refusal: APNSRefusal?
        do throws(APNSRefusal) {
            let push = try admit(request, at: endpoint, now: now, id: id, &state)
            fault = faults.next()
            if fault?.isDelivered ?? true {
                isDelivered = true
                if case .refused(let reason, let deadSince) = receiver.receive(push) {
                    throw APNSRefusal(reason, deadSince: deadSince)
                }
            }
        } catch {
            refusal = error
        }
        if case .refused(let reason, let deadSince) = fault?.answer {
            refusal = APNSRefusal(reason, deadSince: deadSince)
        }
        let uniqueID = refusal == nil && endpoint.environment == .sandbox ? Self.makeID() : nil
        let answer = APNSAnswer(id: id, uniqueID: uniqueID, refusal: refusal, time: now)
        let verdict = RequestRecord.Verdict(
            status: answer.status, reason: refusal?.reason, fault: fault, isDelivered: isDelivered)
        log.append(
            RequestRecord(
                time: now, endpoint: endpoint, connection: number, request: request, verdict: verdict, id: id))
        return Self.reply(answer, fault)
    }

    private func admit(
        _ request: APNSRequest, at endpoint: APNSEndpoint, now: Date, id: String, _ state: inout APNSConnectionState
    ) throws(APNSRefusal) -> ReceivedPush {
        guard endpoint.service == .push else { throw APNSRefusal(.badPath) }
        var check = APNSRequestCheck(
            request, environment: endpoint.environment, teams: teams.withLock { $0 }, rules: configuration.rules,
            now: now, id: id)
        return try check.push(on: &state)
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

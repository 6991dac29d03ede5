import ActivityKitStandIn
import EyotContract
import Foundation
import PhoneSimulator

/// A type as an app would write it.
struct Match: ActivityAttributes {
    struct ContentState: Codable, Hashable, Sendable {
        var home: Int
        var away: Int
        var restart: Date?
    }

    var teams: String
}

/// 2022-12-18T15:00:00Z, kick-off.
let kickOff = Date(timeIntervalSince1970: 1_671_375_600)

/// A clock that stands until it is moved.
final class StoppedClock: Sendable {
    private let seconds = Guarded(0)

    /// Kick-off, and what has passed since.
    var now: Date { kickOff.addingTimeInterval(Double(seconds.withLock { $0 })) }

    func advance(by seconds: Int) { self.seconds.withLock { $0 += seconds } }
}

/// A phone in a fleet of its own, with an app that has the type `Match`.
struct TestPhone {
    let clock = StoppedClock()
    let phone: SimulatedPhone

    init(_ id: String = "phone-1", os: IOSVersion = IOSVersion(26), change: (inout PhoneRules) -> Void = { _ in }) {
        var rules = PhoneRules()
        change(&rules)
        let configuration = PhoneConfiguration(
            id: id, os: os, bundleID: "dev.eyot.matchday", types: [.decoding(Match.self)], rules: rules)
        phone = SimulatedPhone(configuration, clock: { [clock] in clock.now })
    }

    /// Runs the app's code as the app's process.
    func app(_ body: () async throws -> Void) async rethrows {
        try await PhoneProcess.$current.withValue(phone.launch(), operation: body)
    }

    /// A start by push.
    @discardableResult
    func pushStart(state: String = #"{"home":0,"away":0}"#, type: String = "Match") throws -> PushEffect {
        try push(
            phone.state.startToken.map { Data($0.bytes) },
            #""event":"start","attributes-type":"\#(type)","attributes":{"teams":"Argentina – France"},"#
                + #""alert":{"title":"Kick-off","body":"Argentina – France"},"content-state":\#(state)"#)
    }

    /// A push with these members of `aps` and the timestamp of now.
    @discardableResult
    func push(_ token: Data?, _ members: String) throws -> PushEffect {
        let token = try required(token)
        let body = #"{"aps":{"timestamp":\#(Int(clock.now.timeIntervalSince1970)),\#(members)}}"#
        return phone.receive(
            DeliveredPush(
                token: try required(.init(bytes: token)), topic: "dev.eyot.matchday.push-type.liveactivity",
                payload: Array(body.utf8)))
    }
}

struct Missing: Error {}

func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

func content(_ home: Int, _ away: Int, staleDate: Date? = nil) -> ActivityContent<Match.ContentState> {
    ActivityContent(state: .init(home: home, away: away), staleDate: staleDate)
}

func collected<Sequence: AsyncSequence>(_ sequence: Sequence) async throws -> [Sequence.Element] {
    var elements: [Sequence.Element] = []
    for try await element in sequence { elements.append(element) }
    return elements
}

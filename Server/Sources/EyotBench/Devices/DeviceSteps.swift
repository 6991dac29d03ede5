import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The steps of a phone's call, and calls of other kinds. Each of the first does one thing more than the one before, so
/// the difference of two costs is the cost of that thing.
enum DeviceStep: String, Sendable, CaseIterable {
    /// The framework alone reads the call and its body and answers with a text.
    case hello
    /// The route is found, and the body is read as a report.
    case read
    /// The phone's secret is looked up, and the call is counted for the limits.
    case known
    /// The call gets a turn on the writer, and nothing is written.
    case queued
    /// The report is applied and undone.
    case undone
    /// A start token that has changed.
    case startToken
    /// A token of the card that has changed.
    case cardToken
    /// The card shows another state.
    case shown
    /// A new phone registers.
    case register
    /// ``hello``, each on a connection of its own.
    case helloAnew
    /// ``startToken``, each on a connection of its own.
    case startTokenAnew

    /// Whether the calls keep their connections.
    var keepsConnections: Bool { self != .helloAnew && self != .startTokenAnew }

    /// The step of the framework alone with the same connections.
    var peer: DeviceStep { keepsConnections ? .hello : .helloAnew }

    /// The kind's name in reports; nil for a part of a call.
    var name: String? {
        switch self {
        case .hello: "hello-world"
        case .helloAnew: "hello-world on new connections"
        case .startToken: "start tokens"
        case .startTokenAnew: "start tokens on new connections"
        case .cardToken: "card tokens"
        case .shown: "shown states"
        case .register: "registrations"
        case .read, .known, .queued, .undone: nil
        }
    }

    /// The path of a part of a call.
    var path: String { "/bench/\(rawValue)/{name}" }
}

/// Routes that carry out a part of a report.
struct DeviceParts {
    let backend: Backend

    var routes: [Route] {
        let plane = BenchPlane()
        return [
            .answer(.post, DeviceStep.read.path, on: plane, .anybody) { call in
                _ = try DeviceChangeBatch(json: call.json())
                return Self.answer
            },
            .answer(.post, DeviceStep.known.path, on: plane, .deviceSecret) { call in
                _ = try DeviceChangeBatch(json: call.json())
                return Self.answer
            },
            .answer(.post, DeviceStep.queued.path, on: plane, .deviceSecret) { call in
                _ = try DeviceChangeBatch(json: call.json())
                try await backend.store.write { _ in }
                return Self.answer
            },
            .answer(.post, DeviceStep.undone.path, on: plane, .deviceSecret) { call in
                let batch = try DeviceChangeBatch(json: call.json())
                let (id, now) = (DeviceID(rawValue: Int64(try call.parameter("name")) ?? 0), call.now)
                let answer = try await backend.store.tryOut {
                    try ApplyChanges(Transaction($0, at: now))(batch, of: id)
                }
                return Answer(.ok, answer.json)
            },
        ]
    }

    private static var answer: Answer { Answer(.ok, DeviceAnswer(applied: 1, cards: []).json) }
}

import EyotContract
import EyotLab
import Foundation

/// The reports of phones with started cards. They are repeated until the server has answered each.
struct CrowdReports: Sendable {
    /// The concurrent calls. They are more than the number from which the server uses its log of arrivals.
    private static let connections = 96
    private static let callsAtATime = 1_000

    let lab: Lab
    let crowd: Crowd
    let secret: @Sendable (Int) -> String

    /// Runs until the task is cancelled.
    func run() async throws {
        // Without a server there are no answers, and no changes on phones either. A restart of the server signals.
        for await _ in crowd.changes.stream() {
            let phones = crowd.unreported.prefix(Self.callsAtATime)
            if !phones.isEmpty { try await report(Array(phones)) }
        }
    }

    private func report(_ phones: [Int]) async throws {
        guard let server = URL(string: await lab.description.http), let port = server.port else {
            throw BenchError.missing("the server's port")
        }
        let load = HTTPLoad(port: port, connections: Self.connections)
        let answers = await load.answers(calls: phones.count) { call(of: phones[$0]) }
        for (index, answer) in answers {
            // A server that is about to die may refuse with 503. Any other refusal is an error.
            guard answer.isSuccess else {
                guard answer.status == 503 else {
                    throw BenchError.refused(
                        call: "a token", reason: String(decoding: answer.body, as: UTF8.self))
                }
                continue
            }
            let said = try DeviceAnswer(json: JSONValue(parsing: answer.body))
            crowd.reported(phones[index], said.cards.first)
        }
    }

    private func call(of phone: Int) -> [UInt8] {
        guard let token = PushToken(bytes: BenchStore.token(phone)) else { return [] }
        let card = Card(instance: BenchStore.instance(phone), name: CrashNight.name, type: BenchStore.type)
        let change = DeviceChange(sequence: 1, action: .setUpdateToken(card, token: token))
        let body = DeviceChangeBatch(epoch: 1, changes: [change]).json.utf8
        let head = [
            "POST \(DeviceRoute.changes.rawValue) HTTP/1.1", "Host: localhost",
            "Authorization: Bearer \(secret(phone))",
            "Content-Type: application/json", "Content-Length: \(body.count)",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

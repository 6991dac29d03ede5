import ArgumentParser
import EyotContract
import EyotLab

/// Asks a running server about its health. Containers without a shell are probed with it.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask a running server whether it is ready.",
        discussion: """
            Needs no key. Exit code 1 means that the server does not answer, or answers that it is not ready.

            eyot health --live
            """)

    @Option(help: "The server's base URL. [env: EYOT_URL] (default: http://127.0.0.1:8080)")
    var url: String?

    @Flag(help: "Ask only whether the process answers.")
    var live = false

    @Flag(help: "Print the server's answer as one line of JSON.")
    var json = false

    func run() async throws {
        let client = APIClient(server: try ServerOptions.server(url), key: "", timeout: 5)
        let answer = try await client.call("GET", live ? "/healthz" : "/readyz")
        guard answer.isSuccess else { throw Self.failure(answer) }
        let lines = Self.lines(of: answer.body)
        guard !json, !lines.isEmpty else { return Output.value(answer.body, asJSON: json) }
        for line in lines { Output.out(line) }
    }

    private static func checks(of answer: JSONValue) -> [JSONObject] {
        (answer.object?["checks"]?.array ?? []).compactMap(\.object)
    }

    /// A line for each check of a server that is ready. A check that fails does not keep it from that.
    static func lines(of answer: JSONValue) -> [String] {
        checks(of: answer).map { check in
            Finding(
                check["code"]?.string ?? "", check["ok"]?.bool == true ? .good : .warning,
                check["sentence"]?.string ?? ""
            ).line
        }
    }

    /// What a server says that is not ready: the sentences of its checks that fail.
    static func failure(_ answer: APIClient.Answer) -> CommandFailure {
        let sentences = checks(of: answer.body).filter { $0["ok"]?.bool == false }.compactMap { $0["sentence"]?.string }
        let words = sentences.isEmpty ? answer.problem : sentences.joined(separator: " ")
        return CommandFailure("The server is not ready. \(words)", problem: answer.body.object)
    }
}

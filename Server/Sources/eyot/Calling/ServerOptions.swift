import ArgumentParser
import EyotContract
import EyotDomain
import EyotLab
import Foundation

/// Options for the server that a command calls, and for the form of its output.
struct ServerOptions: ParsableArguments {
    @Option(help: "The server's base URL. [env: EYOT_URL] (default: http://127.0.0.1:8080)")
    var url: String?

    @Option(help: "The bundle identifier of the app. Only calls with the operator's key need it.")
    var app: String?

    @Flag(help: "Print the server's answer as one line of JSON.")
    var json = false

    static let defaultURL = "http://127.0.0.1:8080"
    /// The header that names the app, and the field of a refusal without it.
    static let appHeader = "Eyot-App"

    /// Makes a call and returns its body.
    ///
    /// - Throws: ``CommandFailure`` if the server refuses the call.
    func call(
        _ method: String, _ path: String, body: JSONValue? = nil, lines: [UInt8]? = nil, headers: [String: String] = [:]
    ) async throws -> JSONValue {
        var headers = headers
        headers[Self.appHeader] = app
        let answer = try await client.call(method, path, body: body, lines: lines, headers: headers)
        guard answer.isSuccess else { throw Self.failure(answer) }
        return answer.body
    }

    /// Follows a stream of events until the server ends it.
    ///
    /// - Parameter last: The id of the last event that was received; nil for none.
    /// - Throws: ``CommandFailure`` if the server refuses the call.
    func follow(_ path: String, after last: String?, receive: @escaping @Sendable (EventMessage) -> Void) async throws {
        let headers = app.map { [Self.appHeader: $0] } ?? [:]
        let refusal = try await client.follow(path, after: last, headers: headers, receive: receive)
        if let refusal { throw Self.failure(refusal) }
    }

    private static func failure(_ answer: APIClient.Answer) -> CommandFailure {
        // The server's remedy speaks of members and routes.
        let code = answer.body.object?["code"]?.string.flatMap(EyotError.Code.init(rawValue:))
        return CommandFailure(answer.problem(remedy: code?.commandRemedy), problem: answer.body.object)
    }

    private var client: APIClient {
        get throws {
            APIClient(server: try Self.server(url), key: try Self.key(in: ProcessInfo.processInfo.environment))
        }
    }

    /// Returns the base URL of an option, of `EYOT_URL`, or the default.
    static func server(_ option: String?) throws -> URL {
        let text = option ?? ProcessInfo.processInfo.environment["EYOT_URL"] ?? defaultURL
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("\"\(text)\" is not a base URL such as \(defaultURL)")
        }
        return url
    }

    /// Whether the environment has a key.
    static var hasKey: Bool {
        ["EYOT_API_KEY", "EYOT_API_KEY_FILE"].contains {
            ProcessInfo.processInfo.environment[$0]?.isEmpty == false
        }
    }

    /// Returns the key in `EYOT_API_KEY`, or in the file that `EYOT_API_KEY_FILE` names.
    static func key(in environment: [String: String]) throws -> String {
        if let key = environment["EYOT_API_KEY"], !key.isEmpty { return key }
        guard let path = environment["EYOT_API_KEY_FILE"], !path.isEmpty else {
            throw ValidationError("EYOT_API_KEY is not set; it holds the secret key of your app")
        }
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        guard let key = text?.trimmingCharacters(in: .whitespacesAndNewlines), !key.isEmpty else {
            throw ValidationError("EYOT_API_KEY_FILE names \(path), which cannot be read or is empty")
        }
        return key
    }
}

/// Options for one page of a list.
struct PageOptions: ParsableArguments {
    @Option(help: "The most entries to list, 1 to 1000. (default: 100; for activities 20, and at most 100)")
    var limit: Int?

    @Option(help: "List the entries after this value, which the page before printed.")
    var after: String?

    /// Returns the path with the page and further parameters as its query.
    func path(_ path: String, _ parameters: [(String, String?)] = []) -> String {
        Self.path(path, [("limit", limit.map(String.init)), ("after", after)] + parameters)
    }

    /// Returns the path with parameters as its query.
    static func path(_ path: String, _ parameters: [(String, String?)]) -> String {
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(APIClient.path($0).dropFirst())" } }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }
}

/// Options for one page of a list that starts with the newest.
struct NewestFirstOptions: ParsableArguments {
    /// The option that fetches the next page.
    static let goOn = "--before"

    @Option(help: "The most entries to list, 1 to 1000. (default: 100)")
    var limit: Int?

    @Option(help: "List the entries before this value, which the page before printed.")
    var before: String?

    /// Returns the path with conditions and the page as its query.
    func path(_ path: String, _ conditions: [(String, String?)] = []) -> String {
        let all = conditions + [("limit", limit.map(String.init)), ("before", before)]
        let query = all.compactMap { name, value in value.map { "\(name)=\(APIClient.path($0).dropFirst())" } }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }
}

/// A failed command, described for its user.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    /// What the server said of a refused call, in its own members; nil if no server refused it.
    let problem: JSONObject?

    init(_ description: String, problem: JSONObject? = nil) {
        self.description = description
        self.problem = problem
    }
}

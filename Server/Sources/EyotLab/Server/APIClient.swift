import EyotContract
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client for an Eyot server or a lab's control API, with one key. It sends and receives JSON.
public struct APIClient: Sendable {
    /// The base URL, without a path. A client of several nodes goes to others when this one takes no calls.
    public let server: URL
    let key: String
    private let round: NodeRound
    private let session: URLSession

    /// The answer of a server.
    public struct Answer: Sendable {
        /// The HTTP status.
        public var status: Int
        /// The body. It is `null` if there is none, and a string if it is not JSON.
        public var body: JSONValue

        /// Whether the call succeeded.
        public var isSuccess: Bool { (200..<300).contains(status) }

        /// The error in the words of problem+json, or only the status.
        public var problem: String { problem(remedy: nil) }

        /// The error, with another remedy than the server's.
        public func problem(remedy: String?) -> String {
            let words = body.object?["detail"]?.string ?? body.object?["title"]?.string ?? body.string
            let code = body.object?["code"]?.string.map { " [\($0)]" } ?? ""
            let remedy = (remedy ?? body.object?["remedy"]?.string).map { " \($0)" } ?? ""
            return "\(words ?? "HTTP status \(status)")\(code).\(remedy)"
        }
    }

    /// The reason that there is no answer.
    public enum Failure: Error, CustomStringConvertible {
        /// The server could not be reached. The text says why.
        case unreachable(URL, String)

        /// The problem and where to look.
        public var description: String {
            switch self {
            case .unreachable(let url, let reason): "no answer from \(url.absoluteString): \(reason)"
            }
        }
    }

    /// Makes a client of the server at this URL.
    ///
    /// - Parameter timeout: how many seconds a call may take.
    public init(server: URL, key: String, timeout: TimeInterval = 30) {
        self.init(NodeRound([server]), at: server, key: key, timeout: timeout)
    }

    /// Makes a client of several nodes.
    ///
    /// - Parameter server: a node that takes calls now.
    init(_ round: NodeRound, at server: URL, key: String, timeout: TimeInterval = 30) {
        (self.round, self.server, self.key) = (round, server, key)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        session = URLSession(configuration: configuration)
    }

    /// Makes one call.
    ///
    /// - Parameters:
    ///   - path: the path from the slash on, with each part percent-encoded; see ``path(_:)``.
    ///   - lines: a body of one JSON value a line, instead of `body`.
    ///   - headers: further header fields.
    /// - Throws: ``Failure`` if no answer came.
    public func call(
        _ method: String, _ path: String, body: JSONValue? = nil, lines: [UInt8]? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        let data: Data
        let response: URLResponse
        var asked = server
        do {
            (data, response) = try await round.call(isRepeatable: ["GET", "PUT"].contains(method)) { server in
                asked = server
                return try await answer(
                    to: request(method, path, at: server, body: body, lines: lines, headers: headers))
            }
        } catch let error as URLError {
            throw Failure.unreachable(asked, error.localizedDescription)
        }
        guard let response = response as? HTTPURLResponse else {
            throw Failure.unreachable(asked, "what answers there does not speak HTTP")
        }
        return Answer(status: response.statusCode, body: Self.value(of: data))
    }

    private func request(
        _ method: String, _ path: String, at server: URL, body: JSONValue?, lines: [UInt8]?, headers: [String: String]
    ) -> URLRequest {
        var request = URLRequest(url: URL(string: server.absoluteString.trimmingSuffix("/") + path) ?? server)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body {
            request.httpBody = Data(body.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let lines {
            request.httpBody = Data(lines)
            request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    /// Waits for an answer. A cancelled task leaves its request running, because on Linux cancelling it can lock up
    /// (see the SDK's transport).
    private func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        let (answers, answer) = AsyncStream.makeStream(of: Result<(Data, URLResponse), any Error>.self)
        session.dataTask(with: request) { data, response, error in
            if let data, let response {
                answer.yield(.success((data, response)))
            } else {
                answer.yield(.failure(error ?? URLError(.unknown)))
            }
            answer.finish()
        }.resume()
        for await result in answers { return try result.get() }
        throw CancellationError()
    }

    static func value(of data: Data) -> JSONValue {
        if data.isEmpty { return .null }
        return (try? JSONValue(parsing: data)) ?? .string(String(decoding: data, as: UTF8.self))
    }

    /// Makes a path from parts, and percent-encodes each part.
    public static func path(_ parts: String...) -> String {
        var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."~"))
        allowed.insert(charactersIn: "-._~")
        return parts.map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "") }.joined()
    }
}

extension String {
    func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

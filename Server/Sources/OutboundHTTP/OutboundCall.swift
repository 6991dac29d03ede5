/// A call to another server.
package struct OutboundCall: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package var url: String
    package var method: Method
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Names of the header fields that the answer keeps.
    package var kept: [String]

    package init(
        _ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        keeping kept: [String] = []
    ) {
        (self.method, self.url, self.headers, self.body, self.kept) = (method, url, headers, body, kept)
    }
}

/// What another server answers.
package struct OutboundAnswer: Sendable, Hashable {
    package var status: Int
    /// Empty if the client keeps none.
    package var body: [UInt8]
    /// The fields that the call asked to keep, by the names in the call. A field that comes twice has its first value.
    package var headers: [String: String]

    package init(status: Int, body: [UInt8], headers: [String: String] = [:]) {
        (self.status, self.body, self.headers) = (status, body, headers)
    }
}

/// Why there is no answer.
package enum OutboundFailure: String, Error, Sendable, Hashable, CustomStringConvertible {
    case addressInvalid
    case answerTooLong
    case connectionFailed
    case stopped
    case timedOut
    case tlsFailed
    case tooManyCalls

    package var description: String {
        switch self {
        case .addressInvalid: "the URL is not valid"
        case .answerTooLong: "the answer is too long"
        case .connectionFailed: "the server could not be reached, or closed the connection without an answer"
        case .stopped: "the call was broken off"
        case .timedOut: "the server did not answer in time"
        case .tlsFailed: "the certificate is not valid for the name, or TLS failed"
        case .tooManyCalls: "too many calls are under way"
        }
    }
}

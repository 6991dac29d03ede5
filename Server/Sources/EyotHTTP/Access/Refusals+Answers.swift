import EyotContract
import EyotDomain
import HTTPConnections

extension Refusals.Kind {
    /// The error that the client receives.
    var error: EyotError {
        switch self {
        case .connections, .connectionsPerAddress:
            EyotError(.unavailable, "the server has as many connections as it takes")
        case .headTime: EyotError(.requestTimeout, "the request's line and headers did not come in time")
        case .bodyTime: EyotError(.requestTimeout, "the request's body did not come in time")
        case .requestTime: EyotError(.requestTimeout, "the request was not answered in time")
        case .bodyBytes: EyotError(.unavailable, "the server holds as many bytes of bodies as it takes")
        case .host: EyotError(.hostInvalid, "a request of HTTP/1.1 has one Host header", field: "Host")
        case .malformed: EyotError(.requestMalformed, "the bytes are no request of HTTP/1.1")
        }
    }

    /// The listener's answer before a route is found. It is problem+json even at a vendor's path.
    var answer: RefusalAnswer {
        let problem = Problem(error)
        return RefusalAnswer(
            status: error.code.status, contentType: Problem.contentType, body: problem.json.utf8,
            retryAfter: error.code.status == 503 ? 1 : nil)
    }
}

extension Refusals {
    /// The number of refused requests and connections since the process began, by kind.
    var json: JSONValue {
        let sums = sums
        return .object(JSONObject(Kind.allCases.map { ($0.rawValue, .integer(sums[$0] ?? 0)) }))
    }
}

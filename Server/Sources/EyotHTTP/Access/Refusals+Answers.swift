import EyotContract
import EyotDomain
import HTTPConnections

extension Refusals.Kind {
    /// The error that the client receives.
    var error: EyotError {
        switch self {
        case .connections, .connectionsPerAddress:
            EyotError(.unavailable, "the server has reached its limit of connections")
        case .lag: EyotError(.unavailable, "the server is late, and takes no new connections")
        case .headTime: EyotError(.requestTimeout, "the request's line and headers did not arrive in time")
        case .bodyTime: EyotError(.requestTimeout, "the request's body did not arrive in time")
        case .requestTime: EyotError(.requestTimeout, "the request was not answered in time")
        case .bodyBytes:
            EyotError(.unavailable, "the server, or this caller's share of it, has no room for the body now")
        case .host: EyotError(.hostInvalid, "an HTTP/1.1 request needs exactly one Host header", field: "Host")
        case .malformed: EyotError(.requestMalformed, "the bytes are not a valid HTTP/1.1 request")
        }
    }

    /// The listener's answer before a route is found. It is problem+json even at a vendor's path.
    var answer: RefusalAnswer {
        let problem = Problem(error)
        return RefusalAnswer(
            status: error.code.status, contentType: Problem.contentType, body: problem.json.utf8,
            retryAfter: error.code.status == 503 ? Problem.phonesRetryAfter : nil)
    }
}

extension Refusals {
    /// The number of refused requests and connections since the process began, by kind.
    var json: JSONValue {
        let sums = sums
        return .object(JSONObject(Kind.allCases.map { ($0.rawValue, .integer(sums[$0] ?? 0)) }))
    }
}

import EyotContract
import EyotDomain
import HTTPConnections

extension Refusals.Kind {
    /// What the client learns.
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

    /// What a listener answers before a route is found: problem+json, also where a vendor's plane would be.
    var answer: RefusalAnswer {
        let problem = Problem(error)
        return RefusalAnswer(
            status: error.code.status, contentType: Problem.contentType, body: problem.json.utf8,
            retryAfter: error.code.status == 503 ? 1 : nil)
    }
}

extension Refusals {
    /// How many requests and connections were refused since the process began, by kind.
    var json: JSONValue {
        let sums = sums
        return .object(JSONObject(Kind.allCases.map { ($0.rawValue, .integer(sums[$0] ?? 0)) }))
    }
}

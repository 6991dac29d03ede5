import EyotContract

/// The identity of a request, by which a repetition is recognised.
package struct Idempotency: Sendable, Hashable {
    /// Seconds for which a key is remembered.
    package static let lifetime = 86_400.0

    package var key: String
    /// A digest of the request's method, path and body.
    package var digest: [UInt8]

    package init(key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// The answer to a request with an idempotency key, kept for its repetitions (R14).
package struct KeptAnswer: Sendable, Hashable {
    /// The most answers kept for one app. Beyond that the oldest are removed early.
    package static let limit = 200_000
    /// The most bytes of a body that is kept.
    package static let bodyBytes = 64 * 1_024

    /// The HTTP status.
    package var status: Int
    /// Nil means no body.
    package var body: JSONValue?
    /// Headers that say what was done, by their names in lower case.
    package var headers: [String: String]

    package init(status: Int, body: JSONValue?, headers: [String: String] = [:]) {
        self.status = status
        self.body = body
        self.headers = headers
    }
}

/// A kept answer with its request.
package struct AnsweredRequest: Sendable, Hashable {
    /// The app; nil for an operator's request that names none.
    package var app: AppID?
    package var request: Idempotency
    package var answer: KeptAnswer
    package var answeredAt: Instant

    package init(app: AppID?, request: Idempotency, answer: KeptAnswer, answeredAt: Instant) {
        self.app = app
        self.request = request
        self.answer = answer
        self.answeredAt = answeredAt
    }
}

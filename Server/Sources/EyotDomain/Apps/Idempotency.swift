import EyotContract

/// What tells a repeated request from a new one.
package struct Idempotency: Sendable, Hashable {
    /// For how long a key is remembered, in seconds.
    package static let lifetime = 86_400.0

    package var key: String
    /// Of the request's method, path and body.
    package var digest: [UInt8]

    package init(key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// What a request with an idempotency key was answered, for its repetitions (R14).
package struct KeptAnswer: Sendable, Hashable {
    /// Answers kept for one app. Beyond them the oldest are forgotten before their time.
    package static let limit = 200_000
    /// Bytes of a body that is kept.
    package static let bodyBytes = 64 * 1_024

    /// The HTTP status.
    package var status: Int
    /// Nil is no body at all.
    package var body: JSONValue?
    /// Headers that say something of what was done, by their names in lower case.
    package var headers: [String: String]

    package init(status: Int, body: JSONValue?, headers: [String: String] = [:]) {
        self.status = status
        self.body = body
        self.headers = headers
    }
}

/// An answer that is kept, with the request that it was given to.
package struct AnsweredRequest: Sendable, Hashable {
    /// Nil is an operator's request that is about no app.
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

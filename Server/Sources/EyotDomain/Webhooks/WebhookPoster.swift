/// The way out to receivers of webhooks.
package protocol WebhookPoster: Sendable {
    /// Posts a message of an app once. It answers within ``WebhookAnswer/longest``.
    func post(_ message: WebhookMessage, to url: WebhookURL, of app: AppID) async -> WebhookAnswer
    /// The reason in a URL itself why nothing can be posted to it; nil if there is none.
    func refusal(of url: WebhookURL) -> String?
}

/// The way out of a server that has none.
package struct NoWebhookPoster: WebhookPoster {
    package init() {}
    package func post(_ message: WebhookMessage, to url: WebhookURL, of app: AppID) async -> WebhookAnswer {
        .failed(.connectionFailed)
    }
    package func refusal(of url: WebhookURL) -> String? { nil }
}

/// A signed message.
package struct WebhookMessage: Sendable, Hashable {
    /// The most bytes of a body.
    package static let bodyBytes = 20_000

    package var id: String
    /// The second of the try.
    package var timestamp: String
    /// Signatures with spaces between them.
    package var signature: String
    package var body: [UInt8]

    package var headers: [(name: String, value: String)] {
        [("webhook-id", id), ("webhook-timestamp", timestamp), ("webhook-signature", signature)]
    }

    package init(id: String, timestamp: String, signature: String, body: [UInt8]) {
        (self.id, self.timestamp, self.signature, self.body) = (id, timestamp, signature, body)
    }
}

/// What became of a try.
package enum WebhookAnswer: Sendable, Hashable {
    /// Seconds that a receiver has.
    package static let longest = 15

    case status(Int)
    case failed(Failure)

    /// Why there is no answer.
    package enum Failure: String, Sendable, Hashable, CaseIterable {
        case addressRefused
        case connectionFailed
        case hostUnknown
        case secretUnreadable
        case timedOut
        case tlsFailed

        /// A sentence for people.
        package var meaning: String {
            switch self {
            case .addressRefused:
                "The host has a private or special address. EYOT_WEBHOOK_ALLOWED_ADDRESSES allows such addresses."
            case .connectionFailed: "The receiver could not be reached, or closed the connection without an answer."
            case .hostUnknown: "The name of the host has no address."
            case .secretUnreadable: "The secret cannot be opened with the server's master key."
            case .timedOut: "The receiver did not answer within \(WebhookAnswer.longest) seconds."
            case .tlsFailed: "The receiver's certificate is not valid for its name, or TLS failed."
            }
        }
    }

    package enum Verdict: Sendable, Hashable {
        case delivered
        /// The receiver wants no further events.
        case gone
        case failed
    }

    /// Only 2xx is a success. A redirect is a failure, because it is not followed.
    package var verdict: Verdict {
        switch self {
        case .status(200..<300): .delivered
        case .status(410): .gone
        case .status, .failed: .failed
        }
    }

    /// A sentence for people.
    package var meaning: String {
        switch self {
        case .status(200..<300): "The receiver took the event."
        case .status(300..<400): "The receiver redirected the request. Redirects are not followed."
        case .status(410): "The receiver answered 410: it wants no further events."
        case .status(let code): "The receiver answered \(code)."
        case .failed(let failure): failure.meaning
        }
    }
}

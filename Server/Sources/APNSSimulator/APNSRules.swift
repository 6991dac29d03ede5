import APNSWire

/// One of the checks that a request passes, listed in the default order.
///
/// Apple does not document which error wins if several apply. This order is a guess: the connection and the method come
/// first, then the caller, then the rest in the order of Apple's table of headers.
public enum APNSCheck: String, Sendable, Hashable, CaseIterable {
    /// No header of Apple's appears twice.
    case duplicateHeaders
    /// The method is POST.
    case method
    /// The path is one that this service has.
    case path
    /// The provider token: there, well formed, signed with a known key, in time, and of the connection's kind.
    case providerToken
    /// The path names a token in hexadecimal digits.
    case deviceToken
    /// `apns-id` is a UUID.
    case messageID
    /// `apns-topic` is there and names an app of the caller's team.
    case topic
    /// `apns-push-type` is one of Apple's and fits the topic.
    case pushType
    /// `apns-priority` is 1, 5 or 10.
    case priority
    /// `apns-expiration` is a number.
    case expiration
    /// `apns-collapse-id` has at most 64 bytes.
    case collapseID
    /// The body is neither empty nor over Apple's limit.
    case payloadSize
    /// The body is JSON, and a Live Activity push has an object `aps`.
    case payload
}

/// The switches for behaviour that Apple leaves open. The defaults are documented or, failing that, most often
/// reported.
public struct APNSRules: Sendable {
    /// The treatment of a body that does not fit its push type.
    public enum MalformedPayload: String, Sendable, Hashable, CaseIterable {
        /// The push is answered 400 BadRequestPayload. A guess: Apple's table for pushes to tokens has no such reason.
        /// This one belongs to broadcast requests.
        case refused
        /// The push is answered 200, and the phone shows as much as it can. Developers report that pushes with a wrong
        /// body are accepted and never shown.
        case passedOn
    }

    /// The order of the checks; it contains each check once.
    public private(set) var order: [APNSCheck] = APNSCheck.allCases
    /// One stream at a time until a request with a valid provider token was made (documented).
    public var oneStreamUntilValidToken = true
    /// Takes an `iat` that is a string of digits, in seconds or in milliseconds, as Apple's own sample token has it.
    /// Reported: a
    /// published client, kalyke-apns 1.5.0 on PyPI, sends it so and is in use.
    public var acceptsTextIssueTime = true
    /// Accepts a signature in DER form, which `openssl dgst -sign` writes. Widely used guides send this form, but the
    /// standard requires the bare 64 bytes.
    public var acceptsDERSignature = true
    /// Counts the first provider token of a connection as an update, so that the next one within 20 minutes is refused.
    /// Apple's text allows both readings; by default the first change is free and the second is refused.
    public var countsFirstTokenAsUpdate = false
    /// After ExpiredProviderToken the connection answers nothing else (reported by the authors of Pushy).
    public var wedgesAfterExpiredToken = false
    /// The treatment of a malformed body.
    public var malformedPayload: MalformedPayload = .passedOn
    /// The hosts for pushes to tokens accept broadcasts too. Apple's page about broadcasts names those hosts in its
    /// text and others in its samples.
    public var pushHostTakesBroadcasts = true
    /// A broadcast must carry `apns-priority` and `apns-expiration`. Readers of Apple's page report that its table
    /// lists both as required. A guess: an absent header is refused with the reason for a wrong one.
    public var broadcastNeedsPriorityAndExpiration = true
    /// A broadcast may have priority 1. Apple's table is reported to list it, but its page on Live Activities names
    /// only 5 and 10.
    public var broadcastTakesLowestPriority = false

    /// The defaults.
    public init() {}

    /// The service that a request is for, given the endpoint that received it.
    func service(of request: APNSRequest, at endpoint: APNSEndpoint) -> APNSEndpoint.Service {
        let isMoved =
            pushHostTakesBroadcasts && endpoint.service == .push && request.path.hasPrefix(APNSPath.broadcasts)
        return isMoved ? .broadcast : endpoint.service
    }

    /// Makes these checks first, in this order, and the others after them in the default order.
    public mutating func check(first: [APNSCheck]) {
        var seen: Set<APNSCheck> = []
        order = (first + APNSCheck.allCases).filter { seen.insert($0).inserted }
    }
}

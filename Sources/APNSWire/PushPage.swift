import EyotContract

/// The `apns-id` of a push: 128 bits, written as a lower-case UUID.
public struct APNSID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// Makes an id of its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an id of a canonical 8-4-4-4-12 text in either case; nil for any other text.
    public init?(_ text: some StringProtocol) {
        var (high, low, digits) = (UInt64(0), UInt64(0), 0)
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard digits < 32, let digit = HexBytes.nibble(of: byte) else { return nil }
            (high, low, digits) = (high << 4 | low >> 60, low << 4 | UInt64(digit), digits + 1)
        }
        guard digits == 32 else { return nil }
        self.init(high: high, low: low)
    }

    /// The canonical text in lower case.
    public var description: String {
        let digits = [high, low].map { word in
            HexBytes.text(of: (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) })
        }.joined()
        var groups: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }
}

/// The part that many pushes share: everything except the token, the id and the second in which a push leaves.
public struct PushTemplate: Sendable, Hashable {
    /// The value of `apns-topic`, including its suffix. For a broadcast, which has no topic, the bundle id for the
    /// path.
    public var topic: String
    /// The value of `apns-push-type`.
    public var pushType: APNSPushType
    /// The value of `apns-priority`.
    public var priority: APNSPriority
    /// The end of Apple's storage of the push in UNIX seconds, 0 for one attempt. Nil leaves the header out.
    public var expiration: Int?
    /// The value of `apns-collapse-id`, at most ``APNSLimits/collapseIDBytes`` bytes; nil leaves the header out.
    public var collapseID: String?
    /// The payload, with ten digits at ``timestampOffset`` that the sender replaces.
    public var body: [UInt8]
    /// The offset of the timestamp's ten digits in ``body``; nil if the body is sent as it is.
    public var timestampOffset: Int?
    /// Whether a push with an unknown outcome may be sent again. A sender keeps only a few pushes of a page in flight
    /// if the page has others.
    public var isRepeatable: Bool

    /// Makes a template. The caller keeps the limits.
    public init(
        topic: String, pushType: APNSPushType = .liveActivity, priority: APNSPriority, expiration: Int? = nil,
        collapseID: String? = nil, body: [UInt8], timestampOffset: Int? = nil, isRepeatable: Bool = true
    ) {
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.body = body
        self.timestampOffset = timestampOffset
        self.isRepeatable = isRepeatable
    }

    /// Returns the payload for a UNIX second. A second before 2001 has fewer than ten digits, and leading zeros would
    /// not be JSON. It is raised to the first second with ten digits. If the digits do not fit, the body is unchanged.
    public func body(timestamp: Int) -> [UInt8] {
        let digits = LiveActivityPayload.timestampDigits
        guard let offset = timestampOffset, offset >= 0, offset + digits <= body.count else { return body }
        var bytes = body
        var rest = max(timestamp, 1_000_000_000)
        for index in (offset..<offset + digits).reversed() {
            bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        return bytes
    }
}

/// Up to ``capacity`` pushes that leave together: the unit of work between engine and sender.
///
/// The tokens are contiguous in one array, so that a page costs a few allocations instead of a few thousand.
public struct PushPage: Sendable {
    /// The most pushes in one page.
    public static let capacity = 1_000

    /// The push environment of all tokens of the page.
    public let environment: PushEnvironment
    /// The kind of recipients.
    public let recipients: Recipients
    /// The UNIX seconds with which the pushes may be stamped. A push with another second does not leave and is answered
    /// as not processed.
    ///
    /// The lower bound is the second in which the page was bound. If the clock has been set back since, the same tokens
    /// may have got pushes in earlier seconds. From the upper bound on another process may push to them.
    public var stamps = 0..<Int.max
    /// The templates of the pushes.
    public private(set) var templates: [PushTemplate]
    /// All tokens, one after the other. For broadcasts the texts of the channels' ids.
    public private(set) var tokenBytes: [UInt8] = []
    /// The end of each slot's token in ``tokenBytes``.
    public private(set) var tokenEnds: [Int] = []
    /// The index of each slot's template.
    public private(set) var templateIndices: [UInt16] = []
    /// The `apns-id` of each slot.
    public private(set) var ids: [APNSID] = []

    /// The kinds of recipients.
    public enum Recipients: Sendable, Hashable {
        /// Tokens of phones or cards.
        case tokens
        /// Channels, by broadcasts.
        case channels
    }

    /// Makes a page without pushes.
    public init(environment: PushEnvironment, recipients: Recipients = .tokens, templates: [PushTemplate] = []) {
        self.environment = environment
        self.recipients = recipients
        self.templates = templates
    }

    /// Whether every push of the page may be sent again if its outcome is unknown.
    public var isRepeatable: Bool { templates.allSatisfy(\.isRepeatable) }

    /// The number of pushes.
    public var count: Int { tokenEnds.count }

    /// Returns the token of a slot.
    public func token(at slot: Int) -> ArraySlice<UInt8> {
        tokenBytes[(slot == 0 ? 0 : tokenEnds[slot - 1])..<tokenEnds[slot]]
    }

    /// Returns the template of a slot.
    public func template(at slot: Int) -> PushTemplate { templates[Int(templateIndices[slot])] }

    /// Adds a template and returns its index.
    public mutating func add(_ template: PushTemplate) -> UInt16 {
        templates.append(template)
        return UInt16(templates.count - 1)
    }

    /// Adds a push.
    public mutating func append(token: PushToken, template: UInt16, id: APNSID) {
        token.bytes.withUnsafeBufferPointer { append(tokenBytes: $0, template: template, id: id) }
    }

    /// Adds a broadcast.
    public mutating func append(channel: APNSChannelID, template: UInt16, id: APNSID) {
        Array(channel.text.utf8).withUnsafeBufferPointer { append(tokenBytes: $0, template: template, id: id) }
    }

    /// Reserves space for further pushes.
    public mutating func reserveCapacity(forFurther slots: Int, tokenBytes bytes: Int) {
        tokenBytes.reserveCapacity(tokenBytes.count + bytes)
        tokenEnds.reserveCapacity(count + slots)
        templateIndices.reserveCapacity(templateIndices.count + slots)
        ids.reserveCapacity(ids.count + slots)
    }

    /// Adds a push to a token that was validated before. The bytes are copied.
    public mutating func append(tokenBytes bytes: UnsafeBufferPointer<UInt8>, template: UInt16, id: APNSID) {
        precondition(count < Self.capacity, "a page holds at most \(Self.capacity) pushes")
        precondition(Int(template) < templates.count, "the page has no such template")
        tokenBytes.append(contentsOf: bytes)
        tokenEnds.append(tokenBytes.count)
        templateIndices.append(template)
        ids.append(id)
    }
}

/// The outcome of one push, in one byte.
public struct PushVerdict: RawRepresentable, Sendable, Hashable {
    /// 0 to 15 for an outcome without a reason. From 16 on, the reason's raw value plus 16.
    public let rawValue: UInt8
    /// Makes the verdict of a stored byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The outcome is unknown and the push may have reached Apple: a timeout, a reset or a lost connection.
    public static let unknown = PushVerdict(rawValue: 0)
    /// Apple answered 200.
    public static let accepted = PushVerdict(rawValue: 1)
    /// The push provably did not reach Apple: never written, REFUSED_STREAM, or above a GOAWAY's last stream.
    public static let notProcessed = PushVerdict(rawValue: 2)

    /// Apple refused the push with a reason.
    public static func refused(_ reason: APNSReason) -> PushVerdict { PushVerdict(rawValue: 16 + reason.rawValue) }

    /// Apple's reason; nil if the push was not refused.
    public var reason: APNSReason? { rawValue < 16 ? nil : APNSReason(rawValue: rawValue - 16) }
}

extension PushVerdict: CustomStringConvertible {
    /// The outcome in words.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .accepted: "accepted"
        case .notProcessed: "not processed"
        default: "refused: \(reason?.name ?? "?")"
        }
    }
}

/// The outcome of a page, or its known part: a verdict for each slot and the data that does not fit a byte.
public struct PageVerdicts: Sendable {
    /// A verdict for each slot of the page.
    public var verdicts: [PushVerdict]
    /// The moment since which Apple knows a token to be dead, for slots that were answered 410. Milliseconds since
    /// 1970.
    public var deadSince: [Int: Int64]
    /// The slots without a verdict yet, in order. Their entries in ``verdicts`` have no meaning. Empty if the page is
    /// complete.
    public var open: [Int] = []
    /// The latest UNIX second with which a push of the page was stamped; 0 for none. The clock may have been set back
    /// since.
    public var stampedUpTo = 0

    /// Makes the same verdict for each of `count` pushes. The default is unknown.
    public init(count: Int, _ verdict: PushVerdict = .unknown) {
        verdicts = Array(repeating: verdict, count: count)
        deadSince = [:]
    }

    /// Returns the verdicts of some slots as those of a page of their own.
    public func picking(_ slots: [Int]) -> PageVerdicts {
        var picked = PageVerdicts(count: 0)
        picked.verdicts = slots.map { verdicts[$0] }
        picked.stampedUpTo = stampedUpTo
        guard !deadSince.isEmpty else { return picked }
        for (index, slot) in slots.enumerated() { picked.deadSince[index] = deadSince[slot] }
        return picked
    }
}

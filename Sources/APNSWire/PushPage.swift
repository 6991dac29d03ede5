import EyotContract

/// The `apns-id` of a push: 128 bits, written as a lower-case UUID.
public struct APNSID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// Makes an id of its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id of a canonical 8-4-4-4-12 text in either case, nil for anything else.
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

/// Everything of a push that many pushes share: all but the token, the id and the second in which it leaves.
public struct PushTemplate: Sendable, Hashable {
    /// The value of `apns-topic`, suffix included. A broadcast has none: then it is the bundle id, for the path.
    public var topic: String
    /// The value of `apns-push-type`.
    public var pushType: APNSPushType
    /// The value of `apns-priority`.
    public var priority: APNSPriority
    /// UNIX seconds until which Apple may store the push, 0 for one attempt; nil leaves it to Apple.
    public var expiration: Int?
    /// The value of `apns-collapse-id`, at most ``APNSLimits/collapseIDBytes`` bytes; nil leaves the header out.
    public var collapseID: String?
    /// The payload, with ten digits at ``timestampOffset`` that the sender replaces.
    public var body: [UInt8]
    /// Where in ``body`` the ten digits of `timestamp` stand; nil where the body is sent as it is.
    public var timestampOffset: Int?
    /// Whether a push of unknown fate may be sent again. Of pages that hold others a sender keeps few in flight.
    public var isRepeatable: Bool

    /// Makes a template; limits are the caller's to keep.
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

    /// The payload as it leaves in this UNIX second. A clock that stands before 2001 has fewer than ten digits, and zeros in front
    /// would not be JSON: then it is the first second that has ten. Where the digits have no room nothing is written.
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

/// Up to ``capacity`` pushes that go out together: the unit of work between engine and sender.
///
/// Tokens lie end to end in one array, so that a page costs a few allocations, not a few thousand.
public struct PushPage: Sendable {
    /// The most pushes in one page.
    public static let capacity = 1_000

    /// Which of Apple's services all tokens of the page belong to.
    public let environment: PushEnvironment
    /// What its "tokens" are.
    public let recipients: Recipients
    /// The UNIX seconds with which its pushes may be stamped. What would get another one does not leave, and is answered not
    /// processed. The first is that in which the page was bound: where the clock has been set back since, the same tokens may
    /// have been pushed to in that second. From the end on another process may push to them.
    public var stamps = 0..<Int.max
    /// What the pushes are made from.
    public private(set) var templates: [PushTemplate]
    /// All tokens, end to end; of a page of broadcasts the texts of the channels' ids.
    public private(set) var tokenBytes: [UInt8] = []
    /// Where each slot's token ends in ``tokenBytes``.
    public private(set) var tokenEnds: [Int] = []
    /// The template of each slot.
    public private(set) var templateIndices: [UInt16] = []
    /// The `apns-id` of each slot.
    public private(set) var ids: [APNSID] = []

    /// To whom the pushes of a page go.
    public enum Recipients: Sendable, Hashable {
        /// Each to the token of a phone or of a card.
        case tokens
        /// Each to a channel, as a broadcast.
        case channels
    }

    /// A page without pushes.
    public init(environment: PushEnvironment, recipients: Recipients = .tokens, templates: [PushTemplate] = []) {
        self.environment = environment
        self.recipients = recipients
        self.templates = templates
    }

    /// Whether every push in it may be sent again when its fate is unknown.
    public var isRepeatable: Bool { templates.allSatisfy(\.isRepeatable) }

    /// How many pushes there are.
    public var count: Int { tokenEnds.count }

    /// The token of a slot.
    public func token(at slot: Int) -> ArraySlice<UInt8> {
        tokenBytes[(slot == 0 ? 0 : tokenEnds[slot - 1])..<tokenEnds[slot]]
    }

    /// The template of a slot.
    public func template(at slot: Int) -> PushTemplate { templates[Int(templateIndices[slot])] }

    /// Adds a template and answers its index.
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

    /// Makes room for further pushes at once.
    public mutating func reserveCapacity(forFurther slots: Int, tokenBytes bytes: Int) {
        tokenBytes.reserveCapacity(tokenBytes.count + bytes)
        tokenEnds.reserveCapacity(count + slots)
        templateIndices.reserveCapacity(templateIndices.count + slots)
        ids.reserveCapacity(ids.count + slots)
    }

    /// Adds a push to the bytes of a token that was found good before. They are copied.
    public mutating func append(tokenBytes bytes: UnsafeBufferPointer<UInt8>, template: UInt16, id: APNSID) {
        precondition(count < Self.capacity, "a page holds at most \(Self.capacity) pushes")
        precondition(Int(template) < templates.count, "the page has no such template")
        tokenBytes.append(contentsOf: bytes)
        tokenEnds.append(tokenBytes.count)
        templateIndices.append(template)
        ids.append(id)
    }
}

/// What became of one push, in one byte.
public struct PushVerdict: RawRepresentable, Sendable, Hashable {
    /// 0 to 15: an outcome without a reason. From 16: the reason's raw value and 16.
    public let rawValue: UInt8
    /// The verdict of a byte, as it was stored.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Nothing is known: the push may have reached Apple. Timeout, reset, lost connection.
    public static let unknown = PushVerdict(rawValue: 0)
    /// Apple answered 200.
    public static let accepted = PushVerdict(rawValue: 1)
    /// The push provably did not reach Apple: never written, REFUSED_STREAM, or above a GOAWAY's last stream.
    public static let notProcessed = PushVerdict(rawValue: 2)

    /// Apple refused.
    public static func refused(_ reason: APNSReason) -> PushVerdict { PushVerdict(rawValue: 16 + reason.rawValue) }

    /// The reason, where Apple refused.
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

/// What became of a page, or what is known of that so far: a verdict for each slot, and the little that does not fit a byte.
public struct PageVerdicts: Sendable {
    /// One for each slot of the page.
    public var verdicts: [PushVerdict]
    /// For slots that were answered 410: since when Apple has known the token to be dead, milliseconds since 1970.
    public var deadSince: [Int: Int64]
    /// Slots whose verdict is still to come, in their order; what stands in ``verdicts`` for them says nothing. Empty where the
    /// page is settled.
    public var open: [Int] = []
    /// The latest UNIX second that a push of the page was stamped with so far; 0 where none was. The clock may have been set
    /// back since.
    public var stampedUpTo = 0

    /// The same verdict on each of `count` pushes; without one nothing is known yet.
    public init(count: Int, _ verdict: PushVerdict = .unknown) {
        verdicts = Array(repeating: verdict, count: count)
        deadSince = [:]
    }

    /// The verdicts of some slots, as if they were a page of their own.
    public func picking(_ slots: [Int]) -> PageVerdicts {
        var picked = PageVerdicts(count: 0)
        picked.verdicts = slots.map { verdicts[$0] }
        picked.stampedUpTo = stampedUpTo
        guard !deadSince.isEmpty else { return picked }
        for (index, slot) in slots.enumerated() { picked.deadSince[index] = deadSince[slot] }
        return picked
    }
}

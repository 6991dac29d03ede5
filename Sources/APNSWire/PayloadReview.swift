import EyotContract

/// A review of a push's payload before it leaves. Apple answers 200 to most faulty payloads, and the phone then
/// silently drops the push.
public struct PayloadReview: Sendable, Hashable {
    /// Reasons why no phone would show the payload, each a sentence without its full stop.
    public private(set) var problems: [String] = []
    /// Oddities that have no known effect.
    public private(set) var remarks: [String] = []

    /// Whether there are no problems.
    public var isGood: Bool { problems.isEmpty }

    /// Checks a payload against Apple's rules.
    ///
    /// - Parameters:
    ///   - payload: the bytes of the body.
    ///   - type: the push type. For other types than Live Activities only JSON and `aps` are checked.
    ///   - schema: the app's schema; nil if it is unknown.
    ///   - now: UNIX seconds.
    public init(
        of payload: [UInt8], type: APNSPushType = .liveActivity, schema: ActivitySchema? = nil, now: Double
    ) {
        if payload.count > APNSLimits.payloadBytes {
            problems.append(
                "the payload has \(payload.count) bytes, and Apple takes \(APNSLimits.payloadBytes) at most")
        }
        let root: JSONObject
        do {
            guard let object = try JSONValue(parsing: payload).object else {
                problems.append("the payload must be an object with the member \(LiveActivityKey.aps)")
                return
            }
            root = object
        } catch {
            problems.append("the payload is not JSON: \(error)")
            return
        }
        guard let aps = root[LiveActivityKey.aps]?.object else {
            problems.append("\(LiveActivityKey.aps) must be an object")
            return
        }
        guard type == .liveActivity else { return }
        review(aps, now: now)
        if let schema { hold(aps, against: schema, now: now) }
        for member in root.members where LiveActivityKey.owned.contains(member.name) {
            remarks.append("\(member.name) stands beside \(LiveActivityKey.aps), where phones do not look for it")
        }
    }

    private mutating func review(_ aps: JSONObject, now: Double) {
        let name = aps[LiveActivityKey.event]?.string ?? ""
        let event = LiveActivityEvent(rawValue: name)
        reviewTimestamp(aps[LiveActivityKey.timestamp], now: now, isStart: event == .start)
        if event == nil {
            let all = LiveActivityEvent.allCases.map(\.rawValue).joined(separator: ", ")
            problems.append("aps.\(LiveActivityKey.event) must be one of \(all)")
        }
        require(LiveActivityKey.contentState, of: aps, isRequired: event != nil && event != .end)
        if event == .start { reviewStart(aps) }
        reviewFigures(aps)
        let content = [LiveActivityKey.attributes, LiveActivityKey.contentState]
            .reduce(0) { $0 + (aps[$1]?.utf8.count ?? 0) }
        if content > APNSLimits.payloadBytes {
            problems.append(
                "attributes and content-state have \(content) bytes together, and phones take "
                    + "\(APNSLimits.payloadBytes) at most")
        }
        for member in aps.members where !Self.known.contains(member.name) {
            let hint = Self.known.filter { Self.areNear($0, member.name) }.min().map { "; is \($0) meant?" } ?? ""
            remarks.append("Apple names no member aps.\(member.name)\(hint)")
        }
    }

    /// - Parameter isStart: whether no card shows anything yet that could be newer.
    private mutating func reviewTimestamp(_ value: JSONValue?, now: Double, isStart: Bool) {
        let name = "aps.\(LiveActivityKey.timestamp)"
        guard let seconds = value?.double else {
            problems.append("\(name) must be a number of UNIX seconds")
            return
        }
        if seconds > now * 100 {
            problems.append("\(name) is in milliseconds, and phones read UNIX seconds")
        } else if seconds > now + Double(APNSLimits.timestampLead) {
            problems.append("\(name) is more than eight hours ahead, and phones drop such pushes")
        } else if seconds < now - Double(APNSLimits.activeLifetime), !isStart {
            remarks.append("\(name) is more than eight hours ago, so that a card shows something newer")
        }
    }

    private mutating func reviewStart(_ aps: JSONObject) {
        if aps[LiveActivityKey.attributesType]?.string == nil {
            problems.append("a start needs aps.\(LiveActivityKey.attributesType), the name of the Swift type")
        }
        require(LiveActivityKey.attributes, of: aps, isRequired: true)
        let alert = aps[LiveActivityKey.alert]?.object
        let lacks = ["title", "body"].filter { name in
            alert?[name]?.string == nil && alert?[name]?.object?["loc-key"]?.string == nil
        }
        if !lacks.isEmpty {
            problems.append("a start needs an alert: aps.alert lacks \(lacks.joined(separator: " and "))")
        }
    }

    private mutating func require(_ name: String, of aps: JSONObject, isRequired: Bool) {
        switch aps[name] {
        case .object: break
        case nil: if isRequired { problems.append("aps.\(name) is missing") }
        case let value?: problems.append("aps.\(name) must be an object, not \(value.kind)")
        }
    }

    private mutating func reviewFigures(_ aps: JSONObject) {
        for name in [LiveActivityKey.staleDate, LiveActivityKey.dismissalDate, LiveActivityKey.relevanceScore] {
            guard let value = aps[name], value.double == nil else { continue }
            problems.append("aps.\(name) must be a number, not \(value.kind)")
        }
        if let value = aps[LiveActivityKey.inputPushToken], value.integer != 1 {
            problems.append("aps.\(LiveActivityKey.inputPushToken) must be 1")
        }
    }

    private mutating func hold(_ aps: JSONObject, against schema: ActivitySchema, now: Double) {
        if let type = aps[LiveActivityKey.attributesType]?.string, type != schema.type {
            problems.append(
                "aps.\(LiveActivityKey.attributesType) is \(type), and the schema is that of \(schema.type)")
        }
        let state = aps[LiveActivityKey.contentState].flatMap { schema.mismatch(ofContentState: $0) }
        let attributes = aps[LiveActivityKey.attributes].flatMap { schema.mismatch(ofAttributes: $0) }
        for mismatch in [attributes, state].compactMap(\.self) {
            problems.append("the app cannot decode it: \(mismatch)")
        }
        // What does not decode is a problem already.
        guard attributes == nil, state == nil else { return }
        let found =
            (aps[LiveActivityKey.attributes].map { schema.remarks(onAttributes: $0, at: now) } ?? [])
            + (aps[LiveActivityKey.contentState].map { schema.remarks(onContentState: $0, at: now) } ?? [])
        // A remark is a sentence here as everywhere, and this list has them without the full stop.
        remarks += found.map { "\($0)".hasSuffix(".") ? String("\($0)".dropLast()) : "\($0)" }
    }

    /// The members of `aps` that Apple names, for Live Activities and for other pushes.
    private static let known: Set<String> = LiveActivityKey.owned.union([
        LiveActivityKey.inputPushToken, "sound", "badge", "category", "thread-id", "content-available",
        "mutable-content",
        "target-content-id", "interruption-level", "filter-criteria", "url-args", "content-changed",
    ])

    /// Whether two words differ by at most two letters that are missing, added or replaced.
    private static func areNear(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left), Array(right))
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var next = [index + 1]
            for (other, otherLetter) in right.enumerated() {
                next.append(min(row[other] + (letter == otherLetter ? 0 : 1), row[other + 1] + 1, next[other] + 1))
            }
            row = next
        }
        return row[right.count] <= 2
    }
}

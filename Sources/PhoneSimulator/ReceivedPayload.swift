import APNSWire
import EyotContract
import Foundation

/// The payload of a Live Activity push as a phone reads it. Members that Apple does not name are ignored.
struct ReceivedPayload {
    let event: LiveActivityEvent
    let timestamp: Date
    let contentState: JSONValue?
    let attributesType: String?
    let attributes: JSONValue?
    let alert: JSONValue?
    let staleDate: Date?
    let dismissalDate: Date?
    let relevanceScore: Double?
    let inputPushToken: Bool
    let inputPushChannel: String?

    /// - Parameter dropsMalformed: whether an optional member of the wrong kind spoils the whole push; otherwise it
    ///   counts as absent.
    /// - Throws: ``IgnoreReason/malformed(_:)``, with the place.
    init(_ bytes: [UInt8], dropsMalformed: Bool) throws(IgnoreReason) {
        do {
            try self.init(JSONValue(parsing: bytes), dropsMalformed: dropsMalformed)
        } catch let error as JSONSyntaxError {
            throw .malformed("the payload is not JSON: \(error)")
        } catch {
            throw .malformed("\(error)")
        }
    }

    private init(_ value: JSONValue, dropsMalformed: Bool) throws {
        func optional<Value>(_ read: () throws -> Value?) throws -> Value? {
            do {
                return try read()
            } catch {
                guard dropsMalformed else { return nil }
                throw error
            }
        }
        var root = try JSONFields(value)
        var aps = try root.required(LiveActivityKey.aps, root.fields(LiveActivityKey.aps))
        let name = try aps.required(LiveActivityKey.event, aps.string(LiveActivityKey.event))
        guard let event = LiveActivityEvent(rawValue: name) else {
            throw aps.invalid(LiveActivityKey.event, "must be start, update or end")
        }
        self.event = event
        timestamp = try aps.required(LiveActivityKey.timestamp, aps.unixDate(LiveActivityKey.timestamp))
        contentState = try aps.object(LiveActivityKey.contentState)
        attributesType = try aps.string(LiveActivityKey.attributesType)
        attributes = try aps.object(LiveActivityKey.attributes)
        alert = try optional { try aps.object(LiveActivityKey.alert) }
        staleDate = try optional { try aps.unixDate(LiveActivityKey.staleDate) }
        dismissalDate = try optional { try aps.unixDate(LiveActivityKey.dismissalDate) }
        relevanceScore = try optional { try aps.double(LiveActivityKey.relevanceScore) }
        inputPushToken = try optional { try aps.integer(LiveActivityKey.inputPushToken) } == 1
        inputPushChannel = try optional { try aps.string(LiveActivityKey.inputPushChannel) }
        // The members that each event requires.
        if event != .end { _ = try aps.required(LiveActivityKey.contentState, contentState) }
        if event == .start {
            _ = try aps.required(LiveActivityKey.attributesType, attributesType)
            _ = try aps.required(LiveActivityKey.attributes, attributes)
        }
    }

    /// The push's content. A missing stale date or score is that of `old`.
    func content(keeping old: CardContent? = nil) -> CardContent? {
        contentState.map {
            CardContent(
                state: $0, staleDate: staleDate ?? old?.staleDate,
                relevanceScore: relevanceScore ?? old?.relevanceScore ?? 0)
        }
    }

    /// Whether there is an alert with title and body, each a text or a localized one.
    var hasFullAlert: Bool {
        guard let alert = alert?.object else { return false }
        return ["title", "body"].allSatisfy { name in
            alert[name]?.string != nil || alert[name]?.object?["loc-key"]?.string != nil
        }
    }
}

extension JSONFields {
    /// Reads a moment in UNIX seconds. Moments beyond the year 9999, such as milliseconds, count as its end, because
    /// our own calendar would not follow.
    fileprivate mutating func unixDate(_ name: String) throws(JSONFieldError) -> Date? {
        guard let seconds = try double(name) else { return nil }
        let range = PhoneState.writableSeconds
        return Date(timeIntervalSince1970: min(max(seconds, range.lowerBound), range.upperBound))
    }
}

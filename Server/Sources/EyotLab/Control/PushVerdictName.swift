import APNSSimulator
import APNSWire
import EyotContract
import Foundation

/// The control API's names for faults of pushes.
enum PushVerdictName: String, CaseIterable {
    /// The push passes.
    case accept
    /// The phone gets the push, but the sender gets no answer.
    case answerLost
    /// Neither the phone nor the sender gets anything.
    case stall
    /// The stream is reset, and the push was not processed.
    case refusedStream
    /// The stream is reset, and the outcome is unknown.
    case reset
    /// The connection is closed without an error code.
    case close
    /// The connection announces its end, and the push counts as processed.
    case goAway
    /// The connection announces its end before this push.
    case goAwayBefore

    private var fault: PushFault {
        switch self {
        case .accept: .none
        case .answerLost: .answerLost
        case .stall: .stall
        case .refusedStream: PushFault(.reset(.refusedStream), isDelivered: false)
        case .reset: PushFault(.reset(.internalError), isDelivered: false)
        case .close: PushFault(.closed, isDelivered: false)
        case .goAway: PushFault(.goAway(includingThis: true, nil), isDelivered: true)
        case .goAwayBefore: PushFault(.goAway(includingThis: false, nil), isDelivered: false)
        }
    }

    /// Returns the fault for a verdict. A verdict is one of these names, a reason as Apple spells it, or an object. The
    /// object has `reason` and, for a dead token, `deadSince`; or `late`, the delay of the answer in seconds.
    static func fault(_ verdict: JSONValue, at path: String) throws(JSONFieldError) -> PushFault {
        if let word = verdict.string {
            if let name = PushVerdictName(rawValue: word) { return name.fault }
            return .refuse(try reason(word, at: path))
        }
        var fields = try JSONFields(verdict, at: path)
        let late = try fields.double("late")
        let word = try fields.string("reason")
        let deadSince = try fields.string("deadSince")
        try fields.finish()
        if let late {
            guard word == nil, (0...600).contains(late) else {
                throw fields.invalid("late", "must lie between 0 and 600 seconds and stand alone")
            }
            return PushFault(.late(.seconds(late)), isDelivered: true)
        }
        let named = try reason(fields.required("reason", word), at: fields.path(of: "reason"))
        let date = deadSince.flatMap(RFC3339.date(from:))
        if deadSince != nil, date == nil { throw fields.invalid("deadSince", "must be RFC 3339 text") }
        return .refuse(named, deadSince: date)
    }

    private static func reason(_ word: String, at path: String) throws(JSONFieldError) -> APNSReason {
        let reason = APNSReason(name: word)
        guard reason != .unrecognized else {
            let words = allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONFieldError(path: path, .invalid("must be one of \(words), or a reason as Apple spells it"))
        }
        return reason
    }
}

extension RequestRecord {
    /// The request as the control API shows it. The values of a repeated header are joined by a comma.
    var json: JSONValue {
        var shown = JSONObject()
        for (name, value) in headers {
            let before = shown[name]?.string.map { "\($0), " } ?? ""
            shown[name] = .string(before + value)
        }
        return [
            "number": .integer(number), "time": .string(RFC3339.text(of: time)),
            "service": .string(endpoint.service.rawValue), "environment": .string(endpoint.environment.rawValue),
            "connection": .integer(connection), "headers": .object(shown), "payload": payloadJSON,
            "payloadBytes": .integer(payloadLength),
            "verdict": [
                "status": .integer(verdict.status),
                "reason": verdict.reason.map { .string($0.name) } ?? .null,
                "delivered": .bool(verdict.isDelivered), "fault": .bool(verdict.fault != nil),
            ],
            "id": .string(id),
        ]
    }

    /// The payload as JSON if it parses, otherwise as text.
    private var payloadJSON: JSONValue {
        (try? JSONValue(parsing: payload)) ?? .string(String(decoding: payload, as: UTF8.self))
    }
}

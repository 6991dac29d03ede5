import APNSSimulator
import APNSWire
import EyotContract
import Foundation

/// The words in which the control API asks for misfortunes.
enum PushVerdictName: String, CaseIterable {
    /// The push passes.
    case accept
    /// The phone gets the push, the sender no answer.
    case answerLost
    /// Neither gets anything.
    case stall
    /// The stream is reset, and the push was not processed.
    case refusedStream
    /// The stream is reset, and nobody can tell.
    case reset
    /// The connection is closed without a word.
    case close
    /// The connection says that it ends; the push counts as processed.
    case goAway
    /// The connection says that it ends before this push.
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

    /// The fault that a verdict asks for: a word of ours, a reason as Apple spells it, or an object with `reason` and,
    /// for a dead token, `deadSince`; or with `late`, the seconds by which the answer comes late.
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
    /// The request as the control API shows it. A header that came twice is joined by a comma.
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

    /// A value where it is JSON, else its text.
    private var payloadJSON: JSONValue {
        (try? JSONValue(parsing: payload)) ?? .string(String(decoding: payload, as: UTF8.self))
    }
}

import APNSWire
import EyotContract
import Foundation

/// Why a request is refused.
struct APNSRefusal: Error, Sendable, Equatable {
    let reason: APNSReason
    /// For status 410: when the token died.
    let deadSince: Date?

    init(_ reason: APNSReason, deadSince: Date? = nil) {
        self.reason = reason
        self.deadSince = deadSince
    }
}

/// The success answer of a request. A push has only its status.
struct APNSSuccess: Sendable, Equatable {
    var status = 200
    /// The channel that was made.
    var channelID: APNSChannelID?
    var content: JSONValue?
}

/// Apple's answer to a request.
struct APNSAnswer: Sendable, Equatable {
    let service: APNSEndpoint.Service
    let id: String
    /// Only in the sandbox, and only for pushes that were accepted.
    let uniqueID: String?
    let outcome: Result<APNSSuccess, APNSRefusal>
    /// When it was decided.
    let time: Date

    var status: Int {
        switch outcome {
        case .success(let success): success.status
        case .failure(let refusal): refusal.reason.status
        }
    }

    /// The header fields behind the status.
    var fields: [(name: String, value: String)] {
        var fields = [(name: service.idHeader, value: id)]
        if let uniqueID { fields.append((APNSHeader.uniqueID, uniqueID)) }
        if case .success(let success) = outcome, let channel = success.channelID {
            fields.append((APNSHeader.channelID, channel.text))
        }
        if content != nil { fields.append(("content-type", "application/json")) }
        return fields
    }

    var body: [UInt8] { content?.utf8 ?? [] }

    /// The time of death is in milliseconds, unlike every other time of Apple's.
    private var content: JSONValue? {
        switch outcome {
        case .success(let success): return success.content
        case .failure(let refusal):
            let name = service == .push ? refusal.reason.name : refusal.reason.channelName
            var object = JSONObject([("reason", .string(name))])
            if refusal.reason.status == 410 {
                let milliseconds = ((refusal.deadSince ?? time).timeIntervalSince1970 * 1_000).rounded()
                object["timestamp"] = .integer(Int64(milliseconds))
            }
            return .object(object)
        }
    }
}

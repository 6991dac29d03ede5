import APNSWire
import EyotContract
import Foundation
import NIOHPACK

/// Why a push is refused.
struct APNSRefusal: Error, Sendable, Equatable {
    let reason: APNSReason
    /// For status 410: when the token died.
    let deadSince: Date?

    init(_ reason: APNSReason, deadSince: Date? = nil) {
        self.reason = reason
        self.deadSince = deadSince
    }
}

/// What Apple says to a request.
struct APNSAnswer: Sendable, Equatable {
    let id: String
    /// Only in the sandbox, and only for what was accepted.
    let uniqueID: String?
    let refusal: APNSRefusal?
    /// When it was decided.
    let time: Date

    var status: Int { refusal?.reason.status ?? 200 }

    var headers: HPACKHeaders {
        var headers = HPACKHeaders([(":status", "\(status)")])
        headers.add(name: APNSHeader.id, value: id, indexing: .nonIndexable)
        if let uniqueID { headers.add(name: APNSHeader.uniqueID, value: uniqueID, indexing: .nonIndexable) }
        if refusal != nil { headers.add(name: "content-type", value: "application/json") }
        return headers
    }

    /// Empty for what was accepted. The time of death is in milliseconds, unlike every other time of Apple's.
    var body: [UInt8] {
        guard let refusal else { return [] }
        var object = JSONObject([("reason", .string(refusal.reason.name))])
        if refusal.reason.status == 410 {
            let milliseconds = ((refusal.deadSince ?? time).timeIntervalSince1970 * 1_000).rounded()
            object["timestamp"] = .integer(Int64(milliseconds))
        }
        return JSONValue.object(object).utf8
    }
}

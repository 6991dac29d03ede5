import APNSWire
import Foundation
import NIOHPACK

/// A request as it came, before anybody has judged it.
struct APNSRequest: Sendable {
    /// All header fields in order, pseudo headers included.
    let headers: HPACKHeaders
    /// The body up to one byte over the limit; the rest of a longer one is not kept.
    let body: [UInt8]
    /// How long the body was, kept or not.
    let bodyLength: Int
    /// The first header that came twice, of those that must not.
    let duplicate: String?
    /// `apns-id` where it is a UUID, as the sender wrote it.
    let validID: String?
    private let fields: [String: String]

    private static let unique: Set<String> = [
        ":method", ":path", APNSHeader.authorization, APNSHeader.id, APNSHeader.topic, APNSHeader.pushType,
        APNSHeader.priority, APNSHeader.expiration, APNSHeader.collapseID,
    ]

    init(headers: HPACKHeaders, body: [UInt8] = [], bodyLength: Int? = nil) {
        self.headers = headers
        self.body = body
        self.bodyLength = bodyLength ?? body.count
        var fields: [String: String] = [:]
        var duplicate: String?
        for (name, value, _) in headers where Self.unique.contains(name) {
            if fields.updateValue(value, forKey: name) != nil, duplicate == nil { duplicate = name }
        }
        self.fields = fields
        validID = fields[APNSHeader.id].flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
        self.duplicate = duplicate
    }

    var method: String { fields[":method"] ?? "" }
    var path: String { fields[":path"] ?? "" }
    var authorization: String? { fields[APNSHeader.authorization] }
    var id: String? { fields[APNSHeader.id] }
    var topic: String? { fields[APNSHeader.topic] }
    var pushType: String? { fields[APNSHeader.pushType] }
    var priority: String? { fields[APNSHeader.priority] }
    var expiration: String? { fields[APNSHeader.expiration] }
    var collapseID: String? { fields[APNSHeader.collapseID] }
}

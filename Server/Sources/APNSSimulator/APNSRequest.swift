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
    private let fields: [String: String]

    private static let unique: Set<String> = [
        ":method", ":path", APNSHeader.authorization, APNSHeader.id, APNSHeader.topic, APNSHeader.pushType,
        APNSHeader.priority, APNSHeader.expiration, APNSHeader.collapseID, APNSHeader.requestID, APNSHeader.channelID,
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
        self.duplicate = duplicate
    }

    var method: String { fields[":method"] ?? "" }
    var path: String { fields[":path"] ?? "" }
    var authorization: String? { fields[APNSHeader.authorization] }
    var topic: String? { fields[APNSHeader.topic] }
    var pushType: String? { fields[APNSHeader.pushType] }
    var priority: String? { fields[APNSHeader.priority] }
    var expiration: String? { fields[APNSHeader.expiration] }
    var collapseID: String? { fields[APNSHeader.collapseID] }
    var channelID: String? { fields[APNSHeader.channelID] }

    /// - Throws: BadMessageId where the sender's id is no UUID.
    func checkID(_ service: APNSEndpoint.Service) throws(APNSRefusal) {
        if fields[service.idHeader] != nil, validID(service) == nil { throw APNSRefusal(.badMessageID) }
    }

    /// The sender's id where it is a UUID, as the sender wrote it.
    func validID(_ service: APNSEndpoint.Service) -> String? {
        fields[service.idHeader].flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
    }
}

// MARK: - Headers that say the same for tokens and channels

extension APNSRequest {
    /// Nil where the header is absent.
    func readPriority() throws(APNSRefusal) -> APNSPriority? {
        guard let text = priority else { return nil }
        guard let number = Int(text), let priority = APNSPriority(rawValue: number), text == "\(number)" else {
            throw APNSRefusal(.badPriority)
        }
        return priority
    }

    /// UNIX seconds, nil where the header is absent.
    func readExpiration() throws(APNSRefusal) -> Int? {
        guard let text = expiration else { return nil }
        guard let seconds = Int(text), seconds >= 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw APNSRefusal(.badExpirationDate)
        }
        return seconds
    }
}

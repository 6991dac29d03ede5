import APNSWire
import NIOHPACK

/// A request as received, before any check.
struct APNSRequest: Sendable {
    /// All header fields in order, pseudo headers included.
    let headers: HPACKHeaders
    /// The body up to one byte over the limit; the rest of a longer one is not kept.
    let body: [UInt8]
    /// How long the body was, kept or not.
    let bodyLength: Int
    /// The first header that came twice, of those that must not.
    let duplicate: String?
    private let values: [String?]

    /// The header fields that are read, and that must not come twice.
    private enum Field: Int, CaseIterable {
        case method, path, authorization, id, topic, pushType, priority, expiration, collapseID, requestID, channelID

        init?(_ name: String) {
            switch name {
            case ":method": self = .method
            case ":path": self = .path
            case APNSHeader.authorization: self = .authorization
            case APNSHeader.id: self = .id
            case APNSHeader.topic: self = .topic
            case APNSHeader.pushType: self = .pushType
            case APNSHeader.priority: self = .priority
            case APNSHeader.expiration: self = .expiration
            case APNSHeader.collapseID: self = .collapseID
            case APNSHeader.requestID: self = .requestID
            case APNSHeader.channelID: self = .channelID
            default: return nil
            }
        }
    }

    init(headers: HPACKHeaders, body: [UInt8] = [], bodyLength: Int? = nil) {
        self.headers = headers
        self.body = body
        self.bodyLength = bodyLength ?? body.count
        var values = [String?](repeating: nil, count: Field.allCases.count)
        var duplicate: String?
        for (name, value, _) in headers {
            guard let field = Field(name) else { continue }
            if values[field.rawValue] != nil, duplicate == nil { duplicate = name }
            values[field.rawValue] = value
        }
        self.values = values
        self.duplicate = duplicate
    }

    private subscript(field: Field) -> String? { values[field.rawValue] }

    var method: String { self[.method] ?? "" }
    var path: String { self[.path] ?? "" }
    var authorization: String? { self[.authorization] }
    var topic: String? { self[.topic] }
    var pushType: String? { self[.pushType] }
    var priority: String? { self[.priority] }
    var expiration: String? { self[.expiration] }
    var collapseID: String? { self[.collapseID] }
    var channelID: String? { self[.channelID] }

    /// - Throws: BadMessageId if the sender's id is no UUID.
    func checkID(_ service: APNSEndpoint.Service) throws(APNSRefusal) {
        if let id = id(service), APNSID(id) == nil { throw APNSRefusal(.badMessageID) }
    }

    /// The sender's id as the sender wrote it, if it is a UUID.
    func validID(_ service: APNSEndpoint.Service) -> String? { id(service).flatMap { APNSID($0) == nil ? nil : $0 } }

    private func id(_ service: APNSEndpoint.Service) -> String? { self[service == .push ? .id : .requestID] }
}

// MARK: - Headers with the same rules for tokens and channels

extension APNSRequest {
    /// The priority; nil if the header is absent.
    func readPriority() throws(APNSRefusal) -> APNSPriority? {
        guard let text = priority else { return nil }
        guard let number = Int(text), let priority = APNSPriority(rawValue: number), text == "\(number)" else {
            throw APNSRefusal(.badPriority)
        }
        return priority
    }

    /// The expiration in UNIX seconds; nil if the header is absent.
    func readExpiration() throws(APNSRefusal) -> Int? {
        guard let text = expiration else { return nil }
        guard let seconds = Int(text), seconds >= 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw APNSRefusal(.badExpirationDate)
        }
        return seconds
    }
}

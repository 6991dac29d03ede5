import APNSWire
import EyotContract
import NIOCore
import NIOHPACK

/// A template made ready for the wire: all that pushes of the same second and provider token share is made once.
struct PreparedTemplate {
    private let template: PushTemplate
    private let recipients: PushPage.Recipients
    private let authority: String
    private var second = 0
    private var patchedBody = ByteBuffer()
    private var token = ""
    private var shared = HPACKHeaders()

    init(_ template: PushTemplate, to recipients: PushPage.Recipients, authority: String) {
        self.template = template
        self.recipients = recipients
        self.authority = authority
    }

    /// The payload with the second in which it leaves (R7).
    mutating func body(at second: Int) -> ByteBuffer {
        if second != self.second {
            self.second = second
            var bytes = template.body
            if let offset = template.timestampOffset { Self.write(second, into: &bytes, at: offset) }
            patchedBody = ByteBuffer(bytes: bytes)
        }
        return patchedBody
    }

    /// The request's headers. What differs each time would only push the others out of the peer's table.
    mutating func headers(token: String, recipient: ArraySlice<UInt8>, id: APNSID) -> HPACKHeaders {
        if token != self.token {
            self.token = token
            shared = makeShared()
        }
        var headers = HPACKHeaders()
        headers.reserveCapacity(12)
        headers.add(name: ":method", value: "POST")
        headers.add(name: ":scheme", value: "https")
        headers.add(name: ":authority", value: authority)
        switch recipients {
        case .tokens:
            let path = "\(APNSPath.device)/\(HexBytes.text(of: recipient))"
            headers.add(name: ":path", value: path, indexing: .nonIndexable)
            headers.add(contentsOf: shared)
            headers.add(name: APNSHeader.id, value: id.description, indexing: .nonIndexable)
        case .channels:
            let channel = String(decoding: recipient, as: UTF8.self)
            headers.add(name: ":path", value: APNSPath.broadcasts(bundleID: template.topic))
            headers.add(contentsOf: shared)
            headers.add(name: APNSHeader.channelID, value: channel, indexing: .nonIndexable)
            headers.add(name: APNSHeader.requestID, value: id.description, indexing: .nonIndexable)
        }
        return headers
    }

    private func makeShared() -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.add(name: APNSHeader.authorization, value: "bearer \(token)")
        if recipients == .tokens { headers.add(name: APNSHeader.topic, value: template.topic) }
        headers.add(name: APNSHeader.pushType, value: template.pushType.rawValue)
        headers.add(name: APNSHeader.priority, value: "\(template.priority.rawValue)")
        if let expiration = template.expiration { headers.add(name: APNSHeader.expiration, value: "\(expiration)") }
        if let id = template.collapseID { headers.add(name: APNSHeader.collapseID, value: id) }
        return headers
    }

    /// Writes the ten digits. A clock that stands before 2001 has fewer; the zeros in front would not be JSON, so that is
    /// written as the first second with ten.
    private static func write(_ second: Int, into bytes: inout [UInt8], at offset: Int) {
        var rest = max(second, 1_000_000_000)
        let digits = LiveActivityPayload.timestampDigits
        guard offset >= 0, offset + digits <= bytes.count else { return }
        for index in stride(from: offset + digits - 1, through: offset, by: -1) {
            bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}

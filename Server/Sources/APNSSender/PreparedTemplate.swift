import APNSWire
import EyotContract
import NIOCore

/// A template prepared for the wire. Pushes of the same second share its parts.
struct PreparedTemplate {
    private static let deviceRoot = Array("\(APNSPath.device)/".utf8)
    /// `:method: POST` and `:scheme: https` in HPACK's fixed table.
    private static let postOverTLS: [UInt8] = [0x83, 0x87]

    private let template: PushTemplate
    private let recipients: PushPage.Recipients
    private let authority: String
    private var second = 0
    private var patchedBody: [UInt8]

    init(_ template: PushTemplate, to recipients: PushPage.Recipients, authority: String) {
        self.template = template
        self.recipients = recipients
        self.authority = authority
        patchedBody = template.body
    }

    /// Returns the payload with the second in which it leaves (R7).
    mutating func body(at second: Int) -> [UInt8] {
        if second != self.second {
            self.second = second
            patchedBody = template.body(timestamp: second)
        }
        return patchedBody
    }

    /// Returns the header block of the template's pushes with a provider token, for a connection's table. Fields that
    /// differ from push to push do not enter the table, because they would displace the others.
    func stencil(token: String, for table: inout HeaderTable) -> RequestStencil {
        switch recipients {
        case .tokens:
            RequestStencil(.token(pathPrefix: Self.deviceRoot), for: &table) { table, block in
                writeBeginning(&table, &block)
                table.writeName(":path", to: &block)
            } between: { table, block in
                writeShared(token, &table, &block)
                table.writeName(APNSHeader.id, to: &block)
            }
        case .channels:
            RequestStencil(.channel, for: &table) { table, block in
                writeBeginning(&table, &block)
                table.write(":path", APNSPath.broadcasts(bundleID: template.topic), to: &block)
                writeShared(token, &table, &block)
                table.writeName(APNSHeader.channelID, to: &block)
            } between: { table, block in
                table.writeName(APNSHeader.requestID, to: &block)
            }
        }
    }

    private func writeBeginning(_ table: inout HeaderTable, _ block: inout [UInt8]) {
        block += Self.postOverTLS
        table.write(":authority", authority, to: &block)
    }

    private func writeShared(_ token: String, _ table: inout HeaderTable, _ block: inout [UInt8]) {
        table.write(APNSHeader.authorization, "bearer \(token)", to: &block)
        if recipients == .tokens { table.write(APNSHeader.topic, template.topic, to: &block) }
        table.write(APNSHeader.pushType, template.pushType.rawValue, to: &block)
        table.write(APNSHeader.priority, "\(template.priority.rawValue)", to: &block)
        if let expiration = template.expiration {
            table.write(APNSHeader.expiration, "\(expiration)", .name, to: &block)
        }
        if let id = template.collapseID { table.write(APNSHeader.collapseID, id, .name, to: &block) }
    }
}

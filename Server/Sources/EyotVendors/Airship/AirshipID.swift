import EyotDomain

import struct Foundation.UUID

/// Ids as Airship has them, which say here which operation is meant.
enum AirshipID {
    /// The operation's; a random one for what made none.
    static func text(of operation: Operation?) -> String {
        operation.map { OperationUUID.text(of: $0.id) } ?? UUID().uuidString.lowercased()
    }
}

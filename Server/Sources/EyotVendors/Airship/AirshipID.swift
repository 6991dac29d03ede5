import EyotDomain

import struct Foundation.UUID

/// Airship's ids. Here each names the operation.
enum AirshipID {
    /// Returns the id of an operation, or a random one if there is no operation.
    static func text(of operation: Operation?) -> String {
        operation.map { OperationUUID.text(of: $0.id) } ?? UUID().uuidString.lowercased()
    }
}

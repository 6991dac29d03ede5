import EyotDomain

import struct Foundation.UUID

/// Ids as Airship has them, which say here which operation is meant.
enum AirshipID {
    /// A UUID of the version that is left to everybody, with the operation's number at its end; a random one for what made none.
    static func text(of operation: Operation?) -> String {
        guard let operation else { return UUID().uuidString.lowercased() }
        let digits = String(operation.id, radix: 16)
        return "00000000-0000-8000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}

import Crypto
import EyotDomain
import Foundation

extension Idempotency {
    /// How many characters a key may have.
    package static let keyLength = 1...255

    /// - Parameter parts: The parts of the request: method, path, body.
    /// - Throws: `fieldInvalid` if the key does not have 1 to 255 visible ASCII characters.
    package init(key: String, of parts: [[UInt8]]) throws(EyotError) {
        guard Self.keyLength.contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw EyotError(
                .fieldInvalid, "Idempotency-Key must have 1 to 255 visible ASCII characters", field: "Idempotency-Key")
        }
        var hash = SHA256()
        for part in parts {
            // The length comes first, so that different requests never have the same bytes.
            withUnsafeBytes(of: UInt64(part.count).littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: part)
        }
        self.init(key: key, digest: Array(hash.finalize()))
    }
}

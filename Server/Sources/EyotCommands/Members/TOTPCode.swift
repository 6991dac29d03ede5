import Crypto
import EyotDomain
import Foundation

/// Codes by time (RFC 6238): six digits, SHA-1 and 30 seconds, as authenticators expect them.
package enum TOTPCode {
    /// Seconds of a step.
    package static let period = 30
    /// Bytes of a secret, as RFC 4226 recommends.
    private static let secretBytes = 20
    /// Steps before and after the present one with codes that are accepted.
    private static let window: Int64 = 1

    /// A new secret in base32, as authenticators take it.
    package static func newSecret() -> Secret {
        Secret(Base32.text(of: SymmetricKey(size: .init(bitCount: secretBytes * 8)).withUnsafeBytes { Array($0) }))
    }

    /// The step that a moment lies in.
    package static func step(at now: Instant) -> Int64 { Int64(now.second / period) }

    /// The code of a step; nil if the secret is not base32.
    package static func code(_ secret: Secret, step: Int64) -> String? {
        guard let key = Base32.bytes(of: secret.text) else { return nil }
        let counter = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: key)))
        // RFC 4226, section 5.3: the last four bits choose four bytes.
        let offset = Int(mac[mac.count - 1] & 0x0F)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The step of a code that is accepted now; nil if the code is wrong, or not newer than the last accepted one.
    package static func acceptedStep(_ code: String, of secret: Secret, after last: Int64, at now: Instant) -> Int64? {
        let digits = code.filter { !$0.isWhitespace }
        guard digits.utf8.count == 6 else { return nil }
        let present = step(at: now)
        return (present - window...present + window).first { step in
            step > last && Self.code(secret, step: step) == digits
        }
    }

    /// The address that an authenticator reads, for a QR code.
    package static func address(_ secret: Secret, of name: String) -> String {
        let label = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "otpauth://totp/Eyot:\(label)?secret=\(secret.text)&issuer=Eyot"
    }
}

/// Base32 (RFC 4648) without padding.
private enum Base32 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func text(of bytes: [UInt8]) -> String {
        var (bits, count, text) = (UInt64(0), 0, [UInt8]())
        for byte in bytes {
            (bits, count) = ((bits << 8 | UInt64(byte)) & 0xFFFF, count + 8)
            while count >= 5 {
                text.append(letters[Int(bits >> UInt64(count - 5)) & 31])
                count -= 5
            }
        }
        if count > 0 { text.append(letters[Int(bits << UInt64(5 - count)) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for any other text.
    static func bytes(of text: String) -> [UInt8]? {
        var (bits, count, bytes) = (UInt64(0), 0, [UInt8]())
        for letter in text.uppercased().utf8 {
            guard let value = letters.firstIndex(of: letter) else { return nil }
            (bits, count) = ((bits << 5 | UInt64(value)) & 0xFFFF, count + 5)
            guard count >= 8 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(count - 8)))
            count -= 8
        }
        return bytes.isEmpty ? nil : bytes
    }
}

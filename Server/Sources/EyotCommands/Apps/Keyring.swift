import Crypto
import EyotContract
import EyotDomain
import Foundation

/// The secrets that calls carry: makes and recognises them. A secret is 256 random bits as text, of which only the hash
/// is kept.
package enum Keyring {
    /// The use of a secret. Its text begins with this, so that a key in the wrong place is visible at once.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A backend's key of the control plane, or the operator's.
        case apiKey = "eyot_sk_"
        /// An app's public key. It is in every copy of the app, and lets a phone register.
        case appKey = "eyot_pk_"
        /// One installation's secret.
        case deviceSecret = "eyot_dk_"
        /// A secret that lets a phone join a private activity.
        case joinSecret = "eyot_js_"
        /// The secret of a browser's session in the panel.
        case session = "eyot_ss_"
        /// The secret of a member's link that works once.
        case memberLink = "eyot_ml_"
    }

    /// A new secret. It is shown once.
    package struct NewSecret: Sendable {
        package var secret: Secret
        package var hash: SecretHash
        /// The first characters, to tell keys apart.
        package var hint: String
    }

    private static let randomBytes = 32
    /// Characters of base64url without padding for ``randomBytes``.
    private static let textLength = 43
    /// Random characters in a hint: 24 of 256 bits.
    private static let hintLength = 4

    /// Makes a secret with the system's random generator.
    package static func make(_ kind: Kind) -> NewSecret { newSecret(kind.rawValue, random(randomBytes)) }

    /// Makes a key for an API.
    package static func make(by rules: KeyRules) -> NewSecret { newSecret(rules.prefix, random(rules.byteCount)) }

    private static func newSecret(_ prefix: String, _ encoded: String) -> NewSecret {
        NewSecret(
            secret: Secret(prefix + encoded), hash: hash(of: prefix + encoded),
            hint: prefix + encoded.prefix(hintLength) + "…")
    }

    /// Random bytes in base64url without padding.
    package static func random(_ count: Int) -> String {
        let bits = SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Data($0) }
        return bits.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The kind that a text has the form of, or nil if it cannot be a secret of Eyot.
    package static func kind(of text: String) -> Kind? {
        Kind.allCases.first {
            text.hasPrefix($0.rawValue) && text.utf8.count == $0.rawValue.utf8.count + textLength
        }
    }

    /// A trace of a user for records that must not hold the id: the first 16 hexadecimal digits of the id's SHA-256.
    package static func trace(of externalID: String) -> String {
        "sha256:" + HexBytes.text(of: SHA256.hash(data: Data(externalID.utf8)).prefix(8))
    }

    /// The hash that is stored for a secret. One round is enough, because 256 random bits cannot be guessed.
    package static func hash(of text: String) -> SecretHash {
        SecretHash(bytes: Array(SHA256.hash(data: Data(text.utf8))))
    }
}

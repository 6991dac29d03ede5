import Crypto
import EyotDomain
import Foundation

/// Makes and recognises the secrets that calls carry: 256 random bits as text, of which only the hash is kept.
package enum Keyring {
    /// What a secret is for; its text begins with this, so that a key in the wrong place is told at a glance.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A backend's key of the control plane, or the operator's.
        case apiKey = "eyot_sk_"
        /// An app's public key: stands in every copy of the app, and lets a phone register.
        case appKey = "eyot_pk_"
        /// One installation's secret.
        case deviceSecret = "eyot_dk_"
    }

    /// A secret that was just made. Shown once.
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
    package static func make(_ kind: Kind) -> NewSecret {
        let bits = SymmetricKey(size: SymmetricKeySize(bitCount: randomBytes * 8)).withUnsafeBytes { Data($0) }
        let encoded = bits.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        let text = kind.rawValue + encoded
        return NewSecret(
            secret: Secret(text), hash: hash(of: text), hint: kind.rawValue + encoded.prefix(hintLength) + "…")
    }

    /// The kind that a text claims to be; nil where it cannot be a secret of ours.
    package static func kind(of text: String) -> Kind? {
        Kind.allCases.first {
            text.hasPrefix($0.rawValue) && text.utf8.count == $0.rawValue.utf8.count + textLength
        }
    }

    /// What is stored of a secret. One round is enough, since nobody guesses 256 random bits.
    package static func hash(of text: String) -> SecretHash {
        SecretHash(bytes: Array(SHA256.hash(data: Data(text.utf8))))
    }
}

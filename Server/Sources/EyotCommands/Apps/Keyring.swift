import Crypto
import EyotContract
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
        /// What lets a phone join a private activity.
        case joinSecret = "eyot_js_"
        /// A backend's key for the API of Netmera, Braze or Insider.
        case netmeraKey = "eyot_nm_"
        case brazeKey = "eyot_br_"
        case insiderKey = "eyot_in_"
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
    package static func make(_ kind: Kind) -> NewSecret { newSecret(kind.rawValue, random(randomBytes)) }

    /// Makes a key for an API, with what callers name beside it.
    package static func make(for plane: KeyPlane) -> (secret: NewSecret, identifier: String?) {
        switch plane {
        case .eyot: (make(.apiKey), nil)
        case .netmera: (make(.netmeraKey), nil)
        case .insider: (make(.insiderKey), nil)
        case .braze: (make(.brazeKey), UUID().uuidString.lowercased())
        case .airship: (newSecret("", random(airshipBytes)), random(airshipBytes))
        }
    }

    /// Airship's own clients take app keys and master secrets of 22 characters only, which are 128 bits.
    private static let airshipBytes = 16

    private static func newSecret(_ prefix: String, _ encoded: String) -> NewSecret {
        NewSecret(
            secret: Secret(prefix + encoded), hash: hash(of: prefix + encoded),
            hint: prefix + encoded.prefix(hintLength) + "…")
    }

    /// Random bytes in base64url without padding.
    private static func random(_ count: Int) -> String {
        let bits = SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Data($0) }
        return bits.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The kind that a text claims to be; nil where it cannot be a secret of ours.
    package static func kind(of text: String) -> Kind? {
        Kind.allCases.first {
            text.hasPrefix($0.rawValue) && text.utf8.count == $0.rawValue.utf8.count + textLength
        }
    }

    /// What a record says of a person whose id it must not hold: the first 16 hexadecimal digits of the id's SHA-256.
    package static func trace(of externalID: String) -> String {
        "sha256:" + HexBytes.text(of: SHA256.hash(data: Data(externalID.utf8)).prefix(8))
    }

    /// What is stored of a secret. One round is enough, since nobody guesses 256 random bits.
    package static func hash(of text: String) -> SecretHash {
        SecretHash(bytes: Array(SHA256.hash(data: Data(text.utf8))))
    }
}

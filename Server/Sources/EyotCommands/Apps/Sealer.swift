import Crypto
import EyotContract
import EyotDomain
import Foundation

/// The sealing of secrets for the store with AES-256-GCM. Each secret is bound to its place, and does not open
/// elsewhere.
package struct Sealer: Sendable {
    /// The place of a secret.
    package struct Place: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable {
            case apnsKey
            case webhook
            case totp
            case providerToken
        }

        package var kind: Kind
        package var app: AppID
        /// The row among those of the app: an environment, a webhook's token, a member, or a key's fingerprint.
        package var row: String

        package static func apnsKey(of app: AppID, _ environment: PushEnvironment) -> Place {
            Place(kind: .apnsKey, app: app, row: environment.rawValue)
        }

        package static func webhook(_ token: String, of app: AppID) -> Place {
            Place(kind: .webhook, app: app, row: token)
        }

        /// A member's second factor. Members belong to no app.
        package static func totp(of member: MemberID) -> Place {
            Place(kind: .totp, app: AppID(rawValue: 0), row: String(member.rawValue))
        }

        /// A provider token of an APNs key. The same key may serve several apps.
        package static func providerToken(of fingerprint: String) -> Place {
            Place(kind: .providerToken, app: AppID(rawValue: 0), row: fingerprint)
        }

        /// No part can contain the separator, so two places never give the same bytes.
        fileprivate var bytes: Data {
            Data("eyot/1|\(kind.rawValue)|\(app.rawValue)|\(row)".utf8)
        }
    }

    private let newest: MasterKey
    private let known: [MasterKey]

    /// - Parameters:
    ///   - newest: The key that seals from now on.
    ///   - older: Keys that sealed earlier. They only open, and are there while a rotation is under way.
    package init(_ newest: MasterKey, older: [MasterKey] = []) {
        self.newest = newest
        known = [newest] + older
    }

    var newestBytes: [UInt8] { newest.bytes }

    /// The newest master key's id. Secrets with another id are still to be sealed again.
    package var masterKeyID: String { newest.id }

    package func seal(_ secret: Secret, for place: Place) throws -> SealedSecret {
        let box = try AES.GCM.seal(
            Data(secret.text.utf8), using: SymmetricKey(data: newest.bytes), authenticating: place.bytes)
        // A nonce of 12 bytes is the default, and only other lengths have no combined form.
        guard let combined = box.combined else { throw SealError.damaged(masterKeyID: newest.id) }
        return SealedSecret(masterKeyID: newest.id, box: Array(combined))
    }

    /// - Throws: ``SealError`` with the master key that is needed.
    package func open(_ sealed: SealedSecret, for place: Place) throws(SealError) -> Secret {
        guard let key = known.first(where: { $0.id == sealed.masterKeyID }) else {
            throw .masterKeyUnknown(sealedWith: sealed.masterKeyID, given: known.map(\.id))
        }
        do {
            let text = try AES.GCM.open(
                AES.GCM.SealedBox(combined: sealed.box), using: SymmetricKey(data: key.bytes),
                authenticating: place.bytes)
            return Secret(String(decoding: text, as: UTF8.self))
        } catch {
            throw .damaged(masterKeyID: sealed.masterKeyID)
        }
    }

    /// The credentials that sign provider tokens with an app's key.
    package func credentials(of key: APNSKey) throws(SealError) -> PushCredentials {
        PushCredentials(
            teamID: key.teamID, keyID: key.keyID,
            privateKey: try open(key.sealed, for: .apnsKey(of: key.app, key.environment)))
    }
}

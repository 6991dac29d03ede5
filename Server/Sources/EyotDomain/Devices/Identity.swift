/// Whether an app's users have to prove who they are.
package enum IdentityMode: String, Sendable, Hashable, CaseIterable {
    /// Whoever a phone names is taken for that person.
    case off
    /// The same, and what does not prove it is counted and listed.
    case report
    /// A phone whose proof does not hold is nobody's.
    case require
}

/// A public key with which an app's own backend proves who a phone's user is. The private part never comes here.
package struct IdentityKey: Sendable, Hashable {
    /// What signs. The algorithm follows from it, whatever a proof says.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case rsa = "RS256"
        case p256 = "ES256"
    }

    /// Keys of one app: one in use, one to come, one to go.
    package static let limit = 3
    /// Bytes of a key's text: more than an RSA key of 8,192 bits has.
    package static let textBytes = 2_048

    package var app: AppID
    /// The caller's name of it.
    package var id: String
    package var kind: Kind
    /// As PEM.
    package var text: String
    package var addedAt: Instant

    package init(app: AppID, id: String, kind: Kind, text: String, addedAt: Instant) {
        self.app = app
        self.id = id
        self.kind = kind
        self.text = text
        self.addedAt = addedAt
    }
}

/// What is wrong with a proof. The words and numbers are Braze's, so that apps that come from there know them; the
/// last is ours.
package enum IdentityFault: String, Sendable, Hashable, CaseIterable {
    case expirationRequired = "EXPIRATION_REQUIRED"
    case decodingError = "DECODING_ERROR"
    case subjectMismatch = "SUBJECT_MISMATCH"
    case expired = "EXPIRED"
    case invalidPayload = "INVALID_PAYLOAD"
    case incorrectAlgorithm = "INCORRECT_ALGORITHM"
    case publicKeyError = "PUBLIC_KEY_ERROR"
    case missingToken = "MISSING_TOKEN"
    case noMatchingPublicKeys = "NO_MATCHING_PUBLIC_KEYS"
    /// Another phone has shown it.
    case replayed = "REPLAYED"

    package var number: Int {
        switch self {
        case .expirationRequired: 10
        case .decodingError: 20
        case .subjectMismatch: 21
        case .expired: 22
        case .invalidPayload: 23
        case .incorrectAlgorithm: 24
        case .publicKeyError: 25
        case .missingToken: 26
        case .noMatchingPublicKeys: 27
        case .replayed: 28
        }
    }
}

/// What was found of a phone's user.
package enum IdentityVerdict: Sendable, Hashable {
    /// The app asks for no proof.
    case unasked
    /// The key with this id has signed the proof.
    case proven(by: String, proof: UsedProof? = nil)
    /// The same, and another phone has shown the proof before.
    case repeated(by: String)
    /// The proof does not hold, and the app only wants to know.
    case reported(IdentityFault)
    /// The proof does not hold, and so the phone is nobody's.
    case refused(IdentityFault)

    package var fault: IdentityFault? {
        switch self {
        case .unasked, .proven: nil
        case .repeated: .replayed
        case .reported(let fault), .refused(let fault): fault
        }
    }
}

/// A proof that did not hold, for the record. Of each app the newest are kept.
package struct IdentityFailure: Sendable, Hashable {
    /// Kept of each app.
    package static let limit = 1_000

    package var app: AppID
    /// Counts up in its app from 1; 0 until it is stored.
    package var number = 0
    package var device: DeviceID
    package var user: String
    package var fault: IdentityFault
    package var isRefused: Bool
    package var at: Instant

    package init(app: AppID, device: DeviceID, user: String, fault: IdentityFault, isRefused: Bool, at: Instant) {
        self.app = app
        self.device = device
        self.user = user
        self.fault = fault
        self.isRefused = isRefused
        self.at = at
    }
}

/// What a proof comes to.
package enum IdentityFinding: Sendable, Hashable {
    /// The key with this id has signed the proof, which is good until a moment.
    case holds(key: String, until: Instant)
    case fails(IdentityFault)
}

/// Proofs of who a phone's user is, by an app's public keys.
package protocol IdentityVerifier: Sendable {
    /// What kind of key a text is; nil where it is none that is taken.
    func kind(of text: String) -> IdentityKey.Kind?
    /// - Parameter proof: what the app's backend signed; nil where the phone showed nothing.
    func finding(
        of proof: String?, for user: String, keys: [IdentityKey], on terms: ProofTerms, at now: Instant
    ) async -> IdentityFinding
}

/// Takes no key, and no proof for one.
package struct NoIdentityVerifier: IdentityVerifier {
    package init() {}
    package func kind(of text: String) -> IdentityKey.Kind? { nil }
    package func finding(
        of proof: String?, for user: String, keys: [IdentityKey], on terms: ProofTerms, at now: Instant
    ) async -> IdentityFinding { .fails(.publicKeyError) }
}

/// How an app's users prove who they are.
package protocol IdentityLedger: AnyObject {
    /// In the order of the ids' bytes.
    func identityKeys(of app: AppID) throws -> [IdentityKey]
    /// Takes the place of the one with this id.
    func put(_ key: IdentityKey) throws
    /// - Returns: whether there was one.
    func removeIdentityKey(_ id: String, of app: AppID) throws -> Bool
    /// Makes users unproven again that this key has proven, and those of which the key is not known.
    ///
    /// Users of imported devices stay proven.
    func unprove(by key: String, in app: AppID) throws
    /// Numbers a failure in its app and keeps it; of each app at most `limit`, the newest.
    func note(_ failure: IdentityFailure, limit: Int) throws
    /// Those of an app with numbers below one, newest first; nil begins at the newest.
    func identityFailures(of app: AppID, before number: Int?, limit: Int) throws -> [IdentityFailure]
    /// Notes that a device has shown a proof.
    ///
    /// - Returns: false if another one has shown it before.
    func use(_ proof: UsedProof, by device: DeviceID, in app: AppID) throws -> Bool
    /// Removes proofs that are good no more, and says how many.
    func removeProofs(before moment: Instant, limit: Int) throws -> Int
    func removeIdentityFailures(of user: String, in app: AppID) throws
}

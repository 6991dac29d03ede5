/// The mode in which an app's users are proven.
package enum IdentityMode: String, Sendable, Hashable, CaseIterable {
    /// The user that a phone names is believed.
    case off
    /// The user that a phone names is believed. Failed proofs are counted and listed.
    case report
    /// A phone with a failed proof gets no user.
    case require
}

/// A public key with which an app's backend proves the users of phones. The private part never comes here.
package struct IdentityKey: Sendable, Hashable {
    /// The kind of key. The signature algorithm follows from it, whatever a proof says.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case rsa = "RS256"
        case p256 = "ES256"
    }

    /// The most keys of one app: one in use, one to come and one to go.
    package static let limit = 3
    /// The most bytes of a key's text. An RSA key of 8,192 bits has fewer.
    package static let textBytes = 2_048

    package var app: AppID
    /// The name that the caller gave it.
    package var id: String
    package var kind: Kind
    /// The key as PEM text.
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

/// A fault of a proof. Names and numbers are Braze's, so that apps that come from Braze know them; the last one is
/// Eyot's own.
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
    /// Another phone has shown the proof before.
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

/// The verdict on a phone's user.
package enum IdentityVerdict: Sendable, Hashable {
    /// The app asks for no proof.
    case unasked
    /// The key with this id has signed the proof.
    case proven(by: String, proof: UsedProof? = nil)
    /// The key with this id has signed the proof, and another phone has shown it before.
    case repeated(by: String)
    /// The proof does not hold, and the app only reports failures.
    case reported(IdentityFault)
    /// The proof does not hold, so the phone gets no user.
    case refused(IdentityFault)

    package var fault: IdentityFault? {
        switch self {
        case .unasked, .proven: nil
        case .repeated: .replayed
        case .reported(let fault), .refused(let fault): fault
        }
    }
}

/// A record of a proof that did not hold. An app keeps its newest failures.
package struct IdentityFailure: Sendable, Hashable {
    /// The most failures of each app.
    package static let limit = 1_000

    package var app: AppID
    /// Rises in its app from 1; 0 until it is stored.
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

/// The result of checking a proof.
package enum IdentityFinding: Sendable, Hashable {
    /// The key with this id has signed the proof, which is good until a moment.
    case holds(key: String, until: Instant)
    case fails(IdentityFault)
}

/// A verifier of proofs of phones' users, by an app's public keys.
package protocol IdentityVerifier: Sendable {
    /// Returns the kind of a key; nil if the text is no key that is accepted.
    func kind(of text: String) -> IdentityKey.Kind?
    /// Checks a proof.
    ///
    /// - Parameter proof: the token that the app's backend signed; nil if the phone showed none.
    func finding(
        of proof: String?, for user: String, keys: [IdentityKey], on terms: ProofTerms, at now: Instant
    ) async -> IdentityFinding
}

/// A verifier that accepts no key and no proof.
package struct NoIdentityVerifier: IdentityVerifier {
    package init() {}
    package func kind(of text: String) -> IdentityKey.Kind? { nil }
    package func finding(
        of proof: String?, for user: String, keys: [IdentityKey], on terms: ProofTerms, at now: Instant
    ) async -> IdentityFinding { .fails(.publicKeyError) }
}

/// The identity keys, proofs and failures of apps.
package protocol IdentityLedger: AnyObject {
    /// The identity keys of an app, in the order of the ids' bytes.
    func identityKeys(of app: AppID) throws -> [IdentityKey]
    /// Stores a key in place of the former one with that id.
    func put(_ key: IdentityKey) throws
    /// - Returns: whether there was one.
    func removeIdentityKey(_ id: String, of app: AppID) throws -> Bool
    /// Makes the users unproven that this key has proven, and those with an unknown key.
    ///
    /// Users of imported devices stay proven.
    func unprove(by key: String, in app: AppID) throws
    /// Numbers a failure and stores it.
    func note(_ failure: IdentityFailure) throws
    /// Failures of an app with numbers below `number`, newest first; nil begins at the newest.
    func identityFailures(of app: AppID, before number: Int?, limit: Int) throws -> [IdentityFailure]
    /// Records that a device has shown a proof.
    ///
    /// - Returns: false if another device has shown it before.
    func use(_ proof: UsedProof, by device: DeviceID, in app: AppID) throws -> Bool
    /// Removes proofs that were good until before a moment, up to a limit.
    ///
    /// - Returns: how many it removed.
    func removeProofs(before moment: Instant, limit: Int) throws -> Int
    func removeIdentityFailures(of user: String, in app: AppID) throws
}

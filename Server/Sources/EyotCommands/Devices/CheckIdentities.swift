import EyotContract
import EyotDomain

/// The check of the users that a phone names. It runs before anything is written, once for each time a user is named.
package struct CheckIdentities: Sendable {
    let store: any Store
    let verifier: any IdentityVerifier

    package init(store: any Store, verifier: any IdentityVerifier) {
        self.store = store
        self.verifier = verifier
    }

    /// Checks the user that a registration names.
    package func callAsFunction(
        _ registration: DeviceRegistration, in app: AppID, at now: Instant
    ) async throws -> IdentityVerdict {
        guard let user = registration.user, let policy = try await policy(of: app) else { return .unasked }
        return await verdict(user, registration.signature, policy, at: now)
    }

    /// Checks the users that changes name.
    ///
    /// - Returns: The verdicts by the sequences of the changes.
    package func callAsFunction(
        _ changes: [DeviceChange], in app: AppID, at now: Instant
    ) async throws -> [Int: IdentityVerdict] {
        var verdicts: [Int: IdentityVerdict] = [:]
        let names = changes.filter { change in
            if case .identify = change.action { true } else { false }
        }
        guard !names.isEmpty, let policy = try await policy(of: app) else { return [:] }
        for change in names {
            guard case .identify(let user, let signature) = change.action else { continue }
            verdicts[change.sequence] = await verdict(user, signature, policy, at: now)
        }
        return verdicts
    }

    private struct Policy {
        var mode: IdentityMode
        var keys: [IdentityKey]
        var terms: ProofTerms
    }

    /// The app's policy, or nil if the app asks for no proof.
    private func policy(of id: AppID) async throws -> Policy? {
        try await store.read { ledger in
            guard let app = try ledger.app(id), let mode = app.identityMode, mode != .off else { return nil }
            return Policy(mode: mode, keys: try ledger.identityKeys(of: id), terms: app.proofTerms)
        }
    }

    private func verdict(
        _ user: String, _ signature: IdentitySignature?, _ policy: Policy, at now: Instant
    ) async -> IdentityVerdict {
        switch await verifier.finding(of: signature?.text, for: user, keys: policy.keys, on: policy.terms, at: now) {
        case .holds(let key, let end): .proven(by: key, proof: signature.map { UsedProof($0, until: end) })
        case .fails(let fault): policy.mode == .require ? .refused(fault) : .reported(fault)
        }
    }
}

extension UsedProof {
    /// Identifies a proof by its signed part, because a signature has two valid forms.
    fileprivate init(_ signature: IdentitySignature, until end: Instant) {
        let text = signature.text
        self.init(hash: Keyring.hash(of: String(text[..<(text.lastIndex(of: ".") ?? text.endIndex)])), until: end)
    }
}

extension Device {
    /// Sets the user that the phone names, and records a proof that does not hold.
    ///
    /// - Returns: The refusal for the answer to the phone, or nil.
    mutating func identify(
        _ user: String, _ verdict: IdentityVerdict, _ ledger: any Ledger, at now: Instant
    ) throws -> IdentityRefusal? {
        let isKnown = isProven && self.user == user
        identify(user, verdict, at: now)
        guard !isKnown, let fault = verdict.fault else { return nil }
        let isRefused = self.user != user
        try ledger.note(
            IdentityFailure(app: app, device: id, user: user, fault: fault, isRefused: isRefused, at: now))
        return isRefused ? IdentityRefusal(user: user, reason: fault.rawValue, number: fault.number) : nil
    }
}

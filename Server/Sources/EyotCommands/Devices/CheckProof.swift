import EyotDomain

/// The check whether another phone has already shown a token. It records which phone shows the token.
struct CheckProof {
    let ledger: any Ledger

    /// - Returns: The verdict on the token for this phone.
    func callAsFunction(_ verdict: IdentityVerdict, of device: Device) throws -> IdentityVerdict {
        guard case .proven(let key, let proof?) = verdict,
            try !ledger.use(proof, by: device.id, in: device.app)
        else { return verdict }
        guard let app = try ledger.app(device.app), app.proofTerms.isForOneDevice else { return .repeated(by: key) }
        return app.identityMode == .require ? .refused(.replayed) : .reported(.replayed)
    }
}

import EyotDomain

/// Finds out whether another phone has shown a token before, and notes which phone shows it.
struct CheckProof {
    let ledger: any Ledger

    /// - Returns: what the token comes to on this phone.
    func callAsFunction(_ verdict: IdentityVerdict, of device: Device) throws -> IdentityVerdict {
        guard case .proven(let key, let proof?) = verdict,
            try !ledger.use(proof, by: device.id, in: device.app)
        else { return verdict }
        guard let app = try ledger.app(device.app), app.proofTerms.isForOneDevice else { return .repeated(by: key) }
        return app.identityMode == .require ? .refused(.replayed) : .reported(.replayed)
    }
}

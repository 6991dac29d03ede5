/// A provider token of an APNs key, which all nodes on the store use.
package struct SharedToken: Sendable, Hashable {
    /// Names team, key id and public key.
    package let fingerprint: String
    package let issuedAt: Instant
    package let sealed: SealedSecret

    package init(fingerprint: String, issuedAt: Instant, sealed: SealedSecret) {
        (self.fingerprint, self.issuedAt, self.sealed) = (fingerprint, issuedAt, sealed)
    }
}

import EyotDomain

extension Backend {
    /// Removes something. It first checks by reading, so that a missing thing costs no write.
    ///
    /// - Parameters:
    ///   - unknown: the error if there is no such thing.
    ///   - isThere: whether it exists.
    ///   - remove: removes it; false if another call has just done so.
    func remove(
        orThrow unknown: EyotError, where isThere: @escaping @Sendable (any Ledger) throws -> Bool,
        _ remove: @escaping @Sendable (any Ledger) throws -> Bool
    ) async throws -> Answer {
        guard try await store.read(isThere), try await store.write(remove) else { throw unknown }
        return Answer(.noContent, nil)
    }
}

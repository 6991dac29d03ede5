import EyotDomain

extension Backend {
    /// Removes something. Whether it is there is asked by reading, so that what is not there keeps nobody from writing.
    ///
    /// - Parameters:
    ///   - unknown: what is thrown where there is none.
    ///   - isThere: whether there is one.
    ///   - remove: removes it; false where somebody else just has.
    func remove(
        orThrow unknown: EyotError, where isThere: @escaping @Sendable (any Ledger) throws -> Bool,
        _ remove: @escaping @Sendable (any Ledger) throws -> Bool
    ) async throws -> Answer {
        guard try await store.read(isThere), try await store.write(remove) else { throw unknown }
        return Answer(.noContent, nil)
    }
}

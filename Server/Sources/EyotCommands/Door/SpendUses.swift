import EyotDomain

/// The transaction that counts uses of a limited source for all nodes.
package struct SpendUses: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// - Parameter uses: The uses of one node since it last counted. The newest is not spent if too few are left.
    /// - Returns: What is left, and whether the newest use is allowed.
    package func callAsFunction(
        _ uses: Int, of source: LimitedSource, at rate: Rate
    ) throws -> (left: RateBucket, isAllowed: Bool) {
        var bucket = rate.bucket(fullAt: try ledger.fullAt(source), at: now)
        let isAllowed = bucket.level >= Double(uses)
        bucket.level -= Double(isAllowed ? uses : uses - 1)
        try ledger.put(fullAt: rate.fullAt(bucket), of: source)
        return (bucket, isAllowed)
    }
}

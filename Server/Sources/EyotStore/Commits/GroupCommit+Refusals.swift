import EyotDomain

/// What health and readiness learn of writes that the database did not take.
extension GroupCommit {
    /// The reason for which the database refuses writes at the moment; nil if it refuses none.
    package var refusal: StoreError? { refused.all.first?.error }

    /// Whether the last write that reached the disk found it full.
    package var isDiskFull: Bool { refused.all.contains { $0.error == .diskFull } }

    /// Why the store took no write at the last attempt; nil if no refusal is known.
    package var trouble: StoreError? { heldBy ?? refusal ?? lastFailure }

    /// Notes a read or a write that the database refused.
    ///
    /// - Parameter body: It is run again, and undone, to see whether the refusal lasts.
    package func note(_ error: StoreError, of body: @escaping @Sendable (any Ledger) throws -> Void) {
        if error.isRefusal, !error.isOutage { refused.note(error, body) }
    }

    /// Forgets what an attempt of another kind has found to be over.
    package func clear(_ error: StoreError) {
        for refusal in refused.all where refusal.error.kind == error.kind { refused.clear(refusal) }
    }

    /// Runs each refused write again and undoes it. Those that the database does not refuse any longer are forgotten.
    package func retryRefused() async {
        for refusal in refused.all {
            do {
                try await tryAgain(refusal.body)
                refused.clear(refusal)
            } catch let error as StoreError where error.isRefusal || error.isOutage || error.isTransient {
                continue
            } catch {
                refused.clear(refusal)
            }
        }
    }

    private func tryAgain(_ body: @escaping @Sendable (any Ledger) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            var write = QueuedWrite(
                run: { ledger in
                    try body(ledger)
                    return { continuation.resume() }
                },
                fail: { continuation.resume(throwing: $0) }, isUndone: true)
            write.isRetry = true
            submit(write)
        }
    }

    /// Notes the writes that the database has refused, and counts each for metrics.
    ///
    /// - Parameter failure: The error of the transaction, which is counted already.
    func noteRefused(_ batch: CommitBatch, besides failure: StoreError?) {
        for (write, error) in batch.refused where !write.isRetry {
            guard let error = error as? StoreError, error.isRefusal, !error.isOutage else { continue }
            refused.note(error) { _ = try write.run($0) }
            if error != failure { observe(CommitReport(failure: error)) }
        }
    }

    /// Notes a transaction that failed, for the first of its writes.
    func noteFailed(_ error: StoreError, _ batch: CommitBatch) {
        observe(CommitReport(failure: error))
        guard error.isRefusal, !error.isOutage else { return }
        guard let write = batch.written.first(where: { !$0.isRetry }) else { return }
        refused.note(error) { _ = try write.run($0) }
    }
}

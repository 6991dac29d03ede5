/// One transaction at work: the store's side of it, and the moment that it counts as.
///
/// A transaction may run again, so its moment comes from outside and stays the same.
package struct Transaction {
    package let ledger: any Ledger
    package let now: Instant

    package init(_ ledger: any Ledger, at now: Instant) {
        self.ledger = ledger
        self.now = now
    }
}

/// A change or a question of the model that needs one transaction, and nothing else.
///
/// A use case with a single call is called like a function: `ResumeApp(transaction)(app)`.
package protocol UseCase {
    var transaction: Transaction { get }
}

extension UseCase {
    package var ledger: any Ledger { transaction.ledger }
    package var now: Instant { transaction.now }
}

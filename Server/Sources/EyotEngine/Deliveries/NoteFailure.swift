import EyotDomain

/// The transaction that notes why no push of an app gets through in an environment, or that one did.
package struct NoteFailure: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    package func callAsFunction(_ news: AppleNews) throws {
        guard let former = try ledger.app(news.place.app) else { return }
        var app = former
        app.note(news.failure, in: news.place.environment)
        if app != former { try transaction.update(app, from: former) }
    }
}

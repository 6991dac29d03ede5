import EyotDomain
import EyotStore

/// The way back from a move: the database that was moved away is used again.
package struct ReopenDatabase {
    private let configuration: ServerConfiguration

    package init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    /// Removes the mark that servers refuse. The apps stay halted.
    ///
    /// - Returns: The mark; nil if there was none.
    /// - Throws: ``StoreError`` and ``StartFault``.
    package func callAsFunction() throws -> MoveMark? {
        try configuration.requireDatabase()
        let second = FormerSecond()
        return try configuration.database.withSide(isNew: false, at: AdjustableClock().now) { side in
            guard let mark = try MoveMark.newest(.to, on: side.connection, side.dialect) else { return nil }
            try MoveMark.removeAway(on: side)
            // The copy may have answered phones meanwhile.
            let ledger = SQLLedger(side.connection)
            try ledger.begin(.fresh(.reopened, at: AdjustableClock().now))
            second.pass()
            try side.commit()
            return mark
        }
    }
}

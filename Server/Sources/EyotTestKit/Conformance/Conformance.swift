import EyotDomain

/// A difference between a store or a ledger and the contract of its port.
package struct Violation: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A check that every ledger must pass, alone and within one transaction. The ledger is empty.
package struct LedgerCheck: Sendable, CustomStringConvertible {
    package let description: String
    package let run: @Sendable (any Ledger) throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (any Ledger) throws -> Void) {
        self.description = description
        self.run = run
    }

    /// The checks for every ledger, including the reference in memory.
    package static let all: [LedgerCheck] =
        apps + answers + audit + identities + devices + arrivals + audiences + expressions + people + live + members
        + planning
        + activities + replicas + ring
        + channels + due
        + pruning + removal + alertMarks + histories + nodes + schemas + vendorRecords + events + counts + overview
        + definitions + joining
        + webhooks + panel

    /// The checks for ledgers of a database.
    package static let ofDatabases = all + constraints
}

/// A check that every store must pass with many callers. The store is empty.
package struct StoreCheck: Sendable, CustomStringConvertible {
    package let description: String
    package let run: @Sendable (any Store) async throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (any Store) async throws -> Void) {
        self.description = description
        self.run = run
    }

    /// The checks that are of stores alone.
    package static let ofStores = transactions + concurrency + refusals + events

    /// All checks: those of stores, and those of ledgers in one transaction each.
    package static let all: [StoreCheck] =
        ofStores
        + LedgerCheck.ofDatabases.map { check in
            StoreCheck(check.description) { store in try await store.write { try check.run($0) } }
        }
}

// MARK: - Saying what is wrong

func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    guard holds else { throw Violation(what()) }
}

func require<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
    guard found == expected else { throw Violation("\(what()): found \(found), expected \(expected)") }
}

func requireRefusal(of what: String, _ body: () throws -> Void) throws {
    do { try body() } catch { return }
    throw Violation("\(what) was taken")
}

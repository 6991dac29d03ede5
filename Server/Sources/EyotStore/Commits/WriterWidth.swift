/// How many writers of a store work at the same time.
///
/// Transactions that change the same rows only undo each other's work, and many writes in one transaction cost no more
/// commits than one. So a conflict halves the number, and commits without one raise it again.
struct WriterWidth {
    /// Commits without a conflict, for each writer at work, after which one more may work.
    static let calm = 32

    private let most: Int
    private(set) var present: Int
    private var commits = 0

    init(upTo most: Int) { (self.most, present) = (most, most) }

    mutating func noteConflict() { (present, commits) = (max(1, present / 2), 0) }

    mutating func noteCommit() {
        guard present < most else { return }
        commits += 1
        if commits >= Self.calm * present { (present, commits) = (present + 1, 0) }
    }
}

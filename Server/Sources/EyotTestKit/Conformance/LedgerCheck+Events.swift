import EyotDomain

extension LedgerCheck {
    static let events = [
        LedgerCheck("The newest echo of a card is kept, and goes with its replica") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            let device = try rows.device("phone", in: app)
            let owner = try rows.activity(in: app)
            for ordinal in 1...2 { try rows.replica(ordinal, of: owner, on: device) }
            let activity = owner.id
            func echo(_ ordinal: Int, _ version: Version) -> Echo {
                Echo(activity: activity, ordinal: ordinal, version: version, at: .after(Int64(version)))
            }
            for one in [echo(1, 3), echo(2, 4), echo(1, 5)] { try ledger.put(one) }
            try require(ledger.echo(of: activity, ordinal: 1), is: echo(1, 5), "the newest")
            try require(ledger.echo(of: activity, ordinal: 3), is: nil, "of no card")
            let older = try ledger.echoes(of: activity, upTo: 2, below: 5, limit: 9)
            try require(older, is: [echo(2, 4)], "of an older version")
            let first = try ledger.echoes(of: activity, upTo: 2, below: 9, limit: 1)
            try require(first, is: [echo(1, 5)], "the first of the cards")
            try require(ledger.echoes(of: activity, upTo: 1, below: 5, limit: 9), is: [], "of cards that come later")
            try ledger.removeEcho(of: activity, ordinal: 1)
            try require(ledger.echo(of: activity, ordinal: 1), is: nil, "removed")
            _ = try ledger.removeReplicas(of: activity, limit: 1)
            try require(ledger.echo(of: activity, ordinal: 2), is: nil, "gone with the replica")
        }
    ]
}

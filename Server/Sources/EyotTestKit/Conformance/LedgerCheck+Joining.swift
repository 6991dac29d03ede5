import EyotDomain

extension LedgerCheck {
    static let joining = [
        LedgerCheck(
            "An activity has one join secret, the one that was put last, until it is removed or the activity goes"
        ) {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (one, two) = (try rows.activity("a", in: app), try rows.activity("b", in: app))
            func secret(_ activity: Activity, _ byte: UInt8) -> KeptJoinSecret {
                KeptJoinSecret(
                    activity: activity.id, hash: SecretHash(bytes: [0, byte, 255]), hint: "h\(byte)",
                    madeAt: .after(Int64(byte)))
            }
            try require(ledger.joinSecret(of: one.id), is: nil, "before there is one")
            for kept in [secret(one, 1), secret(two, 2), secret(one, 3)] { try ledger.put(kept) }
            try require(ledger.joinSecret(of: one.id), is: secret(one, 3), "the one that was put last")
            try require(ledger.joinSecret(of: two.id), is: secret(two, 2), "another activity's")
            try require(ledger.removeJoinSecret(of: one.id), is: true, "one that is there")
            try require(ledger.removeJoinSecret(of: one.id), is: false, "one that is gone")
            try require(ledger.joinSecret(of: one.id), is: nil, "after it was removed")
            try ledger.removeActivity(two.id)
            try require(ledger.joinSecret(of: two.id), is: nil, "of an activity that is gone")
        }
    ]
}

import EyotDomain

extension LedgerCheck {
    static let audit = [
        LedgerCheck("Changes are numbered in their app, those beyond its newest are found, and the oldest go first") {
            ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            func entry(_ app: AppID?, _ time: Int64, _ address: String? = nil) -> AuditEntry {
                AuditEntry(
                    app: app, at: .after(time), key: 3, hint: "eyot_sk_abcd…", method: "PUT", route: "/v1/keys/{id}",
                    subject: "id=\(time)", status: 200, address: address)
            }
            for time in 1...5 { try ledger.note(entry(app, Int64(time), time == 5 ? "::2" : nil)) }
            try ledger.note(entry(nil, 2))
            try trim(.changes, of: app, to: 3, ledger)
            let numbers = try ledger.auditEntries(of: app, before: nil, limit: 9).map(\.number)
            try require(numbers.sorted(by: >), is: numbers, "numbers that rise")
            try require(Set(numbers).count, is: 3, "as many as the limit allows")
            let kept = zip(numbers, [5, 4, 3]).map { number, time in
                var kept = entry(app, Int64(time), time == 5 ? "::2" : nil)
                kept.number = number
                return kept
            }
            try require(ledger.auditEntries(of: app, before: nil, limit: 9), is: kept, "the newest")
            try require(ledger.auditEntries(of: app, before: numbers[0], limit: 1), is: [kept[1]], "those before")
            try require(ledger.auditEntries(of: nil, before: nil, limit: 9).count, is: 1, "the operator's own")
            try require(ledger.removeAuditEntries(before: .after(4), limit: 1), is: 1, "the oldest")
            try require(ledger.auditEntries(of: nil, before: nil, limit: 9), is: [], "it was the operator's")
            try require(ledger.removeAuditEntries(before: .after(4), limit: 9), is: 1, "the others")
            try require(
                ledger.auditEntries(of: app, before: nil, limit: 9).map(\.at), is: [.after(5), .after(4)],
                "what is left")
        },
        LedgerCheck("Reads and refusals are kept as changes are, beside them") { ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            func entry(_ app: AppID?, _ time: Int64, _ kind: AccessEntry.Kind = .read) -> AccessEntry {
                let call = AuditEntry(
                    app: app, at: .after(time), key: 3, hint: "eyot_sk_abcd…", method: "GET", route: "/v1/devices",
                    subject: "", status: 200, address: "::1")
                var entry = AccessEntry(kind, call)
                entry.repeated = kind == .refusal ? 7 : 0
                return entry
            }
            try ledger.note([entry(app, 1), entry(nil, 1, .refusal), entry(app, 2)])
            try ledger.note([entry(app, 3), entry(app, 4, .refusal)])
            try trim(.accesses, of: app, to: 3, ledger)
            let numbers = try ledger.accessEntries(of: app, before: nil, limit: 9).map(\.call.number)
            let kept = zip(numbers, [4, 3, 2]).map { number, time in
                var kept = entry(app, Int64(time), time == 4 ? .refusal : .read)
                kept.call.number = number
                return kept
            }
            try require(kept.count, is: 3, "as many as the limit allows")
            try require(ledger.accessEntries(of: app, before: nil, limit: 9), is: kept, "the newest")
            try require(ledger.accessEntries(of: app, before: numbers[0], limit: 1), is: [kept[1]], "those before")
            try require(ledger.accessEntries(of: nil, before: nil, limit: 9).map(\.repeated), is: [7], "about no app")
            try require(ledger.auditEntries(of: app, before: nil, limit: 9), is: [], "no change")
            try require(ledger.removeAccessEntries(before: .after(3), limit: 9), is: 2, "the oldest")
            try require(
                ledger.accessEntries(of: app, before: nil, limit: 9).map(\.call.at), is: [.after(4), .after(3)],
                "what is left")
        },
    ]

    /// Removes the oldest rows of an app's log, one at a time.
    static func trim(_ log: AppLog, of app: AppID, to limit: Int, _ ledger: any Ledger) throws {
        while let number = try ledger.newestNumber(beyond: limit, in: log, of: app) {
            try require(ledger.removeRows(upTo: number, from: log, of: app, limit: 1), is: 1, "one at a time")
        }
        try require(ledger.removeRows(upTo: 0, from: log, of: app, limit: 9), is: 0, "nothing else")
    }
}

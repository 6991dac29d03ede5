import EyotContract
import EyotDomain

extension LedgerCheck {
    static let (acme, other) = (KeyPlane(rawValue: "acme"), KeyPlane(rawValue: "other"))

    static let vendorRecords = [
        LedgerCheck("Vendors' records are kept by app, vendor and id, and forgotten when they have ended") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func record(_ app: AppID, _ id: String, _ end: Int64, of vendor: KeyPlane = acme) -> VendorRecord {
                VendorRecord(
                    app: app, vendor: vendor, id: id, users: ["é", "a\"b"], content: ["n": 1.50], endsAt: .after(end))
            }
            func key(_ id: String, of vendor: KeyPlane = acme) -> VendorRecord.Key { .init(vendor: vendor, id: id) }
            var first = record(one, "a", 1)
            let stranger = record(one, "a", 1, of: other)
            for one in [first, record(one, "b", 2), record(two, "a", 3), stranger] { try ledger.put(one) }
            (first.content, first.users, first.endsAt) = (["state": "started"], [], .after(4))
            try ledger.put(first)
            try require(ledger.vendorRecord(key("a"), in: one), is: first, "as it was stored last")
            try require(ledger.vendorRecord(key("a"), in: two), is: record(two, "a", 3), "another app's")
            try require(ledger.vendorRecord(key("b"), in: two), is: nil, "another app's id")
            try ledger.forgetVendorRecords(of: acme, endedBefore: .after(4), limit: 1)
            try require(ledger.vendorRecord(key("b"), in: one), is: nil, "the oldest")
            try require(ledger.vendorRecord(key("a"), in: two) != nil, "beyond the limit")
            try ledger.forgetVendorRecords(of: acme, endedBefore: .after(4), limit: 5)
            try require(ledger.vendorRecord(key("a"), in: two), is: nil, "ended before")
            try require(ledger.vendorRecord(key("a"), in: one), is: first, "not ended yet")
            try require(ledger.vendorRecord(key("a", of: other), in: one), is: stranger, "another vendor's")
        },
        LedgerCheck("Activities are found by a user whom they name, page by page, whatever letters the id has") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let user = #"a%_\"é"#
            func activity(_ name: String, _ app: AppID, _ users: Set<String>) throws -> ActivityID {
                var activity = try ledger.insertActivity(named: name, in: app, generation: 1, type: nil, at: .after(1))
                activity.users = users
                try ledger.update(activity)
                for vendor in [acme, other] where vendor == acme || name == "a" {
                    try ledger.put(
                        VendorRecord(
                            app: app, vendor: vendor, id: name, users: users.sorted(), content: [:], endsAt: .after(9)))
                }
                return activity.id
            }
            let first = try activity("a", one, ["b", user])
            for (name, users) in [("b", ["b"]), ("c", []), ("d", [#"axx\"é"#])] {
                _ = try activity(name, one, Set(users))
            }
            _ = try activity("e", two, [user])
            let last = try activity("f", one, [user])
            let none = ActivityID(rawValue: 0)
            try require(ledger.activities(naming: user, in: one, after: none, limit: 9), is: [first, last], "all")
            try require(ledger.activities(naming: user, in: one, after: first, limit: 9), is: [last], "the next page")
            try require(ledger.activities(naming: user, in: one, after: none, limit: 1), is: [first], "the first page")
            let keys = [(acme, "a"), (acme, "f"), (other, "a")].map { VendorRecord.Key(vendor: $0, id: $1) }
            try require(ledger.vendorRecords(naming: user, in: one, after: nil, limit: 9), is: keys, "records")
            for (index, key) in keys.enumerated() {
                let rest = Array(keys.dropFirst(index + 1))
                try require(ledger.vendorRecords(naming: user, in: one, after: key, limit: 9), is: rest, "later ones")
            }
        },
    ]
}

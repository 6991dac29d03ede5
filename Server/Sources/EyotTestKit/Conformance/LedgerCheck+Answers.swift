import EyotContract
import EyotDomain

extension LedgerCheck {
    private static func answered(_ app: AppID?, _ key: String, _ byte: UInt8, at second: Int64) -> AnsweredRequest {
        AnsweredRequest(
            app: app, request: Idempotency(key: key, digest: [byte, 0, 255]),
            answer: KeptAnswer(status: 200 + Int(byte), body: nil), answeredAt: .after(second))
    }

    static let answers = [
        LedgerCheck("An answer is kept whole, and found by its key in its own app alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            var first = answered(one, "k", 1, at: 1)
            first.answer.body = try JSONValue(parsing: Array(#"{"z":2.50,"a":[1e3,null,"é\n"]}"#.utf8))
            first.answer.headers = ["etag": #""2-14""#, "a": ""]
            let (foreign, own) = (answered(two, "k", 2, at: 2), answered(nil, "k", 3, at: 3))
            for request in [first, foreign, own] { try ledger.keep(request) }
            try require(ledger.answeredRequest(key: "k", of: one), is: first, "the first")
            try require(ledger.answeredRequest(key: "k", of: two), is: foreign, "the other app's")
            try require(ledger.answeredRequest(key: "k", of: nil), is: own, "the operator's")
            try require(ledger.answeredRequest(key: "K", of: one), is: nil, "another key")
            let newer = answered(one, "k", 4, at: 4)
            try ledger.keep(newer)
            try require(ledger.answeredRequest(key: "k", of: one), is: newer, "in place of the older one")
        },
        LedgerCheck("Of each app the answers beyond its newest are found, and old ones are forgotten") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            for second in 1...6 {
                try ledger.keep(answered(one, "k\(second)", 1, at: Int64(second)))
                try ledger.keep(answered(two, "k\(second)", 1, at: Int64(second)))
            }
            func keys(_ app: AppID) throws -> [Int] {
                try (1...6).filter { try ledger.answeredRequest(key: "k\($0)", of: app) != nil }
            }
            try ledger.keep(answered(one, "k1", 2, at: 7))
            try trim(.answers, of: one, to: 4, ledger)
            try require(keys(one), is: [1, 4, 5, 6], "up to the limit, and one that was renewed")
            try require(keys(two), is: [1, 2, 3, 4, 5, 6], "the other app's")
            try require(ledger.forgetAnswers(before: .after(4), limit: 2), is: 2, "as many as may go")
            try require(keys(two), is: [3, 4, 5, 6], "the oldest")
            try require(ledger.forgetAnswers(before: .after(4), limit: 9), is: 1, "the others")
            try require(keys(two), is: [4, 5, 6], "all that are too old")
            try require(keys(one), is: [1, 4, 5, 6], "of every app")
        },
    ]
}

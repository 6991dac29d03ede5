import EyotContract
import EyotDomain

extension LedgerCheck {
    /// Checks of what a database takes or refuses although the program never tries it. The ledger in memory does not.
    package static let constraints = [
        LedgerCheck("Names that look alike and differ in their bytes are different names") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let composed = try rows.activity("caf\u{E9}", in: app)
            let decomposed = try rows.activity("cafe\u{301}", in: app)
            try require(ledger.newestActivity(named: "caf\u{E9}", in: app)?.id, is: composed.id, "composed")
            try require(ledger.newestActivity(named: "cafe\u{301}", in: app)?.id, is: decomposed.id, "decomposed")
        },
        LedgerCheck("Text with a NUL is refused rather than cut off") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            try requireRefusal(of: "a name with a NUL") { _ = try rows.activity("m\0n", in: app) }
            try require(ledger.newestActivity(named: "m", in: app), is: nil, "the part before the NUL")
        },
        LedgerCheck("An audience that is too deep or too long is refused") { ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            let deep = (0..<Audience.resolvedDepthLimit).reduce(Audience.all) { inner, _ in .not(inner) }
            let most = Audience.or((0..<Audience.resolvedSelectorLimit).map { .not(.tag("\($0)")) })
            _ = try ledger.devices(in: most, of: app, after: DeviceID(rawValue: 0), limit: 1)
            let joined = Audience.and(Array(repeating: .or([]), count: Audience.resolvedConnectiveLimit))
            for audience in [deep, .or([most, .tag("t")]), joined, .and([.tag("t"), deep])] {
                try requireRefusal(of: "an audience") {
                    _ = try ledger.devices(in: audience, of: app, after: DeviceID(rawValue: 0), limit: 1)
                }
            }
        },
    ]
}

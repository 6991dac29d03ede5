import EyotContract
import EyotDomain

extension LedgerCheck {
    static let live = [
        LedgerCheck("Audiences that stay open are kept by declaration, and changed devices in their order, once each") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let (first, second) = (try rows.activity("a", in: app), try rows.activity("b", in: app))
            func audience(_ activity: Activity, _ version: Int) -> LiveAudience {
                LiveAudience(
                    app: activity.app, activity: activity.id, asked: .init(audience: ["tag": "fans"], limit: 5),
                    start: StartTerms(
                        attributesVersion: version, isScoped: true, alerted: 2, startsAt: ConformanceRows.now,
                        isForced: false, restartsDismissed: true))
            }
            var one = audience(first, 1)
            let (two, three) = (audience(first, 2), audience(second, 1))
            for live in [three, two, one] { try ledger.put(live) }
            try require(ledger.liveAudiences(of: app, limit: 9), is: [one, two, three], "the app's")
            try require(ledger.liveAudiences(of: app, limit: 1), is: [one], "up to a limit")
            try require(ledger.liveAudiences(of: other, limit: 9), is: [], "another app's")
            one.looked = nil
            one.started = 3
            one.start.asOf = .after(-3)
            try ledger.put(one)
            try require(ledger.liveAudience(of: first.id, version: 1), is: one, "changed")
            try require(ledger.unlookedLiveAudiences(limit: 9), is: [two, three], "those to look at")
            try ledger.remove(two)
            try ledger.removeActivity(second.id)
            try require(ledger.liveAudiences(of: app, limit: 9), is: [one], "what is left")
            let devices = try ["x", "y", "z"].map { try rows.device($0, in: app).id }
            for index in [2, 0, 2, 1] { try ledger.noteChanged(devices[index]) }
            try require(ledger.changedDevices(limit: 2), is: [devices[2], devices[0]], "in the order of their changes")
            try ledger.removeChanged(devices[2])
            try ledger.noteChanged(devices[2])
            try require(ledger.changedDevices(limit: 9), is: [devices[0], devices[1], devices[2]], "changed again")
        }
    ]
}

import EyotDomain

extension LedgerCheck {
    static let identities = [
        LedgerCheck("Identity keys are an app's own, and a new one takes the place of that with its id") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func key(_ app: AppID, _ id: String, _ kind: IdentityKey.Kind = .rsa) -> IdentityKey {
                IdentityKey(app: app, id: id, kind: kind, text: "text of \(id) \(kind)", addedAt: .after(1))
            }
            for key in [key(one, "b"), key(two, "b"), key(one, "B"), key(one, "b", .p256)] { try ledger.put(key) }
            try require(ledger.identityKeys(of: one), is: [key(one, "B"), key(one, "b", .p256)], "of the first app")
            try require(ledger.removeIdentityKey("b", of: one), is: true, "there was one")
            try require(ledger.removeIdentityKey("b", of: one), is: false, "there is none any more")
            try require(ledger.identityKeys(of: one), is: [key(one, "B")], "what is left")
            try require(ledger.identityKeys(of: two), is: [key(two, "b")], "of the second app")
        },
        LedgerCheck("Failed proofs are numbered in their app, and those beyond its newest are found") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func failure(_ app: AppID, _ user: String, _ fault: IdentityFault) -> IdentityFailure {
                IdentityFailure(
                    app: app, device: DeviceID(rawValue: 7), user: user, fault: fault, isRefused: fault == .expired,
                    at: .after(2))
            }
            for fault in IdentityFault.allCases { try ledger.note(failure(one, "u", fault)) }
            try ledger.note(failure(two, "v", .expired))
            try trim(.identityFailures, of: one, to: 4, ledger)
            let numbers = try ledger.identityFailures(of: one, before: nil, limit: 10).map(\.number)
            let kept = zip(numbers, IdentityFault.allCases.reversed()).map { number, fault in
                var kept = failure(one, "u", fault)
                kept.number = number
                return kept
            }
            try require(kept.count, is: 4, "as many as the limit allows")
            try require(ledger.identityFailures(of: one, before: nil, limit: 10), is: kept, "the newest")
            try require(
                ledger.identityFailures(of: one, before: numbers[0], limit: 2), is: Array(kept[1...2]), "those before")
            try require(ledger.identityFailures(of: two, before: nil, limit: 10).count, is: 1, "the other's")
        },
        LedgerCheck("Whether a device's user is proven is kept, and what the app asks for") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let id = try rows.app()
            var device = try rows.device("i", in: id)
            try require(device.isProven, is: false, "at first")
            device.identify("anna", .proven(by: "key"), at: .after(0))
            try ledger.update(device)
            try require(ledger.device(device.id), is: device, "proven")
            let proven = Audience.hasUser(isProven: true)
            try require(ledger.deviceIDs(in: proven, of: id, limit: 9), is: [device.id], "who has proven a user")
            try ledger.unprove(by: "other", in: id)
            try require(ledger.device(device.id), is: device, "proven by another key")
            try ledger.unprove(by: "key", in: id)
            (device.isProven, device.provenBy) = (false, nil)
            try require(ledger.device(device.id), is: device, "not proven any more")
            try require(ledger.deviceIDs(in: proven, of: id, limit: 9), is: [], "nobody has")
            let unproven = Audience.hasUser(isProven: false)
            try require(ledger.deviceIDs(in: unproven, of: id, limit: 9), is: [device.id], "who has an unproven user")
            guard var app = try ledger.app(id) else { throw Violation("the app is gone") }
            for mode in IdentityMode.allCases {
                app.identityMode = mode
                try ledger.update(unrecorded: app)
                try require(ledger.app(id), is: app, "\(mode)")
            }
        },
        LedgerCheck("To whom an activity is open is kept, and what an app has for those of which nobody says it") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let id = try rows.app()
            guard var app = try ledger.app(id) else { throw Violation("the app is gone") }
            try require(app.opensActivities, is: true, "at first")
            app.opensActivities = false
            try ledger.update(unrecorded: app)
            try require(ledger.app(id), is: app, "not any more")
            var activity = try rows.activity(in: id)
            for (isPublic, users) in [(true, ["anna", "b \"ert\""]), (false, ["c"]), (nil, [])]
                as [(Bool?, Set<String>)]
            {
                (activity.isPublic, activity.users) = (isPublic, users)
                try ledger.update(activity)
                try require(ledger.activity(activity.id), is: activity, "open to \(users)")
            }
        },
    ]
}

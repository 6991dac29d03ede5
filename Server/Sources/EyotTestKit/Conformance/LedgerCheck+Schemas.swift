import EyotDomain

extension LedgerCheck {
    static let schemas = [
        LedgerCheck("A type's schemas are kept by build, in their own app alone, and a new one takes its place") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func schema(_ app: AppID, _ type: String, _ build: String, _ byte: UInt8) -> TypeSchema {
                TypeSchema(app: app, type: type, build: build, json: [byte, 0, 255], pushedAt: .after(Int64(byte)))
            }
            for schema in [
                schema(one, "T", "2", 1), schema(one, "T", "", 2), schema(one, "U", "2", 3), schema(two, "T", "2", 4),
                schema(one, "T", "10", 5), schema(one, "T", "2", 6),
            ] { try ledger.put(schema) }
            try require(
                ledger.schemas(of: "T", in: one),
                is: [schema(one, "T", "", 2), schema(one, "T", "10", 5), schema(one, "T", "2", 6)], "of the type")
            try require(ledger.schema(of: "T", build: "2", in: one), is: schema(one, "T", "2", 6), "of a build")
            try require(ledger.schema(of: "T", build: "", in: one), is: schema(one, "T", "", 2), "of all others")
            try require(ledger.schema(of: "T", build: "10", in: two), is: nil, "of a build of another app")
            try require(ledger.hasSchemas(of: "U", in: one), "of a type with one")
            try require(ledger.hasSchemas(of: "U", in: two), is: false, "of a type with one in another app")
            try require(ledger.removeSchema(of: "T", build: "10", in: one), "one that is there is not removed")
            try require(ledger.removeSchema(of: "T", build: "10", in: one), is: false, "one that is gone")
            try require(ledger.schemas(of: "T", in: one).map(\.build), is: ["", "2"], "what is left")
            try require(ledger.schemas(of: "T", in: two), is: [schema(two, "T", "2", 4)], "the other app's")
        },
        LedgerCheck("Types are known by their schemas, profiles and kept numbers, each once and in order") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            for (app, type, build) in [(one, "T", "1"), (one, "T", "2"), (one, "a", "1"), (two, "B", "1")] {
                try ledger.put(TypeSchema(app: app, type: type, build: build, json: [1], pushedAt: .after(1)))
            }
            try ledger.put(TypeProfile(app: one, type: "*"))
            try ledger.put(TypeProfile(app: one, type: "T"))
            _ = try ledger.addType("U", in: one, limit: 10)
            var (all, t, u, a) = (KnownType("*"), KnownType("T"), KnownType("U"), KnownType("a"))
            (all.hasProfile, t.schemas, t.hasProfile, u.isCounted, a.schemas) = (true, 2, true, true, 1)
            try require(ledger.knownTypes(in: one, after: "", limit: 10), is: [all, t, u, a], "all types of the app")
            try require(ledger.knownTypes(in: one, after: "*", limit: 2), is: [t, u], "a page of them")
            try require(ledger.knownTypes(in: two, after: "", limit: 10).map(\.name), is: ["B"], "the other app's")
        },
        LedgerCheck("An activity's builds are each known once") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (one, two) = (try rows.activity("one", in: app).id, try rows.activity("two", in: app).id)
            for build in ["1.4 (27)", "é", "1.4 (27)"] { try ledger.note(build, of: one) }
            try ledger.note("2", of: two)
            try require(ledger.builds(of: one), is: ["1.4 (27)", "é"], "of the one")
            try require(ledger.builds(of: two), is: ["2"], "of the other")
        },
        LedgerCheck("Builds are told apart up to a limit") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let activity = try rows.activity("one", in: rows.app()).id
            for number in 0...TypeSchema.buildsPerActivity { try ledger.note("\(number)", of: activity) }
            try require(ledger.builds(of: activity).count, is: TypeSchema.buildsPerActivity, "builds")
        },
        LedgerCheck("Whose builds an audience has, and who among them has a card that may show something") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity("one", in: app)
            var phases: [Replica.Phase] = [.live, .waitingForToken, .starting, .ended, .dismissed]
            phases += [.untracked, .notStarted(.dismissed)]
            for (index, phase) in phases.enumerated() {
                var device = try rows.device("d\(index)", in: app)
                device.appVersion = "\(index)"
                device.user = index.isMultiple(of: 2) ? "even" : "odd"
                try ledger.update(device)
                let token = UpdateToken(
                    token: try rows.token(UInt8(index)), environment: .sandbox, version: 1, setAt: .after(1))
                try rows.replica(index + 1, of: activity, on: device) { replica in
                    (replica.phase, replica.token) = (phase, token)
                    if phase == .starting { replica.lease = Lease(version: 1) }
                }
            }
            var without = try rows.device("without", in: app)
            without.appVersion = "9"
            try ledger.update(without)
            try require(
                ledger.builds(in: .all, of: app), is: ["0", "1", "2", "3", "4", "5", "6", "9"], "of all devices")
            try require(ledger.builds(in: .user("odd"), of: app), is: ["1", "3", "5"], "of a user")
            try require(ledger.builds(in: .not(.appVersion("9")), of: app).contains("9"), is: false, "without one")
            try require(
                ledger.builds(of: activity.id, in: .or([.user("odd"), .appVersion("9")]), of: app),
                is: ["1", "3", "5"],
                "with a card")
            let running = try (0..<7).filter { try ledger.hasReplica(of: activity.id, build: "\($0)") }
            try require(running, is: [0, 1, 2], "with a card that may show something")
        },
    ]
}

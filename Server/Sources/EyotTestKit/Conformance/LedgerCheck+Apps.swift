import APNSWire
import EyotContract
import EyotDomain

extension LedgerCheck {
    static let apps = [
        LedgerCheck("An app is found by id, bundle and public key") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let app = App(
                id: one, bundleID: "org.example.one", name: "one", publicKey: "key-one",
                createdAt: ConformanceRows.now)
            try require(ledger.app(one), is: app, "by id")
            try require(ledger.app(bundleID: "org.example.one"), is: app, "by bundle")
            try require(ledger.app(publicKey: "key-one"), is: app, "by key")
            try require(ledger.app(bundleID: "key-one"), is: nil, "a key is no bundle")
            try require(ledger.app(AppID(rawValue: 99)), is: nil, "an app that is not there")
            try require(ledger.apps().map(\.id), is: [one, two], "all of them")
        },
        LedgerCheck("What keeps an app's pushes from getting through is kept, with and without a reason of Apple") {
            ledger in
            let id = try ConformanceRows(ledger: ledger).app()
            guard var app = try ledger.app(id) else { throw Violation("the app is gone") }
            app.note(AppleFailure(reason: .serviceUnavailable, since: .after(1), last: .after(3)), in: .sandbox)
            app.note(AppleFailure(reason: nil, since: .after(2), last: .after(4)), in: .production)
            try ledger.update(unrecorded: app)
            try require(ledger.app(id), is: app, "in both environments")
            app.note(nil, in: .sandbox)
            try ledger.update(unrecorded: app)
            try require(ledger.app(id), is: app, "in one")
        },
        LedgerCheck("An app's pause is kept with its reason, and lifted") { ledger in
            let id = try ConformanceRows(ledger: ledger).app()
            guard var app = try ledger.app(id) else { throw Violation("the app is gone") }
            for reason in APNSReason.allCases {
                let environment: PushEnvironment = reason.rawValue.isMultiple(of: 2) ? .sandbox : .production
                app.pauses[environment] = AppPause(reason: reason, since: .after(Int64(reason.rawValue)))
                try ledger.update(unrecorded: app)
                try require(ledger.app(id), is: app, "paused because of \(reason)")
            }
            app.pauses[.sandbox] = nil
            try ledger.update(unrecorded: app)
            try require(ledger.app(id), is: app, "lifted in one environment")
            app.pauses = [:]
            app.name = "renamed"
            app.renew(in: [.sandbox], at: .after(7))
            try ledger.update(unrecorded: app)
            try require(ledger.app(id), is: app, "renewed in one environment")
            app.renew(in: PushEnvironment.allCases, at: .after(7))
            try require(app.renewedAt[.sandbox] == .after(7), is: false, "renewed again in the same moment")
            try ledger.update(unrecorded: app)
            try require(ledger.app(id), is: app, "lifted")
        },
        LedgerCheck("A new APNs key takes the place of the old one, in its app and environment alone") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func key(_ app: AppID, _ id: String, _ byte: UInt8) -> APNSKey {
                APNSKey(
                    app: app, environment: byte == 3 ? .production : .sandbox, teamID: "TEAM", keyID: id,
                    sealed: SealedSecret(masterKeyID: "m\(byte)", box: [0, byte, 255]), addedAt: .after(1))
            }
            for key in [key(one, "A", 1), key(two, "B", 2), key(one, "C", 3), key(one, "D", 4)] { try ledger.put(key) }
            try require(Set(ledger.apnsKeys(of: one)), is: [key(one, "C", 3), key(one, "D", 4)], "of the first app")
            try require(ledger.apnsKeys(of: two), is: [key(two, "B", 2)], "of the second app")
            try ledger.removeAPNSKey(of: one, .sandbox)
            try require(ledger.apnsKeys(of: one), is: [key(one, "C", 3)], "that of the other environment stays")
            try require(ledger.apnsKeys(of: two), is: [key(two, "B", 2)], "the second app's stays")
        },
        LedgerCheck("A type's profile is kept whole, in its own app alone, and a new one takes its place") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            var profile = TypeProfile(app: one, type: "T")
            try require(ledger.profile(of: "T", in: one), is: nil, "before anybody said anything")
            try ledger.put(profile)
            try require(ledger.profile(of: "T", in: one), is: profile, "the defaults")
            (profile.spacing, profile.sparingSpacing, profile.startsPerHour, profile.restartAfter) = (1, 2, 3, 4)
            try ledger.put(profile)
            try require(ledger.profile(of: "T", in: one), is: profile, "a new one")
            try require(ledger.profile(of: "T", in: two), is: nil, "another app's")
            try require(ledger.profile(of: "t", in: one), is: nil, "another type's")
        },
        LedgerCheck("API keys belong to their app or to the operator") { ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            func key(_ app: AppID?, _ byte: UInt8) throws -> APIKey {
                try ledger.insert(
                    APIKey(
                        app: app, name: "n\(byte)", hash: SecretHash(bytes: [byte, 0]), hint: "h",
                        createdAt: ConformanceRows.now))
            }
            var (own, operators) = (try key(app, 1), try key(nil, 2))
            try require(own.id != operators.id && own.id > 0, "keys have ids of their own")
            try require(ledger.apiKeys(of: app), is: [own], "of the app")
            try require(ledger.apiKeys(of: nil), is: [operators], "of the operator")
            own.revokedAt = .after(5)
            operators.name = "renamed"
            try ledger.update(own)
            try ledger.update(operators)
            try require(ledger.apiKey(hash: own.hash), is: own, "a revoked key is still known")
            try require(ledger.apiKey(hash: operators.hash), is: operators, "by hash")
            try require(ledger.apiKey(hash: SecretHash(bytes: [1])), is: nil, "half a hash")
            try require(ledger.apiKey(own.id), is: own, "by id")
            try require(ledger.apiKey(own.id + 100), is: nil, "by an id that is none")
        },
        LedgerCheck("An API key says for which API it is, and what callers name beside it") { ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            try require(ledger.hasKeys(of: acme), is: false, "before there is one")
            let key = try ledger.insert(
                APIKey(
                    app: app, name: "a", hash: SecretHash(bytes: [7, 7]), hint: "h", createdAt: ConformanceRows.now,
                    plane: acme, identifier: "abc"))
            try require(ledger.apiKey(hash: key.hash), is: key, "as it was stored")
            try require(ledger.hasKeys(of: acme), is: true, "when there is one")
            try require(ledger.hasKeys(of: other), is: false, "another's")
        },
        LedgerCheck("Keys with a public key are found by what goes beside them, newest first") { ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            func key(_ hash: UInt8, _ identifier: String, _ publicKey: String?, _ plane: KeyPlane = acme) throws
                -> APIKey
            {
                var key = APIKey(
                    app: app, name: "k", hash: SecretHash(bytes: [hash]), hint: "h", createdAt: .after(0), plane: plane,
                    identifier: identifier)
                key.publicKey = publicKey
                return try ledger.insert(key)
            }
            let keys = try [
                key(1, "a", "one"), key(2, "a", "two"), key(3, "a", nil), key(4, "b", "one"),
                key(5, "a", "one", other),
            ]
            func found(_ limit: Int) throws -> [APIKey] {
                try ledger.apiKeys(of: acme, identifier: "a", limit: limit)
            }
            try require(found(9), is: [keys[1], keys[0]], "those of one client")
            try require(found(1), is: [keys[1]], "a limit")
            var revoked = keys[1]
            revoked.revokedAt = .after(1)
            try ledger.update(revoked)
            try require(found(9), is: [keys[0]], "those that were not revoked")
        },
        LedgerCheck(
            "A key keeps its scopes and its end, its use is noted forwards alone, and its id is not given again"
        ) {
            ledger in
            let app = try ConformanceRows(ledger: ledger).app()
            func key(_ byte: UInt8, _ scopes: Set<KeyScope>?) throws -> APIKey {
                var key = APIKey(
                    app: app, name: "n", hash: SecretHash(bytes: [byte]), hint: "h", createdAt: ConformanceRows.now)
                (key.scopes, key.expiresAt) = (scopes, .after(9))
                return try ledger.insert(key)
            }
            var keys = try [key(1, nil), key(2, []), key(3, Set(KeyScope.allCases))]
            try require(ledger.apiKeys(of: app), is: keys, "as they were stored")
            for (moment, noted) in [(5, 5), (3, 5), (7, 7)] as [(Int64, Int64)] {
                try ledger.noteUse(ofAPIKey: keys[1].id, at: .after(moment))
                keys[1].lastUsedAt = .after(noted)
                try require(ledger.apiKeys(of: app), is: keys, "used at \(moment)")
            }
            keys[1].scopes = [.activitiesRead, .peopleRead]
            try ledger.update(keys[1])
            try require(ledger.apiKey(hash: keys[1].hash), is: keys[1], "changed")
            let last = keys.removeLast()
            try ledger.removeAPIKey(last.id)
            try ledger.noteUse(ofAPIKey: last.id, at: .after(1))
            try require(ledger.apiKeys(of: app), is: keys, "one is gone")
            try require(key(4, nil).id > last.id, "its id is not given again")
        },
    ]
}

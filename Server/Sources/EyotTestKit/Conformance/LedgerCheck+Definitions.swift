import EyotContract
import EyotDomain

extension LedgerCheck {
    static let definitions = [
        LedgerCheck("Definitions are kept by name, in their own app alone, and a new one takes its place") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func definition(_ app: AppID, _ name: String, _ second: Int64) -> Definition {
                Definition(app: app, name: name, json: ["z": 1.5, "a": .integer(second)], changedAt: .after(second))
            }
            for definition in [
                definition(one, "b", 1), definition(one, "é", 2), definition(two, "b", 3), definition(one, "a", 4),
                definition(one, "b", 5),
            ] { try ledger.put(definition) }
            try require(ledger.definition("b", in: one), is: definition(one, "b", 5), "one of a name")
            try require(ledger.definition("a", in: two), is: nil, "another app's")
            try require(
                ledger.definitions(of: one, after: "", limit: 2).map(\.name), is: ["a", "b"], "the first page")
            try require(ledger.definitions(of: one, after: "b", limit: 2).map(\.name), is: ["é"], "the second page")
            try require(ledger.definitionCount(of: one), is: 3, "how many there are")
            try require(ledger.removeDefinition("b", of: one), "one that is there is not removed")
            try require(ledger.removeDefinition("b", of: one), is: false, "one that is gone")
            try require(ledger.definition("b", in: two), is: definition(two, "b", 3), "the other app's")
        },
        LedgerCheck("Of definitions whose use is noted, those that were not used for longest make room") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            for (app, name, used) in [
                (one, "a", 4), (one, "b", 2), (one, "c", 3), (one, "d", nil), (two, "b", 1),
            ] as [(AppID, String, Int64?)] {
                var definition = Definition(app: app, name: name, json: ["n": 1], changedAt: .after(0))
                definition.usedAt = used.map(Instant.after)
                definition.endsAt = used.map { .after($0 + 100) }
                try ledger.put(definition)
            }
            try ledger.noteUse(ofDefinition: "b", in: one, at: .after(5))
            try ledger.noteUse(ofDefinition: "a", in: one, at: .after(1))
            try ledger.noteUse(ofDefinition: "d", in: one, at: .after(9))
            let noted = try ledger.definitions(of: one, after: "", limit: 9).map(\.usedAt)
            try require(noted, is: [.after(4), .after(5), .after(3), nil], "when each was used")
            try require(ledger.definition("a", in: one)?.endsAt != nil, "when its cards end")
            try require(ledger.definitionCount(of: one), is: 1, "those that are kept")
            try ledger.removeDefinitions(of: one, beyond: 3)
            try require(ledger.definitions(of: one, after: "", limit: 9).count, is: 4, "there is room")
            try ledger.removeDefinitions(of: one, beyond: 1)
            try require(ledger.definitions(of: one, after: "", limit: 9).map(\.name), is: ["b", "d"], "what is left")
            try require(ledger.definition("b", in: two) != nil, "another app's")
        },
        LedgerCheck("Test devices are kept by name, in their own app alone, and a new one takes its place") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let device = TestDevice(app: one, name: "my phone", target: .device(DeviceID(rawValue: 7)))
            let user = TestDevice(app: one, name: "Zoë's", target: .user("zoe"))
            let other = TestDevice(app: two, name: "my phone", target: .user("bert"))
            for one in [TestDevice(app: one, name: "my phone", target: .user("x")), user, other, device] {
                try ledger.put(one)
            }
            try require(ledger.testDevice("my phone", in: one), is: device, "one of a name")
            try require(ledger.testDevices(of: one), is: [user, device], "those of an app")
            try require(ledger.testDevice("Zoë's", in: two), is: nil, "another app's")
            try require(ledger.removeTestDevice("my phone", of: one), "one that is there is not removed")
            try require(ledger.removeTestDevice("my phone", of: one), is: false, "one that is gone")
            try require(ledger.testDevices(of: two), is: [other], "the other app's")
        },
    ]
}

import EyotCommands
import EyotContract
import EyotDomain

/// Routes for an app's name, its public key and its removal.
struct AppKeyRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .patch("/v1/apps/{bundleID}", .key(.appsWrite), rename),
            .delete("/v1/apps/{bundleID}", .operatorKey(.appsWrite), query: [Self.leaveCards], remove),
            .post("/v1/apps/{bundleID}/app-key/rotate", .key(.appsWrite), rotate),
            .delete("/v1/apps/{bundleID}/app-key/former", .key(.appsWrite), withdraw),
        ]
    }

    /// The parameter that allows an app's removal while its cards run.
    private static let leaveCards = "leaveCards"

    private func remove(_ call: Call) async throws -> Answer {
        let (app, leavesCards) = (try call.app, try call.flag(Self.leaveCards))
        try await backend.store.write {
            try RemoveApp(Transaction($0, at: call.now))(app.id, leavesCards: leavesCards)
        }
        return Answer(.noContent, nil)
    }

    private func rename(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let name = try call.fields { fields throws(JSONFieldError) in try fields.required("name", fields.string("name"))
        }
        try FieldRule.name.check(name, field: "name")
        return { ledger in
            guard let former = try ledger.app(app.id) else { throw EyotError(.appUnknown, "the app was removed") }
            var stored = former
            stored.name = name
            try Transaction(ledger, at: call.now).update(stored, from: former)
            return try AppRoutes.answer(stored, ledger)
        }
    }

    private func rotate(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let overlap = try call.fields { fields throws(JSONFieldError) in
            let overlap = try fields.integer("overlapSeconds") ?? AppKeys.usualOverlap
            guard (0...AppKeys.longestOverlap).contains(overlap) else {
                throw fields.invalid("overlapSeconds", "must lie between 0 and \(AppKeys.longestOverlap)")
            }
            return overlap
        }
        let fresh = Keyring.make(.appKey)
        return { ledger in
            let app = try AppKeys(Transaction(ledger, at: call.now)).rotate(app.id, to: fresh, overlap: overlap)
            return try AppRoutes.answer(app, ledger)
        }
    }

    private func withdraw(_ call: Call) async throws -> Answer {
        let app = try call.app
        try await backend.store.write { try AppKeys(Transaction($0, at: call.now)).withdraw(of: app.id) }
        return Answer(.noContent, nil)
    }
}

import EyotCommands
import EyotContract
import EyotDomain

/// Routes for join secrets. A backend gives one to an app so that its device may join a private activity.
struct JoinSecretRoutes {
    private static let path = "/v1/activities/{name}/join-secret"

    let backend: Backend

    var routes: [Route] {
        [
            .post(Self.path, .key(.activitiesUpdate), bodyLimit: nil, make),
            .get(Self.path, .key(.activitiesRead), read),
            .delete(Self.path, .key(.activitiesUpdate), remove),
        ]
    }

    private func make(_ call: Call) throws -> Route.Command {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        let secret = Keyring.make(.joinSecret)
        return { ledger in
            let (activity, kept) = try JoinSecrets(Transaction(ledger, at: call.now)).make(secret, for: name, in: app)
            var object = kept.object(of: activity)
            object["joinSecret"] = .string(secret.secret.text)
            var answer = Answer(.created, .object(object))
            answer.repetition = EyotError(
                .answerNotKept, "the first call created the join secret \(kept.hint), which is shown only once")
            return answer
        }
    }

    private func read(_ call: Call) async throws -> Answer {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        let (activity, kept) = try await backend.store.read {
            try JoinSecrets(Transaction($0, at: call.now)).find(of: name, in: app)
        }
        return Answer(.ok, .object(kept.object(of: activity)))
    }

    private func remove(_ call: Call) async throws -> Answer {
        // Checked by reading first, so that a missing secret costs no write.
        _ = try await read(call)
        let (app, name) = (try call.app.id, try call.parameter("name"))
        try await backend.store.write { try JoinSecrets(Transaction($0, at: call.now)).remove(of: name, in: app) }
        return Answer(.noContent, nil)
    }
}

extension KeptJoinSecret {
    fileprivate func object(of activity: Activity) -> JSONObject {
        JSONObject([
            ("name", .string(activity.name)), ("generation", .integer(activity.generation)), ("hint", .string(hint)),
            ("madeAt", .string(madeAt.rfc3339)),
        ])
    }
}

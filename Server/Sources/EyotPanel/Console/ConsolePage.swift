import APNSWire
import EyotContract
import EyotDomain
import EyotHTTP

/// The push console: one payload to one token, checked before it leaves, and what Apple said of it.
struct ConsolePage {
    static let path = "/panel/console"
    private static let scopes: [KeyScope] = [.activitiesStart, .peopleWrite]
    private static let example = """
        {
          "aps": {
            "timestamp": NOW,
            "event": "update",
            "content-state": {}
          }
        }
        """

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path, needs: Self.scopes) { visit in
                let now = visit.now.second
                let draft = ConsoleView.Draft(payload: Self.example.replacing("NOW", with: "\(now)"))
                return visit.show("Push console", "console", ConsoleView(visit, draft))
            },
            panel.form(Self.path + "/check", needs: Self.scopes) { visit, fields in
                // Only the part of the page that says what the check found, for a page that checks while one types.
                let view = try await checked(visit, fields, isDryRun: true)
                return .page(Templates.render(view, "console.verdict", for: visit.member))
            },
            panel.form(Self.path, needs: Self.scopes) { visit, fields in
                let view = try await checked(visit, fields, isDryRun: fields["do"] != "send")
                return visit.show("Push console", "console", view)
            },
        ]
    }

    /// Asks the API, and keeps what was typed if it refuses.
    private func checked(_ visit: Visit, _ fields: FormFields, isDryRun: Bool) async throws -> ConsoleView {
        let draft = ConsoleView.Draft(fields)
        var view = ConsoleView(visit, draft)
        do {
            var call = LocalCall(.post, "/v1/raw-pushes", json: try draft.body())
            if isDryRun { call.query["dryRun"] = "true" }
            view.result = ConsoleView.Result(try await visit.ask(call).json ?? .null, draft)
        } catch let error as EyotError {
            view.refusal = ConsoleView.Refusal(error)
        } catch let problem as Problem {
            view.refusal = ConsoleView.Refusal(problem.error)
        }
        return view
    }
}

/// What the push console shows.
struct ConsoleView {
    /// What was typed.
    struct Draft {
        var environment = PushEnvironment.sandbox.rawValue
        var token = ""
        var type = ""
        var pushType = APNSPushType.liveActivity.rawValue
        var priority = "10"
        var expiration = ""
        var collapseID = ""
        var payload: String

        init(payload: String) { self.payload = payload }

        init(_ fields: FormFields) {
            self.init(payload: fields["payload"] ?? "")
            environment = fields["environment"] ?? environment
            token = (fields["pushToken"] ?? "").filter { !$0.isWhitespace }
            (type, pushType) = (fields["type"] ?? "", fields["pushType"] ?? pushType)
            (priority, expiration) = (fields["priority"] ?? priority, fields["expiration"] ?? "")
            collapseID = fields["collapseID"] ?? ""
        }

        /// The body of the call.
        ///
        /// - Throws: `jsonInvalid` if the payload is no JSON.
        func body() throws -> JSONValue {
            let json: JSONValue
            do {
                json = try JSONValue(parsing: Array(payload.utf8))
            } catch {
                throw EyotError(.jsonInvalid, "the payload is not JSON: \(error)", field: "payload")
            }
            var body = JSONObject([
                ("environment", .string(environment)), ("token", .string(token)), ("payload", json),
                ("pushType", .string(pushType)),
            ])
            if !type.isEmpty { body["type"] = .string(type) }
            // The call refuses what is no number by its name.
            body["priority"] = Self.number(priority)
            body["expiration"] = Self.number(expiration)
            if !collapseID.isEmpty { body["collapseID"] = .string(collapseID) }
            return .object(body)
        }

        private static func number(_ text: String) -> JSONValue? {
            text.trimmed.isEmpty ? nil : Int(text.trimmed).map { .integer($0) } ?? .string(text)
        }
    }

    struct Header {
        var name: String
        var value: String
    }

    /// What the check found, and what Apple said.
    struct Result {
        let bytes: String
        let limit: String
        let problems: [String]
        let remarks: [String]
        let isGood: Bool
        let headers: [Header]
        let verdict: String?
        let meaning: String
        let reason: String?
        let isAccepted: Bool
        let deadSince: Moment?
        let curl: String

        init(_ json: JSONValue, _ draft: Draft) {
            bytes = Figures.count(json["bytes"]?.integer ?? 0)
            limit = Figures.count(json["limitBytes"]?.integer ?? 0)
            (problems, remarks) = (json.texts("problems"), json.texts("remarks"))
            isGood = problems.isEmpty
            headers = (json["headers"]?.object?.members ?? []).map {
                Header(name: $0.name, value: $0.value.string ?? "")
            }
            (verdict, meaning) = (json["verdict"]?.string, json.text("meaning"))
            reason = json["reason"]?.string.map { "\(json["status"]?.integer ?? 0) \($0)" }
            isAccepted = verdict == "accepted"
            deadSince = json.moment("deadSince")
            curl = Curl(draft, headers).text
        }
    }

    /// Why the API refused the push.
    struct Refusal {
        let sentence: String
        let field: String?
        let remedy: String

        init(_ error: EyotError) { (sentence, field, remedy) = (error.detail, error.field, error.code.remedy) }
    }

    struct Choice {
        var value: String
        var isOn: Bool
    }

    let draft: Draft
    let environments: [Choice]
    let pushTypes: [Choice]
    let priorities: [Choice]
    let action: String
    let check: String
    var result: Result?
    var refusal: Refusal?

    init(_ visit: Visit, _ draft: Draft) {
        self.draft = draft
        let allowed = visit.seat.key.environment.map { [$0] } ?? PushEnvironment.allCases
        environments = allowed.map { Choice(value: $0.rawValue, isOn: $0.rawValue == draft.environment) }
        pushTypes = APNSPushType.allCases.map { Choice(value: $0.rawValue, isOn: $0.rawValue == draft.pushType) }
        priorities = APNSPriority.allCases.map {
            Choice(value: "\($0.rawValue)", isOn: "\($0.rawValue)" == draft.priority)
        }
        (action, check) = (visit.link(ConsolePage.path), visit.link(ConsolePage.path + "/check"))
    }
}

/// The push as a line for a terminal. The provider token stands in a variable, because the server never shows one.
struct Curl {
    let text: String

    init(_ draft: ConsoleView.Draft, _ headers: [ConsoleView.Header]) {
        let host = draft.environment == PushEnvironment.production.rawValue ? "api" : "api.sandbox"
        let token = draft.token.allSatisfy(\.isHexDigit) ? draft.token : ""
        let lines =
            ["curl --http2 https://\(host).push.apple.com\(APNSPath.device)/\(token)"]
            + headers.map { "-H \(Self.quoted("\($0.name): \($0.value)"))" }
            + ["-H \"\(APNSHeader.authorization): bearer $PROVIDER_TOKEN\"", "-d \(Self.quoted(draft.payload))"]
        text = lines.joined(separator: " \\\n  ")
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}

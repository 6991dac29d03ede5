import ArgumentParser
import EyotContract

/// The options that all declaring commands share, and the call that sends them.
struct DeclarationOptions: ParsableArguments {
    @Argument(help: "The activity's name.")
    var name: String

    @Option(
        help: "The state that cards show, as JSON. @file reads a file, - reads standard input.",
        transform: JSONArgument.init(parsing:))
    var state: JSONArgument?

    @Option(help: "A definition that fills in the members that this call leaves out, see `eyot definition`.")
    var definition: String?

    @Option(
        help: "The values of the definition's parameters, as a JSON object.", transform: JSONArgument.init(parsing:))
    var parameters: JSONArgument?

    @Option(help: "The title of the alert.")
    var alertTitle: String?

    @Option(help: "The text of the alert.")
    var alertBody: String?

    @Option(help: "When iOS marks the state as stale, for example 2022-12-18T17:00:00Z.")
    var staleDate: String?

    @Option(help: "The relevance among the app's cards. The highest score leads the Dynamic Island.")
    var relevanceScore: Double?

    @Option(help: "Apple's priority, 5 or 10. (default: chosen by the server)")
    var priority: Int?

    @Option(help: "When the state was true. The server drops the call if it knows a newer state.")
    var asOf: String?

    @Option(help: "Act only if the activity has this ETag, for example \"1-4\".")
    var ifMatch: String?

    @Option(help: "A key for this call. Repeated calls with the same key act once.")
    var idempotencyKey: String?

    @Flag(help: "Show the effect of the call and the pushes it would send, without doing anything.")
    var dryRun = false

    @Flag(inversion: .prefixedNo, help: "Whether any device of the app may join the activity. (default: unchanged)")
    var `public`: Bool?

    @OptionGroup var canary: CanaryOptions

    @Option(
        help: "More members of the request's body, as a JSON object. Other options take precedence.",
        transform: JSONArgument.init(parsing:))
    var body: JSONArgument?

    @OptionGroup var server: ServerOptions

    /// Makes the call and prints the operation.
    func declare(_ method: String, _ path: String, _ members: [(String, JSONValue?)] = []) async throws {
        var object = body?.value.object ?? JSONObject()
        let alert = [("title", alertTitle), ("body", alertBody)].compactMap { name, text in
            text.map { (name, JSONValue.string($0)) }
        }
        let own: [(String, JSONValue?)] = [
            ("contentState", state?.value), ("alert", alert.isEmpty ? nil : .object(JSONObject(alert))),
            ("staleDate", staleDate.map(JSONValue.string)),
            ("relevanceScore", relevanceScore.flatMap(JSONValue.finite)),
            ("priority", priority.map { .integer($0) }), ("asOf", asOf.map(JSONValue.string)),
            ("canary", canary.value), ("definition", definition.map(JSONValue.string)),
            ("parameters", parameters?.value),
            ("public", self.public.map(JSONValue.bool)),
        ]
        for (name, value) in members + own { if let value { object[name] = value } }
        var headers: [String: String] = [:]
        headers["If-Match"] = ifMatch
        headers["Idempotency-Key"] = idempotencyKey
        let path = dryRun ? "\(path)?dryRun=true" : path
        Output.value(try await server.call(method, path, body: .object(object), headers: headers), asJSON: server.json)
    }
}

/// Options for trying a declaration on a first share of the cards.
struct CanaryOptions: ParsableArguments {
    @Option(
        help: """
            Try the declaration on this percentage of the cards first, 0.1 to 50. The other cards follow if Apple \
            accepts it.
            """)
    var canary: Double?

    @Option(help: "With --canary: the share of Apple's answers that may be refusals, 0 to 0.5. (default: 0.02)")
    var canaryMaximumRefusals: Double?

    @Option(help: "With --canary: seconds to wait before the other cards follow, 0 to 3600. (default: 30)")
    var canaryWait: Double?

    func validate() throws {
        guard canary != nil || (canaryMaximumRefusals == nil && canaryWait == nil) else {
            throw ValidationError("--canary-maximum-refusals and --canary-wait go with --canary.")
        }
    }

    /// Nil if no canary was asked for.
    var value: JSONValue? {
        guard let canary else { return nil }
        var object = JSONObject([("percent", .finite(canary) ?? .null)])
        object["maximumRefusals"] = canaryMaximumRefusals.flatMap(JSONValue.finite)
        object["waitSeconds"] = canaryWait.flatMap(JSONValue.finite)
        return .object(object)
    }
}

/// Options for the audience of a start.
struct AudienceOptions: ParsableArguments {
    @Flag(help: "All devices of the app.")
    var all = false

    @Option(help: "Devices with this tag, of their own or of their user. Repeat it to add devices with other tags.")
    var tag: [String] = []

    @Option(help: "Devices of this user. Repeat it to add other users.")
    var user: [String] = []

    @Option(help: "Devices with this test name, see `eyot test-device`. Repeat it to add other names.")
    var toTestDevice: [String] = []

    @Option(
        help: "An audience as JSON, for example {\"and\":[{\"tag\":\"fans\"},{\"osAtLeast\":\"18.0\"}]}.",
        transform: JSONArgument.init(parsing:))
    var audience: JSONArgument?

    func validate() throws {
        let ways = [all, !tag.isEmpty, !user.isEmpty, !toTestDevice.isEmpty, audience != nil].count(where: \.self)
        if ways > 1 {
            throw ValidationError("Say the audience in one way: --all, --tag, --user, --to-test-device or --audience.")
        }
    }

    /// Nil if no audience was given.
    var value: JSONValue? {
        if all { return "all" }
        if !tag.isEmpty { return ["tag": .array(tag.map(JSONValue.string))] }
        if !user.isEmpty { return ["user": .array(user.map(JSONValue.string))] }
        if !toTestDevice.isEmpty { return ["testDevice": .array(toTestDevice.map(JSONValue.string))] }
        return audience?.value
    }
}

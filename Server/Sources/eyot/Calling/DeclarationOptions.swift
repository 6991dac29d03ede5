import ArgumentParser
import EyotContract

/// The options that all declaring commands share, and the call that sends them.
struct DeclarationOptions: ParsableArguments {
    @Argument(help: "The activity's name.")
    var name: String

    @Option(
        help: "What the cards show, as JSON; @file reads a file, - standard input.",
        transform: JSONArgument.init(parsing:))
    var state: JSONArgument?

    @Option(help: "A definition that says what is not said here; see eyot definition.")
    var definition: String?

    @Option(
        help: "What goes into the definition's places, as a JSON object.", transform: JSONArgument.init(parsing:))
    var parameters: JSONArgument?

    @Option(help: "Title of an alert.")
    var alertTitle: String?

    @Option(help: "Text of an alert.")
    var alertBody: String?

    @Option(help: "When the state is out of date, for example 2022-12-18T17:00:00Z.")
    var staleDate: String?

    @Option(help: "Which of the app's cards matters most: the highest leads the Dynamic Island.")
    var relevanceScore: Double?

    @Option(help: "Apple's priority, 5 or 10.")
    var priority: Int?

    @Option(help: "The moment for which this is true; the server drops it if it knows something newer.")
    var asOf: String?

    @Option(help: "Do it only if the activity is at this version, as an ETag said, for example \"1-4\".")
    var ifMatch: String?

    @Option(help: "A key that makes a second try of the same call safe.")
    var idempotencyKey: String?

    @Flag(help: "Show what it would do and what would be sent, and do nothing.")
    var dryRun = false

    @Flag(inversion: .prefixedNo, help: "Let any phone of the app join. (default: as it is)")
    var `public`: Bool?

    @OptionGroup var canary: CanaryOptions

    @Option(
        help: "More members of the body, as a JSON object; the options here win.",
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
    @Option(help: "First try it on so many percent of the cards; it goes on to everybody by itself if Apple takes it.")
    var canary: Double?

    @Option(help: "With --canary, the part of Apple's answers that may be refusals, 0.02 unless said.")
    var canaryMaximumRefusals: Double?

    @Option(help: "With --canary, seconds for which the first ones are left alone with it, 30 unless said.")
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
    @Flag(help: "Everybody.")
    var all = false

    @Option(help: "People with this tag; several times for any of several.")
    var tag: [String] = []

    @Option(help: "This person; several times for several.")
    var user: [String] = []

    @Option(help: "The phone of this name, for trying it out; see eyot test-device. Several times for several.")
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

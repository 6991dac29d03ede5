import ArgumentParser
import EyotContract
import EyotLab

struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain what a phone shows of an activity, and what is in its way.",
        discussion: """
            eyot why user-1 final
            eyot why user-1 final --declared 3
            eyot why --device 42 final
            """)

    @Argument(help: "The user with the phone, or the activity if --device is given.")
    var user: String?

    @Argument(help: "The activity. Without it: whether a card could be started on the phone.")
    var activity: String?

    @Option(help: "The phone with this device id, instead of a user's.")
    var device: String?

    @Option(help: "The version of the activity that is asked about. Without it: the newest.")
    var declared: Int?

    @OptionGroup var server: ServerOptions

    func validate() throws {
        if device == nil, user == nil { throw ValidationError("Name a user, or a phone with --device.") }
        if device != nil, activity != nil { throw ValidationError("Name a user or --device, not both.") }
    }

    func run() async throws {
        let (subject, name) = device.map { (("device", $0), user) } ?? (("user", user ?? ""), activity)
        let conditions =
            [subject] + (name.map { [("activity", $0)] } ?? []) + (declared.map { [("version", "\($0)")] } ?? [])
        let query = conditions.map { "\($0)=\(APIClient.path($1).dropFirst())" }.joined(separator: "&")
        let answer = try await server.call("GET", "/v1/why?\(query)")
        guard !server.json else { return Output.out(answer.text) }
        for line in Self.text(answer) { Output.out(line) }
    }

    /// The answer for a person: the finding, what it rests on, what to do, and the story.
    static func text(_ answer: JSONValue) -> [String] {
        guard let finding = answer.object?["finding"]?.object else { return [] }
        var lines = ["\(finding["sentence"]?.string ?? "") (\(finding["code"]?.string ?? ""), \(certainty(finding)))"]
        lines += (finding["evidence"]?.array ?? []).compactMap(\.string).map { "  \($0)" }
        if let remedy = finding["remedy"]?.string { lines.append("What to do: \(remedy)") }
        let cards = (answer.object?["cards"]?.array ?? []).compactMap(\.object)
        if !cards.isEmpty { lines += [""] + cards.flatMap(card) }
        let story = answer.object?["story"]?.array?.compactMap(\.object) ?? []
        if !story.isEmpty { lines += [""] + story.map(entry) }
        for other in (answer.object?["others"]?.array ?? []).compactMap(\.object) {
            let sentence = other["finding"]?.object?["sentence"]?.string ?? ""
            lines.append("Another phone of the user, device \(other["device"]?.string ?? ""): \(sentence)")
        }
        return lines
    }

    /// A card of the phone: its activity, its finding, and what to do.
    private static func card(_ card: JSONObject) -> [String] {
        guard let finding = card["finding"]?.object else { return [] }
        let name = "\(card["activity"]?.string ?? "") on device \(card["device"]?.string ?? "")"
        let said =
            "\(name): \(finding["sentence"]?.string ?? "") (\(finding["code"]?.string ?? ""), \(certainty(finding)))"
        return [said] + [finding["remedy"]?.string].compactMap { $0.map { "  What to do: \($0)" } }
    }

    private static func certainty(_ finding: JSONObject) -> String { finding["confidence"]?.string ?? "" }

    private static func entry(_ event: JSONObject) -> String {
        let text = event["text"]?.string ?? ""
        let suffix = event["reason"]?.string.map { " (\($0))" } ?? ""
        return "\(event["at"]?.string ?? "")  \(text)\(text.contains(suffix) ? "" : suffix)"
    }
}

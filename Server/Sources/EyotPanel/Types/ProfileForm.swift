import EyotContract

/// The profile of a type as a form: what its cards may spend.
struct ProfileForm {
    struct Field {
        var name: String
        var title: String
        var hint: String
        var value: String
        /// What is wrong with it.
        var wrong: String?
        var isNumber = true
    }

    private static let all = [
        ("updateSpacing", "Seconds between two updates of a card", "0 to 3,600. The newest state waits for its turn."),
        (
            "updateSpacingWithoutFrequentPushes", "The same without frequent pushes",
            "Empty for the same. These phones have a smaller budget."
        ),
        ("startsPerHour", "Remote starts of a phone in an hour", "10 unless you say otherwise."),
        (
            "restartAfter", "Seconds of silence before a start is made again",
            "28,800 unless you say otherwise. 0 for never: the phone may show the card without a word."
        ),
        ("staleAfter", "Seconds that a state stays fresh", "Empty for no end. A declaration may say its own."),
        ("relevanceScore", "Relevance", "Empty for none. The Island shows the card with the highest."),
    ]

    let fields: [Field]

    /// The form with what is kept.
    init(_ reply: Reply) {
        let spacing = reply["updateSpacing"].number
        fields = Self.all.map { name, title, hint in
            // Without a value of its own it answers the common one.
            let isSame = name == "updateSpacingWithoutFrequentPushes" && reply[name].number == spacing
            return Field(name: name, title: title, hint: hint, value: isSame ? "" : reply[name].json?.text ?? "")
        }
    }

    /// The form as it was sent, with what is wrong.
    init(_ sent: FormFields, _ problem: FormProblem) {
        fields = Self.all.map { name, title, hint in
            Field(
                name: name, title: title, hint: hint, value: sent[name] ?? "",
                wrong: problem.field == name ? problem.sentence : nil)
        }
    }

    /// What the form says, as the API takes it.
    static func json(_ sent: FormFields) -> JSONValue {
        .object(JSONObject(all.compactMap { name, _, _ in sent.number(name).map { (name, $0) } }))
    }
}

import EyotDomain

/// A sentence of the API with the times in it, which a page draws in the reader's own clock.
struct TimedText {
    struct Part {
        var text: String
        var at: Moment?
    }

    let parts: [Part]
    /// The sentence as it came.
    let plain: String

    init(_ text: String) {
        plain = text
        var parts: [Part] = []
        var rest = text[...]
        while let found = rest.firstMatch(of: Self.time) {
            let moment = Instant(rfc3339: String(found.output))
            parts.append(Part(text: String(rest[..<found.range.lowerBound])))
            parts.append(Part(text: String(found.output), at: moment.map { Moment($0) }))
            rest = rest[found.range.upperBound...]
        }
        parts.append(Part(text: String(rest)))
        self.parts = parts
    }

    private static var time: Regex<Substring> { /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}Z/ }
}

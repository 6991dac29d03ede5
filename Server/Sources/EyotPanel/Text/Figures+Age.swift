extension Figures {
    /// `64 ms`, `0.6 s`, `3 min`: an age with its unit; an en dash for nil.
    static func age(_ seconds: Double?) -> String {
        let figure = ageParts(seconds)
        return figure.unit.isEmpty ? figure.value : "\(figure.value) \(figure.unit)"
    }

    /// An age and its unit. Less than a second is said in milliseconds.
    static func ageParts(_ seconds: Double?) -> (value: String, unit: String) {
        guard let seconds, seconds < 0.95 else { return Self.seconds(seconds) }
        return (count(Int((seconds * 1_000).rounded())), "ms")
    }
}

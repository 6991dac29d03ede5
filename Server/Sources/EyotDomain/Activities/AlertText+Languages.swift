import EyotContract

/// An alert's texts in several languages, of which each phone is given those of its own.
extension AlertText {
    /// The member of ``body`` that holds them, by language: it is ours, and no phone gets it.
    package static let localizationsMember = "localizations"
    /// The most languages of an alert.
    package static let languageLimit = 50

    /// The languages, as they were written.
    package var languages: [String] { localizations?.members.map(\.name) ?? [] }

    /// Whether phones may be given different texts.
    package var isLocalized: Bool { localizations != nil }

    /// The language whose texts a phone gets: its own, or what is left of that when parts are taken from its end, as RFC 4647 has it:
    /// `zh-Hant-TW`, `zh-Hant`, `zh`.
    ///
    /// - Parameter language: the phone's, a BCP 47 tag; nil where it has said none.
    /// - Returns: nil for the texts that are for everyone else.
    package func localization(for language: String?) -> String? {
        guard let language, let localizations else { return nil }
        var parts = language.lowercased().split(separator: "-")[...]
        while !parts.isEmpty {
            let tag = parts.joined(separator: "-")
            if let found = localizations.members.first(where: { $0.name.lowercased() == tag }) { return found.name }
            parts.removeLast()
        }
        return nil
    }

    /// Apple's dictionary as a phone gets it. A text in its language goes before the app's own, which the alert may name by a key:
    /// phones would show the latter.
    ///
    /// - Parameter localization: one of ``languages``; nil is what is for everyone else, channels among them.
    package func text(in localization: String?) -> JSONValue {
        guard var object = body.object else { return body }
        let texts = localization.flatMap { localizations?[$0]?.object }
        object[Self.localizationsMember] = nil
        for (text, keys) in Self.keys where texts?[text] != nil {
            for key in [keys.name, keys.arguments] { object[key] = nil }
        }
        for member in texts?.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }

    /// Texts, and what names the app's own in their place.
    private static let keys = [
        ("title", (name: "title-loc-key", arguments: "title-loc-args")),
        ("subtitle", (name: "subtitle-loc-key", arguments: "subtitle-loc-args")),
        ("body", (name: "loc-key", arguments: "loc-args")),
    ]

    /// Members that differ by language, and that those who share one payload get in the alert's own words: no key names the app's.
    package var membersOfOneLanguage: [String] {
        var members: [String] = []
        for member in localizations?.members.flatMap({ $0.value.object?.members.map(\.name) ?? [] }) ?? []
        where !members.contains(member) && !hasKey(for: member) { members.append(member) }
        return members
    }

    private func hasKey(for member: String) -> Bool {
        if body.object?[member]?.object?["loc-key"] != nil { return true }
        return Self.keys.contains { text, keys in
            [text, keys.name, keys.arguments].contains(member) && body.object?[keys.name] != nil
        }
    }

    /// Bytes of the longest of its texts.
    package var longestText: JSONValue {
        let texts = languages.map { text(in: $0) } + [text(in: nil)]
        return texts.max { $0.utf8.count < $1.utf8.count } ?? body
    }

    private var localizations: JSONObject? { body.object?[Self.localizationsMember]?.object }
}

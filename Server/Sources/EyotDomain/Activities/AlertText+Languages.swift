import EyotContract

/// The texts of an alert in several languages. Each phone gets those of its own language.
extension AlertText {
    /// The member of ``body`` that holds the texts by language. It is Eyot's, and is not sent to phones.
    package static let localizationsMember = "localizations"
    /// The most languages of one alert.
    package static let languageLimit = 50

    /// The languages, as the caller wrote them.
    package var languages: [String] { localizations?.members.map(\.name) ?? [] }

    /// Whether its texts differ by language.
    package var isLocalized: Bool { localizations != nil }

    /// Finds the language of a phone's texts: its own, or the longest prefix of it that has texts (RFC 4647), for
    /// example `zh-Hant-TW`, `zh-Hant`, `zh`.
    ///
    /// - Parameter language: the phone's language, a BCP 47 tag; nil if the phone has named none.
    /// - Returns: nil for the alert's own texts.
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

    /// Returns Apple's dictionary as a phone gets it. A text in the phone's language removes the keys of the app's own
    /// text, because phones would show that text instead.
    ///
    /// - Parameter localization: one of ``languages``; nil for the alert's own texts, which channels get too.
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

    /// Texts, and the members that name the app's own texts by a key.
    private static let keys = [
        ("title", (name: "title-loc-key", arguments: "title-loc-args")),
        ("subtitle", (name: "subtitle-loc-key", arguments: "subtitle-loc-args")),
        ("body", (name: "loc-key", arguments: "loc-args")),
    ]

    /// Members with texts in several languages that receivers of one shared payload get only in the alert's own words.
    /// Members with a key for the app's own text are left out.
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

    /// The longest of its dictionaries, by bytes of UTF-8.
    package var longestText: JSONValue {
        let texts = languages.map { text(in: $0) } + [text(in: nil)]
        return texts.max { $0.utf8.count < $1.utf8.count } ?? body
    }

    private var localizations: JSONObject? { body.object?[Self.localizationsMember]?.object }
}

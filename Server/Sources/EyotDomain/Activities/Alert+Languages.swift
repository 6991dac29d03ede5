import EyotContract

/// An alert's texts in several languages, of which each phone is given those of its own.
extension Alert {
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

    /// Apple's dictionary as a phone gets it.
    ///
    /// - Parameter localization: one of ``languages``; nil is what is for everyone else.
    package func text(in localization: String?) -> JSONValue {
        guard var object = body.object else { return body }
        let texts = localization.flatMap { localizations?[$0]?.object }
        object[Self.localizationsMember] = nil
        for member in texts?.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }

    /// Bytes of the longest of its texts.
    package var longestText: JSONValue {
        let texts = languages.map { text(in: $0) } + [text(in: nil)]
        return texts.max { $0.utf8.count < $1.utf8.count } ?? body
    }

    private var localizations: JSONObject? { body.object?[Self.localizationsMember]?.object }
}

import EyotDomain

/// In which language each member of a page of the ring is given the alert that it is owed, so that those of one language are a group.
struct SpokenLanguages {
    private let page: Int
    /// The phones' languages by ordinal, once somebody is owed an alert of which there are several texts.
    private var known: [Int: String]?

    init(page: Int) { self.page = page }

    /// Nil where there is one text alone, or none for this phone.
    mutating func localization(
        for member: RingMembers.Member, of activity: Activity, ledger: any Ledger, declaration: DeclarationReader
    ) throws -> String? {
        let newest = max(activity.common(for: member.ordinal).alert, member.scopedAlert)
        guard newest > member.alerted, let text = try declaration(newest)?.content.alert?.text, text.isLocalized
        else { return nil }
        let languages = try known ?? ledger.languages(onPage: page, of: activity.id)
        known = languages
        return text.localization(for: languages[member.ordinal])
    }
}

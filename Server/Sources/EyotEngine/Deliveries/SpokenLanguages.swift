import EyotDomain

/// The languages of a ring page's members, so that members that are owed an alert in one language form a group.
struct SpokenLanguages {
    private let page: Int
    /// The phones' languages by ordinal; nil until an alert with several texts is due.
    private var known: [Int: String]?

    init(page: Int) { self.page = page }

    /// The localization of the alert that is due to a member; nil if it has only one text, or none for this phone.
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

import EyotDomain

/// What stands around each page: app and environment, sections, search, member, and what is paused or halted.
struct PageFrame {
    /// A link in the bar of sections.
    struct Section {
        var title: String
        var link: String
        var isOn: Bool
    }

    /// One line that cannot be closed.
    struct Alarm {
        let head: String
        let text: String
        let link: String
        let action: String

        init(_ alarm: AppAlarms.Alarm, for visit: Visit) {
            (head, text) = (alarm.head, alarm.text)
            (link, action) = (visit.link(alarm.path), alarm.action)
        }
    }

    /// The lines of an open page, as they are now.
    struct Alarms {
        let alarms: [Alarm]

        init(for visit: Visit) async throws {
            alarms = try await AppStanding.read(for: visit).alarms.map { Alarm($0, for: visit) }
        }
    }

    let title: String
    let app: String
    let bundleID: String
    /// Whether the member reaches phones with builds from the store.
    let isProduction: Bool
    let sections: [Section]
    let pages: [Section]
    let hasPages: Bool
    let apps: [Section]
    let hasApps: Bool
    let alarms: [Alarm]
    let member: String
    let role: String
    let formToken: String
    let home: String
    let searchAction: String
    let account: String
    let searchApp: String?
    let notice: String?
    let style = PanelAssets.style.path
    let script = PanelAssets.script.path
    var live: String?
    var main = ""

    init(_ visit: Visit, title: String) {
        self.title = title
        let (seat, member) = (visit.seat, visit.member)
        (app, bundleID) = (Shown.line(seat.app.name), seat.app.bundleID)
        isProduction = visit.standing.isProduction
        (self.member, role, formToken) = (member.name, seat.role, member.formToken)
        let path = String(visit.call.path.prefix { $0 != "?" })
        let map = SiteMap(path: path, may: { visit.seat.key.allows($0) }, isOwner: member.isOwner)
        sections = map.sections.map { $0.linked(by: visit) }
        pages = map.pages.map { $0.linked(by: visit) }
        apps =
            member.seats.count < 2
            ? []
            : member.seats.map {
                Section(
                    title: Shown.line($0.app.name), link: Links(app: $0.app.bundleID).link("/panel"),
                    isOn: $0.app.id == seat.app.id)
            }
        (hasPages, hasApps) = (!pages.isEmpty, !apps.isEmpty)
        (home, searchAction, account) = (visit.link("/panel"), "/panel/search", visit.link("/panel/me"))
        searchApp = member.seats.count > 1 ? bundleID : nil
        notice = visit.call.query[Notice.parameter].flatMap(Notice.init(rawValue:)).map { notice in
            visit.isHeld ? notice.heldSentence : notice.sentence
        }
        alarms = visit.standing.alarms.map { Alarm($0, for: visit) }
    }
}

extension SiteMap.Entry {
    fileprivate func linked(by visit: Visit) -> PageFrame.Section {
        PageFrame.Section(title: title, link: visit.link(path), isOn: isOn)
    }
}

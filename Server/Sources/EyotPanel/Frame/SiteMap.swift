import EyotDomain

/// The sections of the panel and their pages. A member sees those that their role can read.
struct SiteMap {
    /// A page or a section, and whether the member is in it.
    struct Entry: Equatable {
        var title: String
        var path: String
        var isOn = false
    }

    fileprivate struct Page {
        var title: String
        var path: String
        /// The scope without which the page shows nothing; nil for none.
        var scope: KeyScope?
        /// Further beginnings of paths that belong to the page.
        var more: [String] = []
        var isOwners = false
    }

    fileprivate static let all: [(section: String, pages: [Page])] = [
        (
            "Tonight",
            [
                Page(
                    title: "Running", path: "/panel", scope: .activitiesRead,
                    more: ["/panel/activities/", "/panel/operations/"]),
                Page(title: "Start", path: "/panel/start", scope: .activitiesStart),
                Page(title: "After", path: "/panel/reports", scope: .activitiesRead),
            ]
        ),
        ("Why", [Page(title: "Why", path: "/panel/why", scope: .whyRead)]),
        (
            "Log",
            [
                Page(title: "Events", path: "/panel/log", scope: .eventsRead),
                Page(title: "Insight", path: "/panel/insight", scope: .activitiesRead),
            ]
        ),
        (
            "People",
            [
                Page(
                    title: "Users and devices", path: "/panel/people", scope: .peopleRead,
                    more: ["/panel/users/", "/panel/devices/"]),
                Page(title: "Audiences", path: "/panel/audiences", scope: .peopleRead),
            ]
        ),
        (
            "Types",
            [
                Page(title: "Types", path: "/panel/types", scope: .typesRead),
                Page(title: "Definitions", path: "/panel/definitions", scope: .definitionsRead),
            ]
        ),
        (
            "Settings",
            [
                Page(title: "App and keys", path: "/panel/app", scope: .appsRead),
                Page(title: "Webhooks", path: "/panel/webhooks", scope: .webhooksRead),
                Page(title: "Push console", path: "/panel/console", scope: .peopleWrite),
                Page(title: "Members", path: "/panel/members", scope: .keysWrite),
                Page(title: "Audit", path: "/panel/audit", scope: .auditRead),
                Page(title: "Server", path: "/panel/server", scope: .activitiesRead),
            ]
        ),
    ]

    /// The sections that the member sees, each with the path of its first page.
    let sections: [Entry]
    /// The pages of the section that the member is in, if there is more than one.
    let pages: [Entry]

    /// - Parameters:
    ///   - path: the path of the page that is shown.
    ///   - may: whether the member's role has a scope.
    init(path: String, may: (KeyScope) -> Bool, isOwner: Bool) {
        var (sections, pages): ([Entry], [Entry]) = ([], [])
        for (title, all) in Self.all {
            let seen = all.filter { ($0.scope.map(may) ?? true) && (!$0.isOwners || isOwner) }
            guard let first = seen.first else { continue }
            let isOn = seen.contains { $0.holds(path) }
            sections.append(Entry(title: title, path: first.path, isOn: isOn))
            if isOn, seen.count > 1 {
                pages = seen.map { Entry(title: $0.title, path: $0.path, isOn: $0.holds(path)) }
            }
        }
        (self.sections, self.pages) = (sections, pages)
    }
}

extension SiteMap.Page {
    fileprivate func holds(_ path: String) -> Bool {
        path == self.path || self.path != "/panel" && path.hasPrefix(self.path + "/")
            || more.contains { path.hasPrefix($0) }
    }
}

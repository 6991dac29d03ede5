import EyotDomain
import EyotHTTP

/// The page that finds users and devices, and lists them.
struct PeoplePage {
    static let path = "/panel/people"
    private static let rows = "50"

    let panel: Panel

    var routes: [Route] { [panel.page(Self.path, query: ["q", "tab", "after", "tag"], show)] }

    private struct Figure {
        var name: String
        var value: String
        var share: String
    }

    private struct UserRow {
        var id: String
        var link: String
        var tags: [String]
        var more: String?
        var attributes: Int

        init(_ reply: Reply, in visit: Visit) {
            id = reply["externalID"].text ?? ""
            link = visit.link(UserPage.path(reply["externalID"].raw ?? ""))
            let all = TraitsView(reply).tags
            tags = Array(all.prefix(4))
            more = all.count > 4 ? "+\(all.count - 4)" : nil
            attributes = reply["attributes"].members.count
        }
    }

    private struct Tab {
        var title: String
        var link: String
        var isOn: Bool
    }

    private struct View {
        let action = PeoplePage.path
        var app: String?
        var typed: String
        var tag: String
        /// What was searched for, as it is shown; nil without a search.
        var searched: String?
        var figures: [Figure] = []
        var tabs: [Tab] = []
        var showsUsers = false
        var showsDevices = false
        var users: [UserRow] = []
        var devices: [DeviceRow] = []
        var isEmpty: Bool
        var empty = ""
        var pager: Pager
    }

    private func show(_ visit: Visit) async throws -> Answer {
        let typed = visit.call.query["q"]?.trimmed ?? ""
        let view = typed.isEmpty ? try await list(visit) : try await found(typed, visit)
        return visit.show("People", "people", view)
    }

    // MARK: What is there

    private func list(_ visit: Visit) async throws -> View {
        let (tag, after) = (visit.call.query["tag"]?.trimmed ?? "", visit.call.query["after"])
        let showsDevices = visit.call.query["tab"] == "devices" || !tag.isEmpty
        var query = ["limit": Self.rows]
        query["after"] = after
        if !tag.isEmpty { query["tag"] = tag }
        let reply = try await visit.reply(showsDevices ? "/v1/devices" : "/v1/users", query)
        let tab = showsDevices ? "devices" : "users"
        var view = View(
            app: visit.appField, typed: "", tag: tag, isEmpty: false,
            pager: Pager(
                first: after.map { _ in visit.link(Self.path, ["tab": tab, "tag": tag]) },
                next: reply["next"].raw.map { visit.link(Self.path, ["tab": tab, "tag": tag, "after": $0]) }))
        view.figures = try await figures(visit)
        view.tabs = [("Users", "users"), ("Devices", "devices")].map { title, name in
            Tab(title: title, link: visit.link(Self.path, ["tab": name]), isOn: name == tab)
        }
        (view.showsUsers, view.showsDevices) = (!showsDevices, showsDevices)
        view.users = reply["users"].all.map { UserRow($0, in: visit) }
        view.devices = reply["devices"].all.map { DeviceRow($0, in: visit) }
        view.isEmpty = view.users.isEmpty && view.devices.isEmpty
        view.empty =
            showsDevices
            ? "No device has registered\(tag.isEmpty ? "" : " with this tag"). An app registers it at its first launch."
            : "Nothing is said of a user yet. Devices with a user are under Devices."
        return view
    }

    /// The newest kept numbers of the app's devices.
    private func figures(_ visit: Visit) async throws -> [Figure] {
        guard visit.may(.activitiesRead) else { return [] }
        let reply = try await visit.reply("/v1/insights/adoption")
        guard let now = reply["points"].all.last, let all = now["devices"].number else { return [] }
        func figure(_ name: String, _ level: AdoptionLevel) -> Figure {
            let number = now[level.rawValue].number ?? 0
            let share = level == .devices ? "" : "\(Figures.share(number, of: all)) %"
            return Figure(name: name, value: Figures.count(number), share: share)
        }
        return [
            figure("Devices", .devices), figure("Allow Live Activities", .activitiesOn),
            figure("Can be started", .startToken), figure("Have a user", .identified),
        ]
    }

    // MARK: What is found

    /// Finds a user by the id or its beginning, the devices of a user, and a device by its number.
    private func found(_ typed: String, _ visit: Visit) async throws -> View {
        var view = View(
            app: visit.appField, typed: typed, tag: "", searched: Shown.text(typed), isEmpty: false,
            pager: Pager(first: nil, next: nil))
        var users: [Reply] = []
        if let exact = try await known("/v1/users/\(PercentEncoding.encoded(typed))", visit) { users.append(exact) }
        let further = try await visit.reply("/v1/users", ["after": typed, "limit": Self.rows])
        users += further["users"].all.filter { $0["externalID"].raw?.hasPrefix(typed) ?? false }
        view.users = users.map { UserRow($0, in: visit) }
        var devices = try await visit.reply("/v1/devices", ["user": typed, "limit": Self.rows])["devices"].all
        if Int64(typed) != nil, let one = try await known("/v1/devices/\(PercentEncoding.encoded(typed))", visit) {
            devices.append(one)
        }
        view.devices = devices.map { DeviceRow($0, in: visit) }
        (view.showsUsers, view.showsDevices) = (!view.users.isEmpty, !view.devices.isEmpty)
        view.isEmpty = view.users.isEmpty && view.devices.isEmpty
        view.empty = "No user has this id, or one that begins so, and no device has this number."
        return view
    }

    private func known(_ path: String, _ visit: Visit) async throws -> Reply? {
        do {
            return try await visit.reply(path)
        } catch let problem as Problem where [.userUnknown, .deviceUnknown].contains(problem.error.code) {
            return nil
        }
    }
}

extension Visit {
    /// The app for links, and for forms that are sent by GET; nil if the member has one app.
    var appField: String? { member.seats.count > 1 || namesApp ? seat.app.bundleID : nil }
}

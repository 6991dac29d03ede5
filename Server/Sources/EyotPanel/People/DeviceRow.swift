/// A device in a list.
struct DeviceRow {
    let id: String
    let link: String
    let user: String?
    let userLink: String
    let system: String
    let version: String
    let language: String
    let environment: String
    let isProduction: Bool
    let seenAt: Moment?
    /// Start tokens in use, of all.
    let tokens: String

    init(_ reply: Reply, in visit: Visit) {
        id = reply["id"].raw ?? ""
        link = visit.link(DevicePage.path(id))
        user = reply["user"].text
        userLink = visit.link(UserPage.path(reply["user"].raw ?? ""))
        system = "iOS \(reply["osVersion"].text ?? "?")"
        version = reply["appVersion"].text ?? ""
        language = reply["language"].text ?? "–"
        environment = reply["environment"].text ?? ""
        isProduction = environment == "production"
        seenAt = reply["seenAt"].moment
        let all = reply["startTokens"].all
        tokens = "\(all.count { $0["death"].json == nil }) of \(all.count)"
    }
}

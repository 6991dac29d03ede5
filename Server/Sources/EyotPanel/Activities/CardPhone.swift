import EyotContract
import EyotDomain
import EyotHTTP

/// A card and its phone in a row of a table: links for those who may follow them.
struct CardPhone {
    let ordinal: String
    /// Nil for a member who reads nothing about people.
    let device: String?
    let deviceLink: String
    let user: String?
    let userLink: String?
    let build: String?
    /// Nil for a member who may not ask.
    let why: String?

    /// - Parameters:
    ///   - json: A card as the API lists it.
    ///   - version: The declaration that the link asks about; nil for the newest.
    init(_ json: JSONValue, of activity: String, _ version: String? = nil, for visit: Visit) {
        ordinal = Figures.count(json.count("ordinal"))
        let id = json.at("device")?.string ?? ""
        let seesPeople = visit.may(.peopleRead)
        (device, deviceLink) = (
            seesPeople ? id : nil, visit.link("/panel/devices/\(PercentEncoding.encoded(id))")
        )
        let person = seesPeople ? json.at("user")?.string : nil
        user = person.map { Shown.line($0, limit: 80) }
        userLink = person.map { visit.link("/panel/users/\(PercentEncoding.encoded($0))") }
        build = json.at("build")?.string.map { Shown.line($0, limit: 40) }
        let question = [("device", id), ("activity", activity)] + (version.map { [("version", $0)] } ?? [])
        why = visit.may(.whyRead) ? visit.link("/panel/why", question) : nil
    }
}

extension Templates {
    static let cardPhone = [
        "card.place": """
        <td class="name">{{ordinal}}{{#device}}<span><a href="{{deviceLink}}">device {{device}}</a></span>{{/device}}</td>
        """,
        "card.phone": """
        <td class="wide t">{{#user}}<a href="{{userLink}}"><bdi>{{user}}</bdi></a>{{/user}}</td><td class="wide t">{{#build}}<bdi>{{build}}</bdi>{{/build}}</td>
        """,
        "card.why": """
        <td>{{#why}}<a class="btn" href="{{why}}">Why</a>{{/why}}</td>
        """,
    ]
}

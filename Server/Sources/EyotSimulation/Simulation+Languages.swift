import APNSWire
import EyotContract
import EyotDomain

/// Alerts with texts by language, to phones of which every other one has one of them.
extension Simulation {
    private static let (foreign, own) = ("Tor", "t")

    /// Some plans have none: what all phones get alike shares a page.
    var hasLanguages: Bool { plan.seed % 4 == 3 }

    static func language(of phone: Int) -> String? { phone.isMultiple(of: 2) ? "de-AT" : nil }

    /// The alert of a version: it says which, so that a repetition can be told.
    func alert(of version: Int) -> Alert {
        var body = JSONObject([("title", .string(Self.own)), ("body", .string("\(version)"))])
        if hasLanguages, fault != .languagesForgotten {
            body[AlertText.localizationsMember] = ["de": ["title": .string(Self.foreign)]]
        }
        return Alert(body: .object(body), expiresAt: now + Alert.defaultLifetime)
    }

    /// A push to a phone speaks its language, whatever page it shared.
    func judgeLanguage(_ template: PushTemplate, _ phone: Int) throws {
        guard hasLanguages else { return }
        let aps = try JSONValue(parsing: template.body(timestamp: now.second)).object?["aps"]?.object
        guard let title = aps?["alert"]?.object?["title"]?.string else { return }
        let expected = Self.language(of: phone + 1) == nil ? Self.own : Self.foreign
        if title != expected { record.violate("Language: phone-\(phone + 1) reads \(title), not \(expected)") }
    }
}

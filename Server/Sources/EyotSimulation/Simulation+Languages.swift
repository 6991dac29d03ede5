import APNSWire
import EyotContract
import EyotDomain

/// Alerts with texts by language. Every other phone has one of the languages.
extension Simulation {
    private static let (foreign, own) = ("Tor", "t")

    /// Whether the plan has alerts by language. Some plans have none, so that phones share pages.
    var hasLanguages: Bool { plan.seed % 4 == 3 }

    static func language(of phone: Int) -> String? { phone.isMultiple(of: 2) ? "de-AT" : nil }

    /// Returns the alert of a version. It contains the version, so that a repetition can be recognised.
    func alert(of version: Int) -> Alert {
        var body = JSONObject([("title", .string(Self.own)), ("body", .string("\(version)"))])
        if hasLanguages, fault != .languagesForgotten {
            body[AlertText.localizationsMember] = ["de": ["title": .string(Self.foreign)]]
        }
        return Alert(body: .object(body), expiresAt: now + Alert.defaultLifetime)
    }

    /// Judges that a push to a phone is in its language, whichever page it shared.
    func judgeLanguage(_ template: PushTemplate, _ phone: Int) throws {
        guard hasLanguages else { return }
        let aps = try JSONValue(parsing: template.body(timestamp: now.second)).object?["aps"]?.object
        guard let title = aps?["alert"]?.object?["title"]?.string else { return }
        let expected = Self.language(of: phone + 1) == nil ? Self.own : Self.foreign
        if title != expected { record.violate("Language: phone-\(phone + 1) reads \(title), not \(expected)") }
    }
}

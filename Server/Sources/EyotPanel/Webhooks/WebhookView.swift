import EyotContract
import EyotDomain
import EyotHTTP

/// A webhook as a row of a table.
struct WebhookRow {
    let id: String
    let name: String
    let url: String
    let types: String
    /// The vendor that has the form of its events; nil for Eyot's own form.
    let form: String?
    let isEnabled: Bool
    let disabledBecause: String
    let pending: String
    let dead: String
    let hasDead: Bool
    let created: Moment?
    let link: String

    init(_ webhook: JSONValue, _ visit: Visit) {
        (id, name, url) = (webhook.text("id"), webhook.shown("name"), webhook.shown("url"))
        types = webhook.texts("types").joined(separator: ", ")
        form = webhook["vendor"]?.string.map { $0.capitalized }
        isEnabled = webhook.text("state") == "enabled"
        disabledBecause = webhook.shown("disabledBecause")
        pending = Figures.count(webhook["pending"]?.integer ?? 0)
        let letters = webhook["deadLetters"]?.integer ?? 0
        (dead, hasDead) = (Figures.count(letters), letters > 0)
        created = webhook.moment("createdAt")
        link = visit.link("\(WebhookPages.path)/\(id)")
    }
}

/// What the page of one webhook shows.
struct WebhookView {
    /// What the receiver answered to a test.
    struct Test {
        var isGood: Bool
        var text: String
        var milliseconds: Int
    }

    struct Delivery {
        var event: String
        var isDead: Bool
        var attempts: Int
        var next: Moment?
        var failed: Moment?
        var text: String
        var retryAction: String
    }

    let webhook: WebhookRow
    let deliveries: [Delivery]
    let older: String?
    let mayWrite: Bool
    /// Where the forms go, by what they do.
    let actions: [String: String]
    var tested: Test?

    init(_ visit: Visit) async throws {
        let path = try WebhookPages.path(of: visit)
        webhook = WebhookRow(try await visit.read(path), visit)
        let page = "\(WebhookPages.path)/\(webhook.id)"
        var query = ["limit": "50"]
        query["state"] = visit.call.query["state"]
        query["after"] = visit.call.query["after"]
        let found = try await visit.read(path + "/deliveries", query)
        deliveries = found.list("deliveries").map { delivery in
            let event = delivery.text("event")
            return Delivery(
                event: event, isDead: delivery.text("state") == "dead", attempts: delivery["attempts"]?.integer ?? 0,
                next: delivery.moment("nextTryAt"), failed: delivery.moment("failedAt"), text: delivery.shown("text"),
                retryAction: visit.link("\(page)/deliveries/\(event)/retry"))
        }
        older = found["next"]?.string.map { visit.link(page, ["after": $0]) }
        mayWrite = visit.may(.webhooksWrite)
        actions = Dictionary(
            uniqueKeysWithValues: ["test", "rotate", "replay", "remove", "enable", "disable"].map {
                ($0, visit.link("\(page)/\($0)"))
            })
    }
}

import EyotCommands
import EyotContract
import EyotDomain

/// What is posted about an entry of the record, in the form that a webhook wants.
package struct WebhookBody: Sendable {
    private let app: AppID
    private let isForeign: Bool
    private let form: EventForm

    /// - Throws: `fieldInvalid` if this program has no form of the webhook's vendor.
    package init(for webhook: Webhook, vendors: [Vendor]) throws(EyotError) {
        (app, isForeign) = (webhook.app, webhook.vendor != nil)
        form = try EventForm(named: webhook.vendor, of: vendors)
    }

    /// The body about an entry; nil if the form has nothing to say of it. Several lines are an array `events`.
    package func bytes(about entry: RecordEntry, in ledger: any Ledger) throws -> [UInt8]? {
        let views = try entry.views(of: app, withDetails: isForeign, in: ledger)
        if !isForeign, case .event = entry { return views.first.map { WebhookMessage.body(of: $0) } }
        let lines = views.flatMap { form.lines(of: $0).map(\.json) }
        guard !lines.isEmpty else { return nil }
        let events = JSONValue.object(JSONObject([("events", .array(lines))]))
        return isForeign ? events.utf8 : WebhookMessage.body(entry.kind.rawValue, at: entry.at, events)
    }
}

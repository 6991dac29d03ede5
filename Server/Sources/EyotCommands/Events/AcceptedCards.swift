import APNSWire
import EyotDomain

/// The events of what Apple accepted for the cards of one page, made from the row. What all of them share is read once.
struct AcceptedCards {
    private let row: Acceptances
    private let activity: Activity
    private let ledger: any Ledger
    /// Without the device; nil if nothing needs them.
    private let details: EventDetails?

    init(_ row: Acceptances, in activity: Activity, _ ledger: any Ledger, _ depth: EventDepth) throws {
        (self.row, self.activity, self.ledger) = (row, activity, ledger)
        let event = Self.event(of: row, in: activity)
        details = depth.hasDetails ? try EventDetails(of: event, activity, nil, in: ledger) : nil
    }

    /// An event for each card, if its device is still known.
    func views(for ordinals: [Int]) throws -> [EventView] {
        try ordinals.compactMap { ordinal in
            guard let card = try ledger.replica(ordinal, of: activity.id), let device = try ledger.device(card.device),
                !device.isForgotten
            else { return nil }
            var event = Self.event(of: row, in: activity)
            (event.ordinal, event.device) = (ordinal, device.id)
            var details = details
            details?.environment = device.environment
            details?.installation = device.installation
            return EventView(event, apnsID: APNSID(row, of: ordinal), of: activity, on: device, details)
        }
    }

    private static func event(of row: Acceptances, in activity: Activity) -> Event {
        var event = Event(
            app: activity.app, at: row.at,
            Fact(.pushAccepted, version: row.content.version, reason: row.content.event.rawValue),
            activity: activity.id)
        event.id = row.id
        return event
    }
}

extension APNSID {
    /// The id of the push to a card that Apple accepted.
    init(_ row: Acceptances, of ordinal: Int) {
        self.init(
            activity: row.activity, version: row.content.version, ordinal: ordinal,
            isStart: row.content.event == .start)
    }
}

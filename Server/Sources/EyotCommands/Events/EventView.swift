import APNSWire
import EyotContract
import EyotDomain

/// What is read beside an event, because not every caller may see it or needs it.
package struct EventDepth: Sendable, Hashable {
    /// Whether tokens are shown whole.
    package var showsTokens = false
    /// Whether ``EventView/details`` are read.
    package var hasDetails = false

    package init() {}

    /// What is needed for both.
    package func union(_ other: EventDepth) -> EventDepth {
        var depth = self
        depth.showsTokens = showsTokens || other.showsTokens
        depth.hasDetails = hasDetails || other.hasDetails
        return depth
    }
}

/// An event with the names of what it is about.
package struct EventView: Sendable {
    package var event: Event
    /// The activity's name and generation; nil if it is gone, or if the event is about none.
    package var activity: (name: String, generation: Int)?
    /// The user of the device at that time; nil if the device had none, or has another one now.
    package var user: String?
    /// The token that the event is about, if the caller may see it and the device still has it.
    package var token: PushToken?
    /// The accepted request that the event is about; nil if it is about none, or the request is no longer kept.
    package var operation: Operation?
    package var details: EventDetails?
    /// The id of the push at Apple, of one that Apple accepted; nil for other events.
    package var apnsID: APNSID?
    /// Whether the next event has another id. The pushes that Apple accepted for the cards of one page share theirs.
    package var isLastOfEntry = true

    init(_ event: Event, in ledger: any Ledger, _ depth: EventDepth = EventDepth()) throws {
        self.event = event
        let activity = try event.activity.flatMap { try ledger.activity($0) }
        self.activity = activity.map { ($0.name, $0.generation) }
        operation = try event.operation.flatMap { try ledger.operation($0, in: event.app) }
        let device = try event.device.flatMap { try ledger.device($0) }
        user = device?.user(at: event.at)
        if depth.showsTokens { token = try event.keptToken(in: ledger) }
        if depth.hasDetails { details = try EventDetails(of: event, activity, device, in: ledger) }
    }

    /// An event of a card that is not stored, with what its page shares.
    init(
        _ event: Event, apnsID: APNSID, of activity: Activity, on device: Device, _ details: EventDetails?
    ) {
        self.event = event
        self.activity = (activity.name, activity.generation)
        (self.apnsID, self.details, isLastOfEntry) = (apnsID, details, false)
        user = device.user(at: event.at)
    }

    /// The event for a caller that sees no more than this.
    func limited(to depth: EventDepth) -> EventView {
        var view = self
        if !depth.showsTokens { view.token = nil }
        return view
    }
}

/// What the form of another vendor says beside the event.
package struct EventDetails: Sendable {
    /// The bundle id of the app.
    package var bundleID: String
    /// The type of the activity, or of the start token; nil if it is unknown.
    package var type: String?
    /// Apple's environment and the installation of the device; nil if the event is about no device.
    package var environment: PushEnvironment?
    package var installation: String?
    /// Whether the declaration that the event is about is an end.
    package var isEnd = false

    /// - Parameter device: Nil if the event is about none, or it is not known yet.
    init(of event: Event, _ activity: Activity?, _ device: Device?, in ledger: any Ledger) throws {
        bundleID = try ledger.app(event.app)?.bundleID ?? ""
        type = activity?.type ?? event.fact.type
        (environment, installation) = (device?.environment, device?.installation)
        guard let activity else { return }
        isEnd = try ledger.declaration(event.fact.version, of: activity.id)?.kind == .end
    }
}

extension Device {
    /// Its user at a moment; nil if it had none, or has another one now. What happened before belongs to a former user
    /// (R12).
    fileprivate func user(at moment: Instant) -> String? {
        userSince.map { $0 <= moment } ?? true ? user : nil
    }
}

extension Fact {
    /// The type that it is about, if its kind has it as the reason; nil if it says none.
    fileprivate var type: String? { kind.hasTypeAsReason ? reason : nil }
}

extension Event {
    /// The token that it is about, while the device has it. An event holds only the fingerprint.
    fileprivate func keptToken(in ledger: any Ledger) throws -> PushToken? {
        guard let fingerprint = fact.token, let device else { return nil }
        if let activity, let ordinal {
            let token = try ledger.replica(ordinal, of: activity)?.token?.token
            return token?.fingerprint == fingerprint ? token : nil
        }
        return try ledger.startTokens(of: device).map(\.token).first { $0.fingerprint == fingerprint }
    }
}

import EyotDomain

/// Which events of an app a caller wants. Conditions that are nil let everything through.
package struct EventQuery: Sendable {
    package var kinds: Set<EventKind>?
    /// Whether only errors are wanted.
    package var isOfErrors = false
    /// The name of an activity, for all of its generations.
    package var activity: String?
    /// A user, on the devices that the user has now. What happened under a former user is left out (R12). It is not
    /// asked for beside ``device``.
    package var user: String?
    package var device: DeviceID?
    /// The earliest moment.
    package var since: Instant?
    /// What is read beside each event.
    package var depth = EventDepth()

    package init() {}

    /// Reads names of kinds, separated by commas. A name such as `card.*` stands for all kinds that begin so.
    ///
    /// - Parameter foreign: Names that other vendors have for events.
    /// - Throws: `fieldInvalid` if no kind has one of the names.
    package static func kinds(
        _ text: String, foreign: [String: Set<EventKind>] = [:]
    ) throws(EyotError) -> Set<EventKind> {
        var kinds: Set<EventKind> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let found = foreign[String(name)] ?? Set(EventKind.matching(String(name)))
            guard !found.isEmpty else {
                throw EyotError(
                    .fieldInvalid, "there is no event \(name): see docs/reference/api/events.md", field: "types")
            }
            kinds.formUnion(found)
        }
        return kinds
    }
}

extension EventQuery {
    /// Whether it is also about what Apple accepted, which has to be asked for by its name.
    package var readsAcceptances: Bool { kinds?.contains(.pushAccepted) ?? false }

    /// Whether it is about events of a kind.
    func wants(_ kind: EventKind) -> Bool { kinds?.contains(kind) ?? (kind != .pushAccepted) }

    /// Whether an event fulfils all conditions.
    func wants(_ view: EventView) -> Bool {
        wants(view.event.fact.kind) && (!isOfErrors || view.event.fact.isError)
            && (since.map { $0 <= view.event.at } ?? true)
            && (activity.map { $0 == view.activity?.name } ?? true) && (user.map { $0 == view.user } ?? true)
            && (device.map { $0 == view.event.device } ?? true)
    }

    /// The most generations of a name, and devices of a user, of which events are read.
    private static let subjectLimit = 100

    /// The subjects that the store reads the events of.
    ///
    /// - Throws: `activityUnknown`, `userUnknown`, `deviceUnknown`.
    func subjects(of app: AppID, in ledger: any Ledger) throws -> Set<EventSubject> {
        if let device { return [.device(try Device.known(device, of: app, in: ledger).id)] }
        if let user {
            let devices = try ledger.deviceIDs(in: .user(user), of: app, limit: Self.subjectLimit)
            guard !devices.isEmpty else { throw EyotError.userUnknown(user) }
            return Set(devices.map(EventSubject.device))
        }
        if let activity {
            let generations = try ledger.activities(named: activity, in: app, limit: Self.subjectLimit)
            guard !generations.isEmpty else { throw try ledger.unknownActivity(activity, in: app) }
            return Set(generations.map { .activity($0.id) })
        }
        return [.app]
    }
}

/// The record of events.
package protocol EventLedger: AnyObject {
    /// Stores an event under the next id of the record.
    func record(_ event: Event) throws
    /// Events of an app with ids above `id`, oldest first.
    func events(of app: AppID, about subject: EventSubject, after id: Int64, limit: Int) throws -> [Event]
    /// Events of an app with ids below `id`, newest first.
    func newestEvents(of app: AppID, about subject: EventSubject, before id: Int64, limit: Int) throws -> [Event]
    /// Events of one kind of an app, in the order in which they happened.
    ///
    /// - Parameters:
    ///   - place: The last event that was read before; nil for none.
    func events(
        of app: AppID, _ kind: EventKind, during moments: Range<Instant>, after place: EventPlace?, limit: Int
    ) throws -> [Event]
    /// The events of refused calls with an id, the server's or the caller's own, oldest first.
    func events(ofRequest id: String, in app: AppID, limit: Int) throws -> [Event]
    /// Looks at the oldest events, up to a limit, and removes those that happened before a moment.
    ///
    /// - Returns: How many were removed.
    func removeEvents(before moment: Instant, limit: Int) throws -> Int
    /// Removes events of a device, for example because its person is forgotten.
    ///
    /// - Returns: How many were removed.
    func removeEvents(of device: DeviceID, limit: Int) throws -> Int
}

/// The thing of an app that events are read of. The store finds the events of each without reading others.
package enum EventSubject: Sendable, Hashable {
    case app
    case activity(ActivityID)
    case device(DeviceID)
}

/// The place of an event among those of its kind.
package struct EventPlace: Sendable, Hashable {
    package var at: Instant
    package var id: Int64

    package init(at: Instant, id: Int64) { (self.at, self.id) = (at, id) }
}

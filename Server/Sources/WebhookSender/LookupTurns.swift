import EyotDomain

/// The decision of which host is looked up next. Nothing is looked up here.
///
/// The system's resolver cannot be interrupted, so a host without an answer holds a thread for as long as the system
/// waits. Therefore each app has few threads at a time, apps take turns, and a host is looked up once however many wait
/// for it. Hosts that were found quickly the last time have threads of their own, so hosts that hang cannot take them.
struct LookupTurns {
    /// A host that an app waits for.
    struct Place: Hashable {
        var app: AppID
        var host: String
    }

    /// Threads for hosts of which nothing is known, or that were slow, and for hosts that were found quickly.
    static let (strange, known) = (24, 8)
    /// The most threads of each kind that one app holds.
    static let ofApp = 2
    /// The most hosts of one app that wait.
    static let waitingOfApp = 64
    /// Seconds within which a host counts as found quickly.
    static let quick = 2.0
    /// Hosts in memory that were found quickly. Beyond that an arbitrary one is forgotten.
    private static let remembered = 10_000

    private var waiting: [AppID: [String]] = [:]
    /// The apps that wait, in the order of their turns.
    private var order: [AppID] = []
    /// Whether each place that has a thread was known when it began.
    private var running: [Place: Bool] = [:]
    private var found: Set<Place> = []

    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }

    /// Adds a place that something waits for.
    ///
    /// - Returns: False if too many hosts of the app wait.
    mutating func add(_ place: Place) -> Bool {
        guard running[place] == nil, waiting[place.app]?.contains(place.host) != true else { return true }
        guard waiting[place.app, default: []].count < Self.waitingOfApp else { return false }
        if waiting[place.app] == nil { order.append(place.app) }
        waiting[place.app, default: []].append(place.host)
        return true
    }

    /// Removes a place that nothing waits for any more. One that has a thread keeps it.
    mutating func drop(_ place: Place) {
        waiting[place.app]?.removeAll { $0 == place.host }
        guard waiting[place.app]?.isEmpty == true else { return }
        waiting[place.app] = nil
        order.removeAll { $0 == place.app }
    }

    /// The place that gets a thread now; nil if none may.
    mutating func next() -> Place? {
        for app in order {
            guard let host = waiting[app]?.first(where: { mayBegin(Place(app: app, host: $0)) }) else { continue }
            let place = Place(app: app, host: host)
            running[place] = found.contains(place)
            drop(place)
            // The app's next turn comes after those of all others.
            if let index = order.firstIndex(of: app) { order.append(order.remove(at: index)) }
            return place
        }
        return nil
    }

    /// Notes that the thread of a place is free again.
    ///
    /// - Parameter seconds: How long the look-up took; nil if it found nothing.
    mutating func end(_ place: Place, after seconds: Double?) {
        running[place] = nil
        guard let seconds, seconds < Self.quick else {
            found.remove(place)
            return
        }
        if found.count >= Self.remembered, let any = found.first { found.remove(any) }
        found.insert(place)
    }

    private func mayBegin(_ place: Place) -> Bool {
        let isKnown = found.contains(place)
        let sameKind = running.filter { $0.value == isKnown }
        return sameKind.count < (isKnown ? Self.known : Self.strange)
            && sameKind.count { $0.key.app == place.app } < Self.ofApp
    }
}

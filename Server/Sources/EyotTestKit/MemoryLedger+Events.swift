import EyotDomain

/// Events, in the simplest form.
extension MemoryLedger {
    package func record(_ event: Event) {
        newestEventID += 1
        var stored = event
        stored.id = newestEventID
        eventRows.append(stored)
    }

    package func events(of app: AppID, about subject: EventSubject, after id: Int64, limit: Int) -> [Event] {
        Array(eventRows.lazy.filter { $0.id > id && $0.app == app && subject.includes($0) }.prefix(limit))
    }

    package func newestEvents(of app: AppID, about subject: EventSubject, before id: Int64, limit: Int) -> [Event] {
        Array(eventRows.reversed().lazy.filter { $0.id < id && $0.app == app && subject.includes($0) }.prefix(limit))
    }

    package func events(
        of app: AppID, _ kind: EventKind, during moments: Range<Instant>, after place: EventPlace?, limit: Int
    ) -> [Event] {
        let place = place ?? EventPlace(at: moments.lowerBound, id: 0)
        let found = eventRows.filter {
            $0.app == app && $0.fact.kind == kind && moments.contains($0.at) && ($0.at, $0.id) > (place.at, place.id)
        }
        return Array(found.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.prefix(limit))
    }

    package func events(ofRequest id: String, in app: AppID, limit: Int) -> [Event] {
        eventRows.filter { $0.app == app && [$0.call?.request.own, $0.call?.request.callers].contains(id) }
            .prefix(limit).map(\.self)
    }

    package func removeEvents(before moment: Instant, limit: Int) -> Int {
        let old = Set(eventRows.prefix(limit).filter { $0.at < moment }.map(\.id))
        eventRows.removeAll { old.contains($0.id) }
        return old.count
    }

    package func removeEvents(of device: DeviceID, limit: Int) -> Int {
        let gone = Set(eventRows.lazy.filter { $0.device == device }.prefix(limit).map(\.id))
        eventRows.removeAll { gone.contains($0.id) }
        return gone.count
    }
}

extension MemoryLedger {
    package func echo(of activity: ActivityID, ordinal: Int) -> Echo? { echoes[activity]?[ordinal] }

    package func put(_ echo: Echo) { echoes[echo.activity, default: [:]][echo.ordinal] = echo }

    package func echoes(of activity: ActivityID, upTo ordinal: Int, below version: Version, limit: Int) -> [Echo] {
        let first = (echoes[activity] ?? [:]).values.filter { $0.ordinal <= ordinal && $0.version < version }
        return Array(first.sorted { $0.ordinal < $1.ordinal }.prefix(limit))
    }

    package func removeEcho(of activity: ActivityID, ordinal: Int) { echoes[activity]?[ordinal] = nil }
}

extension EventSubject {
    fileprivate func includes(_ event: Event) -> Bool {
        switch self {
        case .app: true
        case .activity(let activity): event.activity == activity
        case .device(let device): event.device == device
        }
    }
}

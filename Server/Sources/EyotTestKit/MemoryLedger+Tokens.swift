import EyotContract
import EyotDomain

/// Suspect and dead tokens, and starts without an answer.
extension MemoryLedger {
    package func suspectReplicas(in app: AppID, limit: Int) -> [Replica] {
        activities.filter { $0.app == app }.flatMap { (replicas[$0.id] ?? []).filter(\.isSuspect) }
            .prefix(limit).map(\.self)
    }

    package func suspectStartTokens(in app: AppID, limit: Int) -> [StartToken] {
        startTokens.values.filter { $0.death?.isQuarantine == true && device($0.device)?.app == app }
            .prefix(limit).map(\.self)
    }

    package func unansweredStarts(limit: Int, in shards: Shards) -> [Replica] {
        activities.filter { shards.contains($0.id) }.flatMap {
            (replicas[$0.id] ?? []).filter { $0.lease?.state == .sent }
        }.prefix(limit).map(\.self)
    }

    package func history() -> History? { historyRows.last }

    package func begin(_ history: History) { historyRows.append(history) }

    package func personNumber(of app: AppID) -> Int { personNumbers[app] ?? 0 }

    package func raisePersonNumber(of app: AppID) -> Int {
        personNumbers[app, default: 0] += 1
        return personNumbers[app, default: 0]
    }

    package func alertMark(_ key: AlertMark.Key) -> AlertMark? { alertMarkRows[key] }

    package func insert(_ mark: AlertMark) { alertMarkRows[mark.key] = mark }

    package func update(_ mark: AlertMark) {
        if alertMarkRows[mark.key] != nil { alertMarkRows[mark.key] = mark }
    }

    package func removeAlertMark(_ key: AlertMark.Key) { alertMarkRows[key] = nil }

    package func alertMarks(limit: Int, in shards: Shards) -> [AlertMark] {
        alertMarkRows.values.filter { shards.contains($0.key.activity) }
            .sorted {
                ($0.key.activity.rawValue, $0.key.ordinal, $0.key.second)
                    < ($1.key.activity.rawValue, $1.key.ordinal, $1.key.second)
            }
            .prefix(limit).map(\.self)
    }

    package func deadReplicas(of activity: ActivityID, after ordinal: Int, limit: Int) -> [Replica] {
        credited(activity) { $0.ordinal > ordinal }.filter(\.isDead).prefix(limit).map(\.self)
    }

    package func deadReplicas(of device: DeviceID, limit: Int) -> [Replica] {
        activities.reversed().flatMap { credited($0.id) { $0.device == device }.reversed() }.filter(\.isDead)
            .prefix(limit).map(\.self)
    }

    package func deadStartTokens(in app: AppID, after device: DeviceID, type: String, limit: Int) -> [StartToken] {
        startTokens.values.filter { token in
            token.death != nil && self.device(token.device)?.app == app
                && (device.rawValue, type) < (token.device.rawValue, token.type)
        }.sorted { ($0.device.rawValue, $0.type) < ($1.device.rawValue, $1.type) }.prefix(limit).map(\.self)
    }
}

extension Replica {
    fileprivate var isDead: Bool {
        if case .dead = phase { true } else { false }
    }
}

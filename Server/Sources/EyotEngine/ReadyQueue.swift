import EyotDomain

/// The activities that are ready for a look. Apps take turns, and an app's activities keep their order of arrival
/// (R10).
struct ReadyQueue {
    private struct Line {
        var ids: [ActivityID] = []
        var head = 0

        var isEmpty: Bool { head == ids.count }

        mutating func removeFirst() -> ActivityID {
            defer { compact() }
            defer { head += 1 }
            return ids[head]
        }

        mutating func putBack(_ id: ActivityID) {
            guard head > 0 else { return ids.insert(id, at: 0) }
            head -= 1
            ids[head] = id
        }

        /// Drops the activities that have had their turn, once they are as many as the others.
        private mutating func compact() {
            guard head * 2 >= ids.count else { return }
            ids.removeFirst(head)
            head = 0
        }
    }

    private var lines: [AppID?: Line] = [:]
    /// The apps in the order of their turns. Apps without a line are not in it.
    private var order: [AppID?] = []

    /// - Parameter app: nil if unknown. Activities of unknown apps share one line.
    mutating func append(_ id: ActivityID, of app: AppID?) {
        if lines[app] == nil { order.append(app) }
        lines[app, default: Line()].ids.append(id)
    }

    /// Undoes ``next(without:)``.
    mutating func putBack(_ id: ActivityID, of app: AppID?) {
        order.removeAll { $0 == app }
        order.insert(app, at: 0)
        lines[app, default: Line()].putBack(id)
    }

    /// Removes and returns the next activity; nil if only activities of the full apps wait.
    mutating func next(without full: Set<AppID>) -> ActivityID? {
        guard let place = order.firstIndex(where: { $0.map { !full.contains($0) } ?? true }) else { return nil }
        let app = order.remove(at: place)
        guard let id = lines[app]?.removeFirst() else { return nil }
        if lines[app]?.isEmpty == true { lines[app] = nil } else { order.append(app) }
        return id
    }
}

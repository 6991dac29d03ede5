import EyotDomain

/// Activities that want to be looked at: by turns among apps, and within an app in the order in which they came (R10).
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

        /// Lets go of those who have had their turn, once they outnumber the others.
        private mutating func compact() {
            guard head * 2 >= ids.count else { return }
            ids.removeFirst(head)
            head = 0
        }
    }

    private var lines: [AppID?: Line] = [:]
    /// Whose turn it is, first to last. Apps without anybody in line are not in it.
    private var order: [AppID?] = []

    /// - Parameter app: nil where it is not known yet; these are a line of their own.
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

    /// The next one; nil where nobody waits but of these apps.
    mutating func next(without full: Set<AppID>) -> ActivityID? {
        guard let place = order.firstIndex(where: { $0.map { !full.contains($0) } ?? true }) else { return nil }
        let app = order.remove(at: place)
        guard let id = lines[app]?.removeFirst() else { return nil }
        if lines[app]?.isEmpty == true { lines[app] = nil } else { order.append(app) }
        return id
    }
}

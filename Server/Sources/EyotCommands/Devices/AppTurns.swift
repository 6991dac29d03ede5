import EyotDomain

/// A queue of elements of several apps that take turns: no app waits for all elements of another (R10).
struct AppTurns<Element: Sendable>: Sendable {
    private var lines: [AppID: [Element]] = [:]
    /// The apps in the order of their turns. Apps without elements are not in it.
    private var order: [AppID] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func count(of app: AppID) -> Int { lines[app]?.count ?? 0 }

    mutating func append(_ elements: some Collection<Element>, of app: AppID) {
        guard !elements.isEmpty else { return }
        if lines[app] == nil { order.append(app) }
        lines[app, default: []].append(contentsOf: elements)
        count += elements.count
    }

    /// Removes and returns up to `limit` elements of the app that has the turn, in their order.
    mutating func next(_ limit: Int) -> [Element] {
        guard !order.isEmpty else { return [] }
        let app = order.removeFirst()
        let line = lines[app] ?? []
        let taken = Array(line.prefix(limit))
        count -= taken.count
        if taken.count < line.count {
            lines[app] = Array(line.dropFirst(taken.count))
            order.append(app)
        } else {
            lines[app] = nil
        }
        return taken
    }

    /// Removes and returns up to `limit` elements, an equal share of each app.
    mutating func share(_ limit: Int) -> [Element] {
        var taken: [Element] = []
        let part = max(1, limit / max(1, order.count))
        while taken.count < limit, !isEmpty { taken += next(min(part, limit - taken.count)) }
        return taken
    }
}

import EyotDomain

/// Things of several apps, taken by turns: however many one app has, the others' do not wait for all of them (R10).
struct AppTurns<Element: Sendable>: Sendable {
    private var lines: [AppID: [Element]] = [:]
    /// Whose turn it is, first to last. Apps that have nothing are not in it.
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

    /// Up to so many of the app whose turn it is, in their order.
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

    /// Up to so many, an equal share of each app.
    mutating func share(_ limit: Int) -> [Element] {
        var taken: [Element] = []
        let part = max(1, limit / max(1, order.count))
        while taken.count < limit, !isEmpty { taken += next(min(part, limit - taken.count)) }
        return taken
    }
}

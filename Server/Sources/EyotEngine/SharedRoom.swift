import EyotDomain

/// Room that apps share. One may have half as much as is left then: those that give nothing back have the less, the more of them
/// there are, and whoever comes next finds room (R10).
struct SharedRoom: Sendable, Hashable {
    /// An app may have one part where so many are left.
    private static let part = 2

    private let limit: Int
    private let perApp: Int
    private let least: Int
    private(set) var taken = 0
    private var takenByApp: [AppID: Int] = [:]

    /// - Parameters:
    ///   - limit: for all apps together.
    ///   - perApp: for one, however few others there are.
    ///   - least: what one needs at a time. As long as so much is left, one that has nothing may have it, though it be more than its
    ///     part.
    init(limit: Int, perApp: Int, least: Int = 1) {
        (self.limit, self.perApp, self.least) = (limit, perApp, least)
    }

    /// Those that have taken some.
    var apps: some Sequence<AppID> { takenByApp.keys }

    /// How much more one that has nothing may take.
    var leftForAnyone: Int { left(having: 0) }

    /// How much more an app may take; less than none where others have come since it took what it has.
    func left(for app: AppID) -> Int { left(having: takenByApp[app] ?? 0) }

    private func left(having own: Int) -> Int {
        let spare = limit - taken - Self.part * own
        let share = min(perApp - own, spare > 0 ? spare / (Self.part + 1) : spare)
        return own < least ? max(share, min(least - own, limit - taken)) : share
    }

    /// Takes what an app needs, or gives it back where that is negative.
    mutating func take(_ count: Int, for app: AppID) {
        taken += count
        let own = (takenByApp[app] ?? 0) + count
        takenByApp[app] = own > 0 ? own : nil
    }
}

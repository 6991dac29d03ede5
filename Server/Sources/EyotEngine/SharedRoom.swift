import EyotDomain

/// Room that apps share. An app may have at most half as much as stays free. So the more apps give nothing back, the
/// less each of them gets, and the next app still finds room (R10).
struct SharedRoom: Sendable, Hashable {
    /// An app may have one part for each two parts that stay free.
    private static let part = 2

    private let limit: Int
    private let perApp: Int
    private let least: Int
    private(set) var taken = 0
    private var takenByApp: [AppID: Int] = [:]

    /// - Parameters:
    ///   - limit: For all apps together.
    ///   - perApp: For one app, even if there are no others.
    ///   - least: What an app needs at a time. An app with less than this may have it while enough is free, even beyond
    ///     its share.
    init(limit: Int, perApp: Int, least: Int = 1) {
        (self.limit, self.perApp, self.least) = (limit, perApp, least)
    }

    /// The apps that have taken some.
    var apps: some Sequence<AppID> { takenByApp.keys }

    /// How much an app may take that has nothing yet.
    var leftForAnyone: Int { left(having: 0) }

    /// How much more an app may take. It is negative if other apps have come since this app took its part.
    func left(for app: AppID) -> Int { left(having: takenByApp[app] ?? 0) }

    private func left(having own: Int) -> Int {
        let spare = limit - taken - Self.part * own
        let share = min(perApp - own, spare > 0 ? spare / (Self.part + 1) : spare)
        return own < least ? max(share, min(least - own, limit - taken)) : share
    }

    /// Takes room for an app, or gives it back if the count is negative.
    mutating func take(_ count: Int, for app: AppID) {
        taken += count
        let own = (takenByApp[app] ?? 0) + count
        takenByApp[app] = own > 0 ? own : nil
    }
}

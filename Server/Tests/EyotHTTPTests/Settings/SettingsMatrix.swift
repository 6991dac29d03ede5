import Testing

/// What a caller or an operator can say of how cards are reached.
enum Setting: String, CaseIterable, Sendable {
    case spacing, spacingWithoutFrequentPushes, priority, urgent, languages, startsPerHour, canary, halt
    case staleDate, staleAfterOfType, endsAt, dismissalDate, aps
}

/// A way on which a declaration comes to a phone.
enum SettingPath: String, CaseIterable, Sendable {
    case tokenCard, channel, start, liveAudience, plannedStart, memberList, netmera, airship, braze, insider
}

/// What becomes of a setting on a path.
enum SettingFate: Sendable, Hashable {
    /// The phones show that it holds.
    case holds
    /// It cannot hold; the answer has a warning with this code.
    case warns(String)
    /// It cannot be said there: the call is refused, or says that the member is not acted on.
    case refused
    /// There is nothing for which it could hold, and why.
    case nothing(String)
}

/// Every setting on every path: what holds, and what says that it does not.
enum SettingsMatrix {
    /// One row of the table on one path.
    struct Cell: Sendable, CustomTestStringConvertible {
        var setting: Setting
        var path: SettingPath
        var fate: SettingFate

        var testDescription: String { "\(setting.rawValue) on \(path.rawValue)" }
    }

    private static let holds = SettingFate.holds
    private static let refused = SettingFate.refused
    private static let first = SettingFate.nothing("a start is a card's first push: no update is before it")
    private static let atOnce = SettingFate.nothing("a start leaves at once, and at most once")
    private static let noStart = SettingFate.nothing("it bounds starts, and an update starts nothing")
    private static let noEnd = SettingFate.nothing("only an end has it, which is an update's path")
    private static let shared = SettingFate.warns("channelSharesSpacing")

    /// The columns are those of ``SettingPath``, in its order.
    private static let rows: [(Setting, [SettingFate])] = [
        // tokenCard, channel, start, liveAudience, plannedStart, memberList, netmera, airship, braze, insider
        (.spacing, [holds, holds, first, first, first, holds, holds, holds, holds, holds]),
        (.spacingWithoutFrequentPushes, [holds, shared, first, first, first, holds, holds, holds, holds, holds]),
        (.priority, [holds, holds, holds, holds, holds, holds, holds, holds, holds, refused]),
        (.urgent, [holds, holds, atOnce, atOnce, atOnce, holds, refused, refused, refused, refused]),
        (
            .languages,
            [
                holds, .warns("channelHasOneLanguage"), holds, holds, holds, holds, refused, refused, refused, refused,
            ]
        ),
        (.startsPerHour, [noStart, holds, holds, holds, holds, holds, holds, holds, holds, holds]),
        (
            .canary,
            [
                holds, .warns("channelSkipsCanary"), holds, refused, holds, refused, refused, refused, refused, refused,
            ]
        ),
        (.halt, [holds, holds, holds, holds, holds, holds, holds, holds, holds, holds]),
        (.staleDate, [holds, holds, holds, holds, holds, holds, holds, holds, holds, refused]),
        (.staleAfterOfType, [holds, holds, holds, holds, holds, holds, holds, holds, holds, holds]),
        (.endsAt, [holds, holds, holds, holds, holds, refused, holds, refused, holds, holds]),
        (.dismissalDate, [holds, holds, noEnd, noEnd, noEnd, holds, holds, holds, holds, holds]),
        (.aps, [holds, holds, holds, holds, holds, holds, refused, refused, refused, refused]),
    ]

    static let cells: [Cell] = rows.flatMap { setting, fates in
        zip(SettingPath.allCases, fates).map { Cell(setting: setting, path: $0, fate: $1) }
    }
}

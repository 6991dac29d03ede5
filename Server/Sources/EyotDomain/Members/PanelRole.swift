/// What a member may do in an app, by a name.
package enum PanelRole: String, Sendable, Hashable, CaseIterable {
    /// Reads activities, types and definitions. Events and devices name people, so it reads neither.
    case viewer
    /// Asks why a phone shows what it shows, and nothing else.
    case support
    /// Runs a match night: what a viewer reads, why, and starts, updates, ends, halts and resumes.
    case `operator`
    /// Everything in the app, also its keys and members.
    case admin
    /// Everything in all apps. It is granted for the server and for no single app.
    case owner

    /// The roles that are granted for an app.
    package static let ofApps: [PanelRole] = [.viewer, .support, .operator, .admin]

    /// The scopes of a grant's key; nil means all.
    package var scopes: Set<KeyScope>? {
        switch self {
        case .viewer: Self.reads
        case .support: [.whyRead]
        case .operator:
            Self.reads.union([
                .activitiesStart, .activitiesUpdate, .activitiesHalt, .peopleRead, .eventsRead, .whyRead,
            ])
        case .admin, .owner: nil
        }
    }

    private static let reads: Set<KeyScope> = [.activitiesRead, .typesRead, .definitionsRead, .appsRead]
}

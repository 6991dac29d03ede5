extension Activity {
    /// Users of an activity whose phones may join it by their proof alone. Further ones join by the start that was made for them.
    package static let memberLimit = 100

    /// Notes to whom a request opens the activity.
    package mutating func admit(_ request: DeclarationRequest) {
        if let isPublic = request.isPublic {
            self.isPublic = isPublic
        } else if request.wantsChannel || request.isPublicUnlessSaid && version <= 1 && !request.isPersonal,
            isPublic == nil
        {
            // What is broadcast is published. What has been declared already by others stays as open as they had it.
            isPublic = true
        }
        for user in (request.audience?.users ?? []).sorted() where users.count < Self.memberLimit { users.insert(user) }
    }

    /// Whether a device may learn what it shows, beside those for which it was started and those that have joined it (R12).
    ///
    /// - Parameter app: its own.
    package func isOpen(to device: Device, of app: App) -> Bool {
        if isPublic ?? app.opensActivities { return true }
        if let user = device.user, device.isProven, users.contains(user) { return true }
        // Nobody has declared anything: there is nothing to learn, and whoever starts a card themselves is first. Where users
        // prove who they are, a card of nobody's waits for its user.
        return version == 0 && (app.identityMode != .require || device.isProven)
    }

    /// Whether a card that a phone had for its former user is not for the user that it has now (R12): the activity is
    /// private, and was not started for that user by name. Also where the app's activities are public unless a call
    /// says otherwise, a card that was started for the former user by name is that user's.
    package func isForOthers(than device: Device, of app: App, formerly former: String? = nil) -> Bool {
        let isNamed = isPublic == nil && former.map(users.contains) ?? false
        if isPublic ?? app.opensActivities, !isNamed { return false }
        return device.user.map { !users.contains($0) } ?? true
    }
}

extension DeclarationRequest {
    /// Whether it is for some people and no others, as far as its audience says.
    fileprivate var isPersonal: Bool { audience?.namesPeople ?? false }
}

extension Audience {
    /// Whether it holds nobody but those whom it names, by their ids or their phones'.
    fileprivate var namesPeople: Bool {
        switch self {
        case .user, .users, .device, .devices, .alias, .installation, .testDevice: true
        case .and(let parts): parts.contains(where: \.namesPeople)
        case .or(let parts): parts.allSatisfy(\.namesPeople)
        default: false
        }
    }

    /// Users that it names, and not those that it leaves out.
    package var users: Set<String> {
        switch self {
        case .user(let user): [user]
        case .users(let users): Set(users)
        case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.users) }
        default: []
        }
    }
}

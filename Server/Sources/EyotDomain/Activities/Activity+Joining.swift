extension Activity {
    /// The most users of an activity with phones that may join by their proof alone. Further users join by the start
    /// that was made for them.
    package static let memberLimit = 100

    /// Records for which users a request opens the activity, and whether it makes the activity public.
    package mutating func admit(_ request: DeclarationRequest) {
        if let isPublic = request.isPublic {
            self.isPublic = isPublic
        } else if request.wantsChannel || request.isPublicUnlessSaid && version <= 1 && !request.isPersonal,
            isPublic == nil
        {
            // A broadcast is public. What was declared before keeps the openness that it had.
            isPublic = true
        }
        for user in (request.audience?.users ?? []).sorted() where users.count < Self.memberLimit { users.insert(user) }
    }

    /// Whether a device may join and see the activity, besides the devices that it was started for and those that have
    /// joined (R12).
    ///
    /// - Parameter app: the device's app.
    package func isOpen(to device: Device, of app: App) -> Bool {
        if isPublic ?? app.opensActivities { return true }
        if let user = device.user, device.isProven, users.contains(user) { return true }
        // Nothing has been declared, so there is nothing to see. If the app requires proofs, a card without a proven
        // user waits for one.
        return version == 0 && (app.identityMode != .require || device.isProven)
    }

    /// Whether a card that a phone had for its former user is not for its present user (R12). True if the activity is
    /// private and no start named the present user.
    ///
    /// A card that a start made for the former user by name stays that user's, even if the app's activities are public
    /// by default.
    package func isForOthers(than device: Device, of app: App, formerly former: String? = nil) -> Bool {
        let isNamed = isPublic == nil && former.map(users.contains) ?? false
        if isPublic ?? app.opensActivities, !isNamed { return false }
        return device.user.map { !users.contains($0) } ?? true
    }
}

extension DeclarationRequest {
    /// Whether its audience names particular users or devices and no others.
    fileprivate var isPersonal: Bool { audience?.namesPeople ?? false }
}

extension Audience {
    /// Whether it contains only users or devices that it names.
    fileprivate var namesPeople: Bool {
        switch self {
        case .user, .users, .device, .devices, .alias, .installation, .testDevice: true
        case .and(let parts): parts.contains(where: \.namesPeople)
        case .or(let parts): parts.allSatisfy(\.namesPeople)
        default: false
        }
    }

    /// The users that it names, without those that it excludes.
    package var users: Set<String> {
        switch self {
        case .user(let user): [user]
        case .users(let users): Set(users)
        case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.users) }
        default: []
        }
    }
}

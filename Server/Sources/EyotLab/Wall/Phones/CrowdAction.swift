import PhoneSimulator

/// An action on many phones at once.
enum CrowdAction: String, CaseIterable, Sendable {
    case offline
    case online
    /// Swipes each card in view away.
    case dismiss
    /// Presses Allow.
    case allow

    /// Whether the action changes a phone.
    func applies(to phone: LabPhone) -> Bool {
        let state = phone.state
        return switch self {
        case .offline: state.isOnline
        case .online: !state.isOnline
        case .dismiss: !state.lockScreen.isEmpty
        case .allow: !state.hasAllowed && state.settings.allowed == .afterAsking
        }
    }

    func perform(on phone: LabPhone) throws {
        switch self {
        case .offline: phone.goOffline()
        case .online: phone.goOnline()
        case .dismiss:
            // A card that has gone meanwhile needs no swipe.
            for card in phone.state.lockScreen { try? phone.dismiss(.id(card.id)) }
        case .allow: phone.pressAllow()
        }
    }
}

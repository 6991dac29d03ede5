import EyotContract
import Foundation

/// How often refused changes were told again in one launch. An operator may mend what made the server refuse them, and
/// an app may answer each refusal with the same call.
struct Retelling: Sendable {
    /// Repetitions in a launch that cost no wait.
    static let free = 8
    /// Seconds between two further ones.
    static let interval = 60.0
    /// Seconds after a refusal before the SDK tells it again by itself.
    static let patience = 900.0

    private var count = 0
    private var last: Date?

    /// Whether the app's call may tell it again now. If so, it counts.
    mutating func mayRepeat(at now: Date) -> Bool {
        guard count < Self.free || isOlder(than: Self.interval, now) else { return false }
        count += 1
        last = now
        return true
    }

    /// Whether the SDK may tell it again by itself. If so, it counts.
    mutating func isDue(at now: Date) -> Bool {
        guard isOlder(than: Self.patience, now) else { return false }
        last = now
        return true
    }

    /// Records a refusal.
    mutating func refused(at now: Date) { last = now }

    /// A clock that was set back does not make it wait for ever.
    private func isOlder(than seconds: Double, _ now: Date) -> Bool {
        last.map { !(0..<seconds).contains(now.timeIntervalSince($0)) } ?? true
    }
}

/// Changes that the server refused and that still hold.
extension InstallationLedger {
    /// Drops a change that the server will never accept as it is.
    func dropRefused(_ change: DeviceChange, status: Int, reason: String) {
        state.outbox.drop(sequence: change.sequence)
        switch change.action {
        case .identify, .logout: mark(.person)
        case .profile: mark(.profile)
        case .permissions: mark(.permissions)
        case .cardEvent(let card, _, _): state.cards[card.instance]?.toldDigest = nil
        default: break
        }
        save()
        let kind = change.json.object?["kind"]?.string ?? ""
        report(.changeRefused(kind: kind, of: change.action.subject, status: status, reason: reason))
    }

    /// Records that the server does not believe the phone's user.
    func refused(_ refusal: IdentityRefusal) {
        if refusal.user == state.user { mark(.person) }
        save()
        report(.identityRefused(user: refusal.user, reason: refusal.reason))
    }

    private func mark(_ untold: KitState.Untold) {
        state.untold.insert(untold)
        retelling.refused(at: clock.now())
    }

    /// Whether a call of the app that changes nothing tells the server once more what it refused.
    func mayRepeat(_ untold: KitState.Untold) -> Bool {
        guard state.untold.contains(untold), !state.outbox.entries.contains(where: { $0.action == holding(untold) })
        else { return false }
        return retelling.mayRepeat(at: clock.now())
    }

    /// Tells the server once more what it refused, for example because a key of the app's backend was missing there.
    func tellUntold() {
        for untold in KitState.Untold.allCases where state.untold.contains(untold) {
            if let action = holding(untold) { record(action) }
        }
    }

    /// Does so if the refusal is old.
    func tellUntoldIfDue() {
        guard !state.untold.isEmpty, retelling.isDue(at: clock.now()) else { return }
        tellUntold()
    }

    /// Forgets that a change was refused, because the server has it now.
    func forgetRefusal(of action: DeviceChange.Action) {
        for untold in KitState.Untold.allCases where state.untold.contains(untold) && holding(untold) == action {
            state.untold.remove(untold)
        }
    }

    /// The change that reports what holds now.
    private func holding(_ untold: KitState.Untold) -> DeviceChange.Action? {
        switch untold {
        case .person: state.user.map { .identify(user: $0, signature: state.signature) } ?? .logout
        case .profile: .profile(state.profile)
        case .permissions: state.permissions.map { .permissions($0) }
        }
    }
}

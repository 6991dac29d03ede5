import EyotContract
import Foundation

/// A change of a card that the app has announced.
struct Announced: Sendable {
    /// When.
    var date: Date
    /// Whether the app has announced the card's end. Otherwise it is any change, which may be the end.
    var isEnd: Bool
}

/// What ended a card: the SDK, the app, the switch in Settings, or none of these. Only then it may be a person (R13).
extension InstallationLedger {
    /// Seconds for which an end follows from a change that the app announced, or from the switch in Settings.
    static let causeLasts = 10.0

    /// Records that the app is about to change or end a card. The app's next call may end it before any order is
    /// carried out.
    nonisolated func announce(_ instance: String, isEnd: Bool) {
        let announced = Announced(date: clock.now(), isEnd: isEnd)
        announcedChanges.withLock { changes in
            if changes.count >= DeviceLimits.cardsPerReport {
                changes = changes.filter { isRecent($0.value.date) }
            }
            if changes.count < DeviceLimits.cardsPerReport { changes[instance] = announced }
        }
    }

    /// Records that a card which goes on shows the change that the app announced.
    nonisolated func forgetAnnouncedChange(of instance: String) {
        announcedChanges.withLock { if $0[instance]?.isEnd == false { $0[instance] = nil } }
    }

    /// Whether the end of a card is explained without a person.
    ///
    /// - Parameter permissions: the system's, read when the end was seen. The change of the switch is reported first.
    func isExplained(_ instance: String, by permissions: DevicePermissions) -> Bool {
        if !permissions.activities { permissionsSeen(permissions) }
        if let date = switchedOffAt, !permissions.activities, isRecent(date) { return true }
        return announcedChanges.withLock { $0.removeValue(forKey: instance) }.map { isRecent($0.date) } ?? false
    }

    private nonisolated func isRecent(_ date: Date) -> Bool {
        (0..<Self.causeLasts).contains(clock.now().timeIntervalSince(date))
    }
}

import APNSWire
import EyotContract
import EyotDomain
import Foundation

/// Sender and Apple in one, at almost no cost. A page's pushes reach their phones at once, except some that get no
/// answer.
///
/// The known verdicts of a page are reported when the sender would report them. It looks four times within its
/// patience. The first look sees that answers came, and the next one that no others did although newer pushes were
/// answered. So the report comes after half of the patience.
final class StallingSink: Pusher {
    private let track: RaceTrack
    private let patience: Duration
    private let pageTimeout: Duration

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - patience: the sender's patience.
    ///   - pageTimeout: the time after which a page ends. Pushes without an answer are unknown then.
    init(_ track: RaceTrack, patience: Duration, pageTimeout: Duration) {
        self.track = track
        self.patience = patience
        self.pageTimeout = pageTimeout
    }

    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        let began = ContinuousClock.now
        let known = deliver(page)
        guard !known.open.isEmpty else { return known }
        // The wait ends early when the engine must stop. The page's time is over then.
        try? await wait(from: began) { if known.open.count < page.count { early?(known) } }
        var verdicts = known
        verdicts.open = []
        return verdicts
    }

    /// Waits for the page's time.
    ///
    /// - Parameter tell: called when the known verdicts would be reported.
    private func wait(from began: ContinuousClock.Instant, telling tell: () -> Void) async throws {
        try await Task.sleep(until: began + patience / 2)
        tell()
        try await Task.sleep(until: began + pageTimeout)
    }

    /// Delivers the pushes. Slots that stay open are unknown.
    private func deliver(_ page: PushPage) -> PageVerdicts {
        let numbers = page.templates.map { TemplateWords($0).number }
        var verdicts = PageVerdicts(count: page.count)
        for slot in 0..<page.count {
            guard let number = numbers[Int(page.templateIndices[slot])],
                let token = PushToken(bytes: page.token(at: slot))
            else { continue }
            switch track.receive(number, at: token) {
            case .accepted: verdicts.verdicts[slot] = .accepted
            case .unanswered: verdicts.open.append(slot)
            case .refused(let reason, let deadSince):
                verdicts.verdicts[slot] = .refused(reason)
                verdicts.deadSince[slot] = deadSince.map { Int64($0.timeIntervalSince1970 * 1_000) }
            }
        }
        return verdicts
    }
}

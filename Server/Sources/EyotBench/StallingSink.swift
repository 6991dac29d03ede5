import APNSWire
import EyotContract
import EyotDomain
import Foundation

/// Sender and Apple in one, for as little as possible: a page's pushes are with their phones at once, but for some that get no answer.
///
/// What is known of a page is told when the sender would tell it: it looks four times in its patience, sees that answers have come, and
/// at the next look that no others did though newer pushes were answered. So that is after half of it.
final class StallingSink: Pusher {
    private let track: RaceTrack
    private let patience: Duration
    private let pageTimeout: Duration

    /// - Parameters:
    ///   - patience: the sender's.
    ///   - pageTimeout: after it a page ends, and what has no answer counts as unknown.
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
        // Ends early when the engine has to stop: then the page's time is up.
        try? await wait(from: began) { if known.open.count < page.count { early?(known) } }
        var verdicts = known
        verdicts.open = []
        return verdicts
    }

    /// - Parameter tell: what is told meanwhile.
    private func wait(from began: ContinuousClock.Instant, telling tell: () -> Void) async throws {
        try await Task.sleep(until: began + patience / 2)
        tell()
        try await Task.sleep(until: began + pageTimeout)
    }

    /// What stays open is unknown.
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

import EyotCommands
import EyotDomain
import NIOCore

extension CallGate {
    /// Counts a device's join secrets. A wrong one counts as an unknown device secret of its address.
    ///
    /// - Returns: the activities that the right secrets open.
    /// - Throws: `tooManyCalls` if the address showed too many wrong secrets, unless the secret is known to be good.
    func admit(
        _ verdicts: [CheckJoinSecrets.Verdict], from address: SocketAddress?, at now: Instant
    ) async throws(Problem) -> Set<ActivityID> {
        for verdict in verdicts {
            try checkFailures(.device, verdict.secret.text, from: address, at: now)
            await note(.device, verdict.secret.text, isGood: verdict.opened != nil, from: address, at: now)
        }
        return Set(verdicts.compactMap(\.opened))
    }
}

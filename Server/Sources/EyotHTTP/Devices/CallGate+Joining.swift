import EyotCommands
import EyotDomain
import NIOCore

extension CallGate {
    /// Lets a phone's join secrets count: wrong ones as unknown device secrets of its address.
    ///
    /// - Returns: the activities that the right ones open.
    /// - Throws: `tooManyCalls` where too many were unknown, for right ones and wrong ones alike.
    func admit(
        _ verdicts: [CheckJoinSecrets.Verdict], from address: SocketAddress?, at now: Instant
    ) throws(Problem) -> Set<ActivityID> {
        for verdict in verdicts {
            try checkFailures(.device, verdict.secret.text, from: address, at: now)
            note(.device, verdict.secret.text, isGood: verdict.opened != nil, from: address, at: now)
        }
        return Set(verdicts.compactMap(\.opened))
    }
}

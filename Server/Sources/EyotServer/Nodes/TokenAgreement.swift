import APNSSender
import EyotCommands
import EyotContract
import EyotDomain
import Foundation
import Logging

/// The agreement of all nodes on a database on one provider token for each APNs key.
struct TokenAgreement: Sendable {
    let sender: APNSSender
    let store: any Store
    let clock: any WallClock
    let sealer: Sealer
    let logger: Logger

    /// Gets the token before the key is used, if the sender has no usable one. Without an answer from the store the
    /// sender signs its own.
    func prepare(_ key: ProviderKey) async {
        guard let need = sender.tokenNeed(of: key) else { return }
        let (sealer, now) = (sealer, clock.now)
        do {
            let token = try await store.writeUrgently { ledger in
                try AgreeOnToken(Transaction(ledger, at: now))(of: key.fingerprint, sealer: sealer) { token in
                    token.text.text != need.rejected && ProviderToken(token).isUsable(at: now.date)
                } sign: {
                    .init(text: Secret(try ProviderToken(key: key, now: now.date).text), second: now.second)
                }
            }
            sender.use(ProviderToken(token), of: key)
        } catch {
            logger.warning(
                "A provider token could not be shared with the other nodes, so this one signs its own",
                metadata: ["key": "\(key)", "error": "\(error)"])
        }
    }
}

extension ProviderToken {
    fileprivate init(_ token: AgreeOnToken.Token) { self.init(text: token.text.text, issuedAt: token.issuedAt.date) }
}

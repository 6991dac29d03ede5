import EyotContract

/// The server could not say which channel there is.
public struct ChannelQuestionFailed: Error, Sendable, CustomStringConvertible {
    /// What was wrong, for a log.
    public let description: String
}

extension Eyot {
    /// The broadcast channel that a card of this name can follow: request it with `pushType: .channel(…)` on iOS 18 or later,
    /// and ``observe(_:name:)`` it as any other. The card then shows what the backend declares for everyone.
    ///
    /// - Returns: nil where there is none, where the system is older, and before the device is registered. Then request the
    ///   card with `pushType: .token`.
    /// - Throws: what kept the server from answering; nothing is tried again.
    public func channel(of name: String) async throws -> String? {
        guard let secret = await ledger.deviceSecret() else { return nil }
        let question = ChannelQuestion(name: name, joinSecret: await joinSecret(of: name))
        let answer = try await sender.post(question.json, to: .channel, bearer: secret)
        switch answer.status {
        case 200:
            let channel = try ChannelAdvice(json: JSONValue(parsing: answer.body)).channel
            await ledger.channelGiven(for: name)
            return channel
        // No such activity, none any more, or none with a channel for this phone.
        case 404, 409: return nil
        default: throw ChannelQuestionFailed(description: answer.reason)
        }
    }
}

import EyotContract

/// The error of a question about a channel that the server did not answer.
public struct ChannelQuestionFailed: Error, Sendable, CustomStringConvertible {
    /// The reason, for a log.
    public let description: String
}

extension Eyot {
    /// Returns the broadcast channel that a card of this name can follow. On iOS 18 or later, request the card with
    /// `pushType: .channel(…)` and ``observe(_:name:)`` it as usual. The card then shows what the backend declares for
    /// everyone.
    ///
    /// - Returns: the channel. Nil if there is none, if the system is older, or if the device is not registered yet.
    ///   Request the card with `pushType: .token` then.
    /// - Throws: the reason why the server did not answer. The call is not repeated.
    public func channel(of name: String) async throws -> String? {
        guard let secret = await ledger.deviceSecret() else { return nil }
        let question = ChannelQuestion(name: name, joinSecret: await joinSecret(of: name))
        let answer = try await sender.post(question.json, to: .channel, bearer: secret)
        switch answer.status {
        case 200:
            let channel = try ChannelAdvice(json: JSONValue(parsing: answer.body)).channel
            await ledger.channelGiven(for: name)
            return channel
        // The activity does not exist, has ended, or has no channel for this phone.
        case 404, 409: return nil
        default: throw ChannelQuestionFailed(description: answer.reason)
        }
    }
}

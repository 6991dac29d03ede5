import HTTPTypes

extension CallGate {
    /// Answers a call that shows a secret outside the headers for keys. An address that shows too many unknown secrets
    /// must wait.
    ///
    /// - Parameter secret: nil if the call shows none.
    func watch(
        _ secret: String?, of call: Call, _ answer: () async throws -> Answer
    ) async throws -> Answer {
        guard let secret else { return try await answer() }
        try checkFailures(.control, secret, from: call.address, at: call.now)
        do {
            let answer = try await answer()
            await note(.control, secret, isGood: true, from: call.address, at: call.now)
            return answer
        } catch let refusal as Refusal where refusal.answer.status == .unauthorized {
            await note(.control, secret, isGood: false, from: call.address, at: call.now)
            throw refusal
        }
    }
}

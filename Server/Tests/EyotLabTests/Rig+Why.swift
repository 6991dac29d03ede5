import EyotContract
import EyotLab
import Testing

/// What `GET /v1/why` finds of a lab's phones.
extension Lab {
    func why(_ query: String) async throws -> JSONObject {
        let answer = try await api.call("GET", "/v1/why?\(query)")
        try #require(answer.status == 200, "\(answer.problem)")
        return try #require(answer.body.object)
    }

    /// Waits until a user's phone is explained so.
    ///
    /// - Returns: The finding's sentence.
    @discardableResult
    func until(_ user: String, is expected: String, of activity: String = Lab.activity, more: String = "") async throws
        -> String
    {
        try await until(asking: "user=\(user)&activity=\(activity)\(more)", is: expected)
    }

    @discardableResult
    func until(asking query: String, is expected: String) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(120)
        var last: JSONObject?
        repeat {
            // A name that only phones use is unknown until the first of them has reported it.
            last = try await api.call("GET", "/v1/why?\(query)").body.object
            let finding = last?["finding"]?.object
            if finding?["code"]?.string == expected { return finding?["sentence"]?.string ?? "" }
            await Task.yield()
        } while ContinuousClock.now < deadline
        Issue.record("\(query) is not \(expected): \(last.map { JSONValue.object($0).text } ?? "")")
        return ""
    }

    /// Adds a phone of a user with tag `fans`.
    func add(_ user: String, _ change: (inout PhoneOptions) -> Void = { _ in }) async throws -> LabPhone {
        var options = PhoneOptions()
        options.user = user
        change(&options)
        return try await addPhones(1, options)[0]
    }
}

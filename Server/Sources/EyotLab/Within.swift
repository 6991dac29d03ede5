/// Runs `body` for at most this many seconds, and cancels it after that.
///
/// - Returns: whether it finished in time.
public func within(
    seconds: Double, _ body: @escaping @Sendable () async throws -> Void
) async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            try await body()
            return true
        }
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            return false
        }
        defer { group.cancelAll() }
        return try await group.next() ?? false
    }
}

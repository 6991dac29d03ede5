import EyotContract
import EyotKit
import Foundation

/// A server that takes everything and yields each change that the SDK sends.
struct RecordingServer: Transport {
    /// Every change, in its order.
    let actions: AsyncStream<DeviceChange.Action>
    private let action: AsyncStream<DeviceChange.Action>.Continuation

    init() { (actions, action) = AsyncStream.makeStream() }

    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer {
        let json = try JSONValue(parsing: body)
        guard url.path == DeviceRoute.changes.rawValue else {
            return TransportAnswer(
                status: 200, body: DeviceCredentials(device: "device-1", secret: "secret", epoch: 1).json.utf8)
        }
        let changes = try DeviceChangeBatch(json: json).changes
        for change in changes { action.yield(change.action) }
        let last = changes.map(\.sequence).max() ?? 0
        return TransportAnswer(status: 200, body: DeviceAnswer(applied: last, cards: []).json.utf8)
    }
}

import APNSWire
import Foundation
import NIOHPACK
import Synchronization

/// One request that the simulator received, with its result.
public struct RequestRecord: Sendable {
    /// The result of the request.
    public struct Verdict: Sendable, Equatable {
        /// The status that was decided on, whether or not it was sent.
        public var status: Int
        /// Nil if the request was accepted.
        public var reason: APNSReason?
        /// The fault that hit it.
        public var fault: PushFault?
        /// Whether the receiver was given the push, or the request was done.
        public var isDelivered: Bool
    }

    /// Counts the requests of one simulator, from 1.
    public var number: Int
    /// When the request was complete.
    public var time: Date
    /// The address that received it.
    public var endpoint: APNSEndpoint
    /// The number of the connection, counted from 1.
    public var connection: Int
    /// The body, up to one byte over the limit of a payload.
    public var payload: [UInt8]
    /// How long the body was.
    public var payloadLength: Int
    /// Its result.
    public var verdict: Verdict
    /// The `apns-id` of the answer, or its `apns-request-id`.
    public var id: String

    private let rawHeaders: HPACKHeaders

    init(
        time: Date, endpoint: APNSEndpoint, connection: Int, request: APNSRequest, verdict: Verdict, id: String
    ) {
        number = 0
        self.time = time
        self.endpoint = endpoint
        self.connection = connection
        payload = request.body
        payloadLength = request.bodyLength
        self.verdict = verdict
        self.id = id
        rawHeaders = request.headers
    }

    /// The header fields in order of arrival, pseudo headers included. A provider token is shown without its signature,
    /// so that it can be read but not used.
    public var headers: [(name: String, value: String)] {
        rawHeaders.map { name, value, _ in
            guard name == APNSHeader.authorization else { return (name, value) }
            let parts = value.split(separator: ".", omittingEmptySubsequences: false)
            return (name, parts.count == 3 ? "\(parts[0]).\(parts[1]).…" : "\(value.prefix(12))…")
        }
    }
}

/// The last requests, oldest dropped first.
final class RequestLog: Sendable {
    private struct Ring {
        var records: [RequestRecord] = []
        var total = 0
    }

    private let capacity: Int
    private let ring = Mutex(Ring())

    init(capacity: Int) { self.capacity = capacity }

    var total: Int { ring.withLock { $0.total } }

    func append(_ record: @autoclosure () -> RequestRecord) {
        ring.withLock { ring in
            ring.total += 1
            guard capacity > 0 else { return }
            var record = record()
            record.number = ring.total
            if ring.records.count < capacity {
                ring.records.append(record)
            } else {
                ring.records[(ring.total - 1) % capacity] = record
            }
        }
    }

    /// The newest `limit` records, oldest of them first.
    func newest(_ limit: Int) -> [RequestRecord] {
        ring.withLock { ring in
            let count = min(max(0, limit), ring.records.count)
            return (ring.total - count..<ring.total).map { ring.records[$0 % capacity] }
        }
    }
}

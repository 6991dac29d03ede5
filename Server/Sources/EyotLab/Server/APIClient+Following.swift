import EyotContract
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension APIClient {
    /// A part of an answer that comes bit by bit.
    enum Part: Sendable {
        /// The status, before the body.
        case status(Int)
        case bytes([UInt8])
    }

    /// Seconds without a byte after which a server is given up. It sends a sign of life every 15 seconds.
    private static let silence = 60.0

    /// Follows a stream of events (`text/event-stream`) until the server ends it.
    ///
    /// - Parameters:
    ///   - last: the id of the last event that was received; nil for none.
    ///   - receive: gets each message.
    /// - Returns: nil after a stream, and the answer if the server refuses the call.
    /// - Throws: ``Failure`` if the connection fails.
    public func follow(
        _ path: String, after last: String?, headers: [String: String] = [:],
        receive: @escaping @Sendable (EventMessage) -> Void
    ) async throws -> Answer? {
        var request = URLRequest(url: URL(string: server.absoluteString.trimmingSuffix("/") + path) ?? server)
        request.timeoutInterval = Self.silence
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        request.setValue(last, forHTTPHeaderField: "Last-Event-ID")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        var (status, body, reader) = (0, [UInt8](), EventMessageReader())
        do {
            for try await part in Self.parts(of: request) {
                switch part {
                case .status(let number): status = number
                case .bytes(let bytes) where status == 200: for message in reader.read(bytes) { receive(message) }
                case .bytes(let bytes): body += bytes
                }
            }
        } catch let error as URLError {
            throw Failure.unreachable(server, error.localizedDescription)
        }
        return status == 200 ? nil : Answer(status: status, body: Self.value(of: Data(body)))
    }

    private static func parts(of request: URLRequest) -> AsyncThrowingStream<Part, any Error> {
        AsyncThrowingStream { parts in
            let session = URLSession(
                configuration: .ephemeral, delegate: PartReceiver(parts: parts), delegateQueue: nil)
            session.dataTask(with: request).resume()
            session.finishTasksAndInvalidate()
        }
    }
}

/// Passes the parts of one answer on.
private final class PartReceiver: NSObject, URLSessionDataDelegate {
    private let parts: AsyncThrowingStream<APIClient.Part, any Error>.Continuation

    init(parts: AsyncThrowingStream<APIClient.Part, any Error>.Continuation) { self.parts = parts }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        parts.yield(.status((response as? HTTPURLResponse)?.statusCode ?? 0))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        parts.yield(.bytes(Array(data)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { parts.finish(throwing: error) } else { parts.finish() }
    }
}

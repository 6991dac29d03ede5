import EyotContract
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport over HTTP.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// Makes a transport with the app's session, or with one that all instances share and that keeps neither cookies
    /// nor answers.
    public init(session: URLSession? = nil) {
        self.session = session ?? Self.sharedSession
    }

    private static let sharedSession: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        // The time-out for requests counts from the last byte, and a slow answer blocks all later requests.
        configuration.timeoutIntervalForResource = 60
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        return URLSession(configuration: configuration)
    }()

    /// The reasons for no answer although the network worked.
    enum Failure: Error, CustomStringConvertible {
        case notHTTP
        case tooLong(bytes: Int)

        var description: String {
            switch self {
            case .notHTTP: "the server did not answer in HTTP"
            case .tooLong(let bytes): "the server's answer has \(bytes) bytes, more than \(TransportAnswer.bodyLimit)"
            }
        }
    }

    /// Posts over the session. Cancelling the task cancels the request.
    public func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer {
        var request = Self.request(to: url, bearer: bearer, secret: secret)
        request.httpBody = Data(body)
        let (data, response) = try await session.answer(to: request)
        guard let response = response as? HTTPURLResponse else { throw Failure.notHTTP }
        guard data.count <= TransportAnswer.bodyLimit else { throw Failure.tooLong(bytes: data.count) }
        let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
        return TransportAnswer(
            status: response.statusCode, body: Array(data), retryAfter: retryAfter,
            history: response.value(forHTTPHeaderField: DeviceHeader.history))
    }

    /// Passes the request to a background session of the system. Does nothing except on iOS, the only system that
    /// suspends apps.
    public func handOver(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async {
        #if os(iOS) && !targetEnvironment(macCatalyst)
            let request = Self.request(to: url, bearer: bearer, secret: secret)
            await BackgroundUploads.shared.handOver(request, body: body)
        #endif
    }

    /// Cancels the request that the background session has not sent yet.
    public func takeBack() async {
        #if os(iOS) && !targetEnvironment(macCatalyst)
            await BackgroundUploads.shared.takeBack()
        #endif
    }

    private static func request(to url: URL, bearer: String, secret: String?) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization")
        if let secret { request.setValue(secret, forHTTPHeaderField: DeviceHeader.secret) }
        return request
    }
}

extension URLSession {
    #if canImport(FoundationNetworking)
        /// Returns the answer to a request. Throws at once if the task is cancelled.
        ///
        /// Foundation's own `data(for:)` for Linux can deadlock if its task is cancelled while the answer arrives. The
        /// cancellation waits for the session's queue, and that queue waits for the task. So the request is cancelled
        /// from another queue here.
        fileprivate func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
            let (answers, answer) = AsyncStream.makeStream(of: Result<(Data, URLResponse), any Error>.self)
            let task = dataTask(with: request) { data, response, error in
                if let data, let response {
                    answer.yield(.success((data, response)))
                } else {
                    answer.yield(.failure(error ?? URLError(.unknown)))
                }
                answer.finish()
            }
            return try await withTaskCancellationHandler {
                task.resume()
                for await result in answers { return try result.get() }
                throw CancellationError()
            } onCancel: {
                DispatchQueue.global().async { task.cancel() }
            }
        }
    #else
        fileprivate func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
            try await data(for: request)
        }
    #endif
}

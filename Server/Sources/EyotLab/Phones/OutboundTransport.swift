import EyotContract
import EyotKit
import Foundation
import OutboundHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Real HTTP from phones, over the server's own client for calls to others.
///
/// Apps use ``EyotKit/URLSessionTransport``. On Linux its session polls as long as a server does not answer, so that
/// the phones of one process would take a whole core while a server stands still.
struct OutboundTransport: Transport {
    let client: OutboundClient

    private static let retryAfter = "Retry-After"

    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer {
        var headers = [
            ("Content-Type", "application/json"), ("Accept", "application/json"), ("Authorization", "Bearer \(bearer)"),
        ]
        if let secret { headers.append((DeviceHeader.secret, secret)) }
        let call = OutboundCall(
            .post, url.absoluteString, headers: headers, body: body, keeping: [Self.retryAfter, DeviceHeader.history])
        do {
            let answer = try await client.send(call)
            return TransportAnswer(
                status: answer.status, body: answer.body,
                retryAfter: answer.headers[Self.retryAfter].flatMap(Double.init),
                history: answer.headers[DeviceHeader.history])
        } catch {
            throw Self.error(for: error)
        }
    }

    /// The failure as the session of an app names it.
    private static func error(for failure: OutboundFailure) -> URLError {
        switch failure {
        case .addressInvalid: URLError(.badURL)
        case .answerTooLong: URLError(.dataLengthExceedsMaximum)
        case .connectionFailed: URLError(.networkConnectionLost)
        case .stopped: URLError(.cancelled)
        case .timedOut, .tooManyCalls: URLError(.timedOut)
        case .tlsFailed: URLError(.secureConnectionFailed)
        }
    }
}

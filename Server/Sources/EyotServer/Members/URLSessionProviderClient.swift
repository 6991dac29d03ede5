import EyotDomain
import EyotHTTP
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The calls to the OpenID provider, by URLSession.
///
/// The provider's URLs come from the operator's settings and from the provider itself, so no address is vetted as those
/// of webhooks are.
package final class URLSessionProviderClient: NSObject, ProviderClient {
    /// Seconds that a call may take.
    private static let timeout = 10.0
    /// The most bytes of an answer.
    private static let answerBytes = 1_048_576

    private let session: URLSession

    override package init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.timeout
        configuration.timeoutIntervalForResource = Self.timeout
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    package func call(_ call: ProviderCall) async throws -> (status: Int, body: [UInt8]) {
        guard let url = URL(string: call.url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: Self.timeout)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let authorization = call.authorization {
            request.setValue(authorization.text, forHTTPHeaderField: "Authorization")
        }
        if let form = call.form {
            request.httpMethod = "POST"
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            let text = form.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value.text))" }
            request.httpBody = Data(text.joined(separator: "&").utf8)
        }
        let (body, response) = try await session.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, body.count <= Self.answerBytes else {
            throw URLError(.badServerResponse)
        }
        return (status, Array(body))
    }
}

/// Keeps a session from following redirects: a code or a secret must not go to another place.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

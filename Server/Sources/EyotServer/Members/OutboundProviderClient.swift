import EyotDomain
import EyotHTTP
import NIOCore
import OutboundHTTP
import ServiceLifecycle

/// The calls to the OpenID provider.
///
/// The provider's URLs come from the operator's settings and from the provider itself, so no address is vetted as those
/// of webhooks are.
package struct OutboundProviderClient: ProviderClient, Service {
    /// The most bytes of an answer.
    private static let answerBytes = 1_048_576
    /// The most calls at a time. Answers of all of them fit in the memory of a small server.
    private static let calls = 16

    private let client: OutboundClient

    package init() {
        client = OutboundClient(
            .init(
                time: .milliseconds(Int64(ProviderCall.longest * 1_000)), bodyBytes: Self.answerBytes,
                calls: Self.calls))
    }

    package func call(_ call: ProviderCall) async throws -> (status: Int, body: [UInt8]) {
        var outbound = OutboundCall(call.form == nil ? .get : .post, call.url)
        outbound.headers.append(("accept", "application/json"))
        if let authorization = call.authorization { outbound.headers.append(("authorization", authorization.text)) }
        if let form = call.form {
            outbound.headers.append(("content-type", "application/x-www-form-urlencoded"))
            let text = form.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value.text))" }
            outbound.body = Array(text.joined(separator: "&").utf8)
        }
        let answer = try await client.send(outbound, until: .now() + .milliseconds(Int64(call.seconds * 1_000)))
        return (answer.status, answer.body)
    }

    package func close() async { await client.close() }

    /// Waits for the stop of the server and breaks off the calls under way, so that no sign-in delays it.
    package func run() async throws {
        try? await gracefulShutdown()
        await close()
    }
}

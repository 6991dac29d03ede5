import EyotCommands
import EyotDomain
import EyotIdentity
import EyotServer
import EyotTestKit
import Foundation
import HTTPTypes
import Testing

@testable import EyotPanel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sign-in at a provider that is a program of its own: `oidc-provider-mock` on PyPI.
@Suite("Sign-in by OpenID Connect, with a real provider", .timeLimit(.minutes(10)))
struct RealProviderTests {
    /// Where `scripts/setup` puts the packages of `scripts/requirements.txt`.
    private static let packages = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../.build/python").standardizedFileURL
    private static var isThere: Bool {
        FileManager.default.fileExists(atPath: packages.appendingPathComponent("oidc_provider_mock").path)
    }

    /// The provider, on a free port.
    private static let provider = Program(
        "python3",
        [
            "-B", "-m", "oidc_provider_mock", "--port", "0", "--require-nonce", "--user-claims",
            #"{"sub":"s1","email":"ana@example.org","email_verified":true}"#,
        ], environment: ["PYTHONPATH": packages.path, "NO_COLOR": "1"])

    /// Its URL, when it listens.
    private static func issuer(of provider: Program.Running) async throws -> String {
        var text = ""
        for try await line in provider.errors {
            text += "\(line)\n"
            if let found = line.firstMatch(of: /running on (http:\/\/127\.0\.0\.1:[0-9]+)/) { return String(found.1) }
        }
        throw NotStarted(output: text)
    }

    private struct NotStarted: Error {
        var output: String
    }

    /// Chooses the person at the provider, and returns where it sends the browser.
    private static func choose(_ subject: String, at location: String) async throws -> String {
        var request = URLRequest(url: try present(URL(string: location)))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("sub=\(subject)".utf8)
        let session = URLSession(configuration: .ephemeral, delegate: StayHere(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.data(for: request)
        return try present((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Location"))
    }

    /// Follows no redirect.
    private final class StayHere: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }

    @Test(.enabled(if: isThere, "scripts/setup installs oidc-provider-mock"))
    func `A member signs in at a provider, and an unknown person does not`() async throws {
        _ = try await Self.provider.run { provider in
            let issuer = try await Self.issuer(of: provider)
            let calls = OutboundProviderClient()
            var setup = AccessRig.Setup()
            setup.openID = { clock in
                // The provider's tokens carry the machine's time.
                clock.advance(Date().timeIntervalSince1970 - Double(clock.now.second))
                return OpenIDProvider(
                    OpenIDSettings(issuer: issuer, clientID: "eyot", clientSecret: Secret("secret")),
                    client: calls, verifier: JWTVerifier(), clock: clock)
            }
            try await AccessRig.run(setup) { rig in
                do { try await Self.signIn(rig) } catch { Issue.record(error) }
                await calls.close()
            }
        }
    }

    /// Signs in the member `s1`, and tries it with a person that is none.
    private static func signIn(_ rig: AccessRig) async throws {
        _ = try await rig.link("ana@example.org", .operator, in: "match")
        for (subject, status) in [("s1", HTTPResponse.Status.seeOther), ("eve", .forbidden)] {
            var browser = AccessRig.Browser()
            let start = try await rig.send(.get, "/panel/oidc", by: &browser)
            let back = try await Self.choose(subject, at: try present(start.headers[.location]))
            let path = try present(back.firstRange(of: "/panel/oidc/callback"))
            browser.site = "cross-site"
            let answer = try await rig.send(.get, String(back[path.lowerBound...]), by: &browser)
            #expect(answer.status == status, "\(answer.text)")
            let page = try await rig.send(.get, "/panel", by: &browser)
            #expect(page.text.contains("ana@example.org · operator") == (subject == "s1"))
        }
    }
}

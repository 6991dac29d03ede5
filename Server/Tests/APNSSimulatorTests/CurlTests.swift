import APNSSimulator
import EyotTestKit
import Foundation
import Testing

/// Other people's clients, run as processes, as guides tell their readers to.
@Suite struct CurlTests {
    /// Whether this machine has a curl that speaks HTTP/2, and openssl.
    @Sendable private static func isPossible() async throws -> Bool {
        let version = try await run("curl --version && openssl version", [:])
        return version.contains("HTTP2") && version.contains("OpenSSL")
    }

    /// Makes a token by hand with openssl, which signs in DER, and pushes with curl.
    private static let script = #"""
        encode() { openssl base64 -e -A | tr -- '+/' '-_' | tr -d =; }
        header=$(printf '{ "alg": "ES256", "kid": "%s" }' "$KEY_ID" | encode)
        claims=$(printf '{ "iss": "%s", "iat": %d }' "$TEAM_ID" "$(date +%s)" | encode)
        signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -binary -sha256 -sign "$FILE" | encode)
        curl --silent --show-error --http2 --cacert "$CA_FILE" --max-time 60 \
            --header "apns-topic: $TOPIC" --header "apns-push-type: liveactivity" --header "apns-priority: 10" \
            --header "authorization: bearer $header.$claims.$signature" \
            --data '{"aps":{"timestamp":'$(date +%s)',"event":"update","content-state":{"progress":0.5}}}' \
            --write-out '%{http_version} %{http_code}' "$URL/3/device/$TOKEN"
        """#

    private static func run(_ script: String, _ environment: [String: String]) async throws -> String {
        try await Program("/bin/sh", ["-c", "exec 2>&1\n\(script)"], environment: environment).run().output
    }

    /// Runs a script that finds the simulator, its authority's certificate and a file.
    private static func run(
        _ script: String, against apple: Apple, with file: Data, _ environment: [String: String]
    ) async throws -> String {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let (ca, path) = (directory.appendingPathComponent("ca.pem"), directory.appendingPathComponent("file"))
        try apple.simulator.writeCertificateAuthority(to: ca.path)
        try file.write(to: path)
        let places = [
            "CA_FILE": ca.path, "FILE": path.path, "TOPIC": Apple.topic, "TOKEN": Apple.token,
            "URL": apple.simulator.sandboxURL,
        ]
        return try await run(script, environment.merging(places) { $1 })
    }

    @Test(
        "curl pushes with a token that openssl made",
        .enabled("needs openssl and a curl with HTTP/2", isPossible), arguments: [true, false])
    func curl(isRightKey: Bool) async throws {
        let apple = try await Apple { $0.now = { Date() } }
        let secret = isRightKey ? apple.key : apple.secondKey
        let output = try await Self.run(
            Self.script, against: apple, with: Data(secret.pemRepresentation.utf8),
            ["KEY_ID": "KEY0000001", "TEAM_ID": Apple.team])
        #expect(output == (isRightKey ? "2 200" : #"{"reason":"InvalidProviderToken"}2 403"#))
        #expect(apple.phones.received.count == (isRightKey ? 1 : 0))
        await apple.simulator.shutdown()
    }

    /// The answer comes before the body's end, and curl gives up sending.
    @Test(
        "curl reads why a body of megabytes is refused", .enabled("needs a curl with HTTP/2", isPossible))
    func longBody() async throws {
        let apple = try await Apple { $0.now = { Date() } }
        let output = try await Self.run(
            #"""
            curl --silent --show-error --http2 --cacert "$CA_FILE" --max-time 60 --header "authorization: bearer $JWT" \
                --header "apns-topic: $TOPIC" --header "apns-push-type: liveactivity" --data-binary "@$FILE" \
                --write-out '%{http_version} %{http_code}' "$URL/3/device/$TOKEN"
            """#,
            against: apple, with: Data(repeating: UInt8(ascii: "x"), count: 3_000_000),
            ["JWT": try apple.jwt(claims: #"{"iss":"\#(Apple.team)","iat":\#(Int(Date().timeIntervalSince1970))}"#)])
        #expect(output == #"{"reason":"PayloadTooLarge"}2 413"#)
        await apple.simulator.shutdown()
    }
}

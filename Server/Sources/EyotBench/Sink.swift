import APNSSender
import EyotContract
import EyotLab
import Foundation

/// The sink: nghttpd as Apple's side. It accepts any push over TLS and answers 200, at the least cost of an HTTP/2
/// server.
///
/// It answers 200 only for paths with a file. So it knows a few tokens, which the cards of a measurement share.
final class Sink: Sendable {
    /// The number of different tokens.
    static let tokens = 64
    /// The required programs.
    static let programs = ["nghttpd", "openssl"]

    /// The file with the certificate that clients must trust.
    private let certificate: String
    /// The certificate's key in PEM. It also signs provider tokens.
    let key: String
    let port: Int
    let folder: URL
    private let server: Program

    /// Starts the sink.
    ///
    /// - Throws: ``BenchError`` if a program is missing.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-sink-\(UUID())")
        let devices = folder.appendingPathComponent("3/device")
        try FileManager.default.createDirectory(at: devices, withIntermediateDirectories: true)
        for number in 0..<Self.tokens {
            try Data().write(to: devices.appendingPathComponent(HexBytes.text(of: BenchStore.token(number))))
        }
        let keyFile: String
        (keyFile, certificate) = (folder.appendingPathComponent("key").path, folder.appendingPathComponent("cert").path)
        try Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", keyFile,
                "-out", certificate, "-days", "1", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ])
        key = try String(contentsOfFile: keyFile, encoding: .utf8)
        port = try SteadyPort.free()
        server = try Program.start(
            "nghttpd",
            [
                "-n", "1", "-m", "1000", "-w", "20", "-W", "30", "-d", folder.path, "--address", "127.0.0.1", "\(port)",
                keyFile, certificate,
            ])
    }

    deinit {
        server.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The path of a push to each token.
    var paths: [String] {
        (0..<Self.tokens).map { "/3/device/\(HexBytes.text(of: BenchStore.token($0)))" }
    }

    /// Makes a sender to the sink, as the server has one to Apple.
    func sender() throws -> APNSSender {
        var configuration = APNSSenderConfiguration()
        configuration.productionURL = "https://localhost:\(port)"
        configuration.trust = .authorities(pemFile: certificate)
        // The cost of a push is measured here, and not the effect of a slow machine.
        configuration.pageTimeout = .seconds(60)
        return try APNSSender(configuration)
    }
}

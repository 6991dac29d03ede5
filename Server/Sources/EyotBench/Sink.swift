import APNSSender
import EyotContract
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
        port = try Self.freePort()
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

    /// Returns a port that was free a moment ago.
    private static func freePort() throws -> Int {
        let listener = Loopback.stream()
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw BenchError.noPort }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

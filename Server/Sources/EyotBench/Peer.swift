import Foundation

/// h2load against nghttpd: what a good general client of HTTP/2 costs on this machine, in the same rounds.
///
/// One TLS connection, a POST of 400 bytes with the headers of a push for each request.
public final class Peer {
    private let folder: URL
    private let sink: Program
    private let port: Int

    /// Programs that it needs.
    public static let programs = ["h2load", "nghttpd", "openssl"]

    /// Starts the sink.
    ///
    /// - Throws: ``BenchError`` where a program is missing.
    public init() throws {
        let missing = Self.programs.filter { Program.path(of: $0) == nil }
        guard missing.isEmpty else { throw BenchError.programsMissing(missing) }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-peer-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (key, certificate) = (folder.appendingPathComponent("key").path, folder.appendingPathComponent("cert").path)
        try Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
                "-out",
                certificate, "-days", "1", "-subj", "/CN=localhost",
            ])
        try Data(repeating: UInt8(ascii: "x"), count: 400).write(to: folder.appendingPathComponent("body"))
        try Data().write(to: folder.appendingPathComponent("push"))
        port = try Self.freePort()
        sink = try Program.start(
            "nghttpd",
            [
                "-n", "1", "-m", "1000", "-w", "20", "-W", "30", "-d", folder.path, "--address", "127.0.0.1", "\(port)",
                key, certificate,
            ])
    }

    deinit {
        sink.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes requests, and answers how many seconds of CPU each has cost the client.
    public func secondsPerRequest(requests: Int) throws -> Double {
        let headers = [
            "authorization: bearer \(String(repeating: "t", count: 200))",
            "apns-topic: org.example.match.push-type.liveactivity", "apns-push-type: liveactivity", "apns-priority: 10",
            "apns-expiration: 0",
        ]
        let cpu = try Program.run(
            "h2load",
            ["-n", "\(requests)", "-c", "1", "-m", "1000", "-t", "1", "-d", folder.appendingPathComponent("body").path]
                + headers.flatMap { ["-H", $0] } + ["https://127.0.0.1:\(port)/push"])
        return cpu / Double(requests)
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> Int {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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

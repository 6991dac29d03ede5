import APNSSimulator
import Foundation
import HTTPConnections
import NIOSSL

/// A certificate for this machine, as `eyot serve` reads one, and callers that accept it.
struct BenchCertificate: Sendable {
    let server: ServerCertificate
    let client: NIOSSLContext

    init() throws {
        let made = try SimulatorCertificates()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ServerCertificate.Files(
            certificate: folder.appendingPathComponent("cert.pem").path,
            key: folder.appendingPathComponent("key.pem").path)
        try made.certificatePEM.write(toFile: files.certificate, atomically: true, encoding: .utf8)
        try made.keyPEM.write(toFile: files.key, atomically: true, encoding: .utf8)
        server = try ServerCertificate(files)
        var configuration = TLSConfiguration.makeClientConfiguration()
        // The callers share the cores with the server, and a phone's check of the chain costs the server nothing.
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["http/1.1"]
        client = try NIOSSLContext(configuration: configuration)
    }
}

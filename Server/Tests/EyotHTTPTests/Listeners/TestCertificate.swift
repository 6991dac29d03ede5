import APNSSimulator
import Foundation
import HTTPConnections
import NIOSSL

/// A certificate for this machine, in files, and the authority that signed it.
struct TestCertificate: Sendable {
    let authority: NIOSSLCertificate
    let certificatePEM: String
    let keyPEM: String

    init() throws {
        let made = try SimulatorCertificates()
        authority = try NIOSSLCertificate(bytes: Array(made.caPEM.utf8), format: .pem)
        (certificatePEM, keyPEM) = (made.certificatePEM, made.keyPEM)
    }

    /// Writes both into files, which a later certificate may overwrite.
    func write(to files: ServerCertificate.Files) throws {
        try certificatePEM.write(toFile: files.certificate, atomically: true, encoding: .utf8)
        try keyPEM.write(toFile: files.key, atomically: true, encoding: .utf8)
    }

    /// A client that trusts the authority and no other.
    func client(_ change: (inout TLSConfiguration) -> Void = { _ in }) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([authority])
        configuration.applicationProtocols = ["h2", "http/1.1"]
        change(&configuration)
        return try NIOSSLContext(configuration: configuration)
    }
}

/// A folder for files of a test.
struct TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-\(UUID().uuidString)").path

    /// Where a certificate and its key go.
    var files: ServerCertificate.Files { .init(certificate: path + "/cert.pem", key: path + "/key.pem") }

    /// Makes one for as long as `test` takes.
    static func run(_ test: (TestFolder) async throws -> Void) async throws {
        let folder = TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try await test(folder)
    }

    /// Makes one with a certificate in it.
    static func certified(_ test: (TestFolder, TestCertificate) async throws -> Void) async throws {
        try await run { folder in
            let certificate = try TestCertificate()
            try certificate.write(to: folder.files)
            try await test(folder, certificate)
        }
    }
}

import Foundation
import NIOSSL
import Synchronization

/// The certificate of a listener and its key, from two PEM files that are read again when they change.
package final class ServerCertificate: Sendable {
    /// The paths of the files.
    package struct Files: Sendable, Hashable {
        /// The file with the certificate, followed by those of the authorities that lead to a root.
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// An error about files that are not a certificate and its key.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    /// The properties that show that a file has changed.
    private struct Stamp: Equatable {
        /// The paths behind links. Tools that renew certificates often change a link, and leave the old file as it is.
        var paths: [String]
        var modified: [Date?]
        var sizes: [Int?]
    }

    private struct State {
        var loaded: (context: NIOSSLContext, end: Date)
        var stamp: Stamp
    }

    package let files: Files
    private let state: Mutex<State>

    /// - Throws: ``Fault`` that names the files.
    package init(_ files: Files) throws(Fault) {
        self.files = files
        let stamp = Self.stamp(of: files)
        state = Mutex(State(loaded: try Self.load(files), stamp: stamp))
    }

    /// The context for new connections.
    var context: NIOSSLContext { state.withLock { $0.loaded.context } }

    /// When clients begin to refuse the certificate.
    package var end: Date { state.withLock { $0.loaded.end } }

    /// Reads the files again. New connections use the new certificate, and open ones keep theirs.
    ///
    /// - Parameter isForced: Whether unchanged files are read, too.
    /// - Returns: Whether the files were read.
    /// - Throws: ``Fault``. The old certificate then remains.
    package func reread(isForced: Bool) throws(Fault) -> Bool {
        // Taken first, so that the next call finds a change that happens while the files are read.
        let stamp = Self.stamp(of: files)
        guard isForced || state.withLock({ $0.stamp != stamp }) else { return false }
        let loaded = try Self.load(files)
        state.withLock { $0 = State(loaded: loaded, stamp: stamp) }
        return true
    }

    private static func stamp(of files: Files) -> Stamp {
        let paths = [files.certificate, files.key].map {
            URL(fileURLWithPath: $0).resolvingSymlinksInPath().path
        }
        let attributes = paths.map { try? FileManager.default.attributesOfItem(atPath: $0) }
        return Stamp(
            paths: paths, modified: attributes.map { $0?[.modificationDate] as? Date },
            sizes: attributes.map { ($0?[.size] as? NSNumber)?.intValue })
    }

    /// The suites of TLS 1.2 with forward secrecy and an AEAD, as RFC 9325 asks for. Those of TLS 1.3 all have both.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func load(_ files: Files) throws(Fault) -> (context: NIOSSLContext, end: Date) {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificate), let first = chain.first else {
            throw Fault(description: "\(files.certificate) has no certificate in PEM")
        }
        guard let key = try? NIOSSLPrivateKey(file: files.key, format: .pem) else {
            throw Fault(description: "\(files.key) has no key in PEM without a password")
        }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = suites
            // How long a closing connection waits for the client to close its side.
            configuration.shutdownTimeout = .seconds(1)
            configuration.applicationProtocols = ["http/1.1"]
            let context = try NIOSSLContext(configuration: configuration)
            return (context, Date(timeIntervalSince1970: TimeInterval(first.notValidAfter)))
        } catch {
            throw Fault(
                description: "the key in \(files.key) does not belong to the certificate in \(files.certificate)")
        }
    }
}

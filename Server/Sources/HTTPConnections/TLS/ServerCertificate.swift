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
        var context: NIOSSLContext
        var stamp: Stamp
    }

    package let files: Files
    private let state: Mutex<State>

    /// - Throws: ``Fault`` that names the files.
    package init(_ files: Files) throws(Fault) {
        self.files = files
        let stamp = Self.stamp(of: files)
        state = Mutex(State(context: try Self.context(of: files), stamp: stamp))
    }

    /// The context for new connections.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Reads the files again. New connections use the new certificate, and open ones keep theirs.
    ///
    /// - Parameter isForced: Whether unchanged files are read, too.
    /// - Returns: Whether the files were read.
    /// - Throws: ``Fault``. The old certificate then remains.
    package func reread(isForced: Bool) throws(Fault) -> Bool {
        // Taken first, so that the next call finds a change that happens while the files are read.
        let stamp = Self.stamp(of: files)
        guard isForced || state.withLock({ $0.stamp != stamp }) else { return false }
        let context = try Self.context(of: files)
        state.withLock { $0 = State(context: context, stamp: stamp) }
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

    private static func context(of files: Files) throws(Fault) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
            guard !chain.isEmpty else { throw Fault(description: "there is no certificate") }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            // How long a closing connection waits for the client to close its side.
            configuration.shutdownTimeout = .seconds(1)
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw Fault(description: "\(files.certificate) and \(files.key) are no certificate and its key: \(error)")
        }
    }
}

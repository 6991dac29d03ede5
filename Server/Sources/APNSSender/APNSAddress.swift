import Foundation
import NIOCore
import NIOSSL

/// The host and port of a push service.
struct APNSAddress: Sendable, Hashable {
    let host: String
    let port: Int

    /// Parses a URL.
    ///
    /// - Throws: ``APNSSenderError/badURL(_:)`` unless the URL is `https://host[:port]`, with or without a slash at the
    ///   end.
    init(_ url: String) throws(APNSSenderError) {
        guard let components = URLComponents(string: url), components.scheme == "https",
            let host = components.host?.trimmingCharacters(in: ["[", "]"]), !host.isEmpty,
            components.path.isEmpty || components.path == "/", components.query == nil, components.user == nil
        else { throw .badURL(url) }
        let port = components.port ?? 443
        guard (1...65_535).contains(port) else { throw .badURL(url) }
        self.host = host
        self.port = port
    }

    /// The value for `:authority`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }

    /// The server name for TLS; nil if the host is an IP address. The certificate must name the address then.
    var serverName: String? {
        (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
    }
}

extension APNSSenderConfiguration.Trust {
    /// Makes the TLS context.
    ///
    /// - Throws: ``APNSSenderError/badAuthorities(pemFile:reason:)``.
    func makeContext() throws(APNSSenderError) -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.applicationProtocols = ["h2"]
        tls.minimumTLSVersion = .tlsv12
        var file = "the machine's list"
        do {
            if case .authorities(let pemFile) = self {
                file = pemFile
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(pemFile))
            }
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw .badAuthorities(pemFile: file, reason: "\(error)")
        }
    }
}

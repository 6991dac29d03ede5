import Foundation
import NIOCore
import NIOSSL

/// Host and port of a push service.
struct APNSAddress: Sendable, Hashable {
    let host: String
    let port: Int

    /// - Throws: ``APNSSenderError/badURL(_:)`` for anything but `https://host[:port]`, with or without a slash at the end.
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

    /// As it stands in `:authority`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }

    /// The name to ask for in TLS. An address is not a name; then the certificate has to name the address.
    var serverName: String? {
        (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
    }
}

extension APNSSenderConfiguration.Trust {
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

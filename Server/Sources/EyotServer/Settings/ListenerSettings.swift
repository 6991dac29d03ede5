import EyotHTTP
import Foundation
import HTTPConnections
import NIOCore

/// The address of one listener, and its certificate.
package struct ListenerSettings: Sendable, Equatable {
    package var host: String
    /// 0 chooses a free port.
    package var port: Int
    /// The files of its certificate; nil for no TLS.
    package var tls: ServerCertificate.Files?

    /// Whether only this machine can reach it.
    var isLocal: Bool {
        host == "localhost" || (try? SocketAddress(ipAddress: host, port: 0)).map { $0.network == nil } ?? false
    }

    /// Whether both would listen on one address. A free port is another one each time.
    private func shares(_ other: ListenerSettings) -> Bool { port != 0 && (host, port) == (other.host, other.port) }

    /// The names of a listener's settings.
    struct Names {
        var host, port, certificate, key: Setting

        init(_ role: ListenerRole) {
            (host, port, certificate, key) =
                switch role {
                case .http: (.httpHost, .httpPort, .httpTLSCertificateFile, .httpTLSKeyFile)
                case .control: (.controlHost, .controlPort, .controlTLSCertificateFile, .controlTLSKeyFile)
                case .ops: (.opsHost, .opsPort, .opsTLSCertificateFile, .opsTLSKeyFile)
                case .panel: (.panelHost, .panelPort, .panelTLSCertificateFile, .panelTLSKeyFile)
                }
        }
    }

    /// Reads the settings of all listeners.
    ///
    /// - Returns: The listeners that have a port. ``ListenerRole/http`` always has one.
    static func all(_ values: SettingValues) throws(SettingError) -> [ListenerRole: ListenerSettings] {
        var all: [ListenerRole: ListenerSettings] = [:]
        for role in ListenerRole.allCases {
            guard let listener = try one(Names(role), values) else { continue }
            if let other = all.first(where: { $0.value.shares(listener) })?.key {
                throw SettingError(
                    "\(Names(role).port.variable) is the port of \(Names(other).port.variable): give each listener its own"
                )
            }
            all[role] = listener
        }
        return all
    }

    private static func one(_ names: Names, _ values: SettingValues) throws(SettingError) -> ListenerSettings? {
        let port = try values.optional(names.port, "a port from 0 to 65535") { text in
            Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }
        }
        let host = try values.value(names.host, "an address") { $0.isEmpty ? nil : $0 }
        let certificate = try values.readableFile(names.certificate)
        let key = try values.readableFile(names.key)
        guard (certificate == nil) == (key == nil) else {
            throw SettingError(
                "\(names.certificate.variable) and \(names.key.variable) are a pair: give both or neither")
        }
        guard let port else {
            guard certificate == nil else {
                throw SettingError("\(names.certificate.variable) is given without \(names.port.variable)")
            }
            return nil
        }
        let tls = certificate.flatMap { path in key.map { ServerCertificate.Files(certificate: path, key: $0) } }
        return ListenerSettings(host: host, port: port, tls: tls)
    }
}

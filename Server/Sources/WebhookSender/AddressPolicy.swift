import EyotDomain
import HTTPConnections
import NIOCore

/// The addresses that webhooks may be sent to: public ones, and those that the operator allows.
package struct AddressPolicy: Sendable {
    /// The ranges that the operator allows, whatever they are.
    package var allowed: [AddressRange]

    package init(allowed: [AddressRange] = []) { self.allowed = allowed }

    /// Whether a URL with this scheme may be sent to an address. Without TLS only addresses that the operator allows
    /// may be.
    package func permits(_ address: SocketAddress, isEncrypted: Bool) -> Bool {
        if allowed.contains(where: { $0.contains(address) }) { return true }
        return isEncrypted && address.addressBytes.map(PublicAddress.contains) ?? false
    }

    /// The reason in a URL itself why nothing can be posted to it; nil if there is none.
    package func refusal(of url: WebhookURL) -> String? {
        guard url.isEncrypted || !allowed.isEmpty else { return "must begin with https://" }
        guard let address = try? SocketAddress(ipAddress: url.host, port: url.port) else { return nil }
        return permits(address, isEncrypted: url.isEncrypted)
            ? nil : "must not have a private or special address; the setting EYOT_WEBHOOK_ALLOWED_ADDRESSES allows some"
    }
}

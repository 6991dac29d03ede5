import EyotHTTP

/// The other vendors' APIs that a server can answer.
package enum Vendors {
    package static let all: [Vendor] = [.netmera, .airship, .braze, .insider]
}

import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate authority made for one run, and the server certificate that it signed.
package struct SimulatorCertificates {
    /// The authority's certificate, for clients to trust.
    package let caPEM: String
    /// The server's certificate and its key.
    package let certificatePEM: String
    package let keyPEM: String
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Valid from a day before now to a year after now, for `localhost`, 127.0.0.1 and ::1. It uses the machine's
    /// clock, as TLS clients do.
    package init() throws {
        let now = Date()
        let caKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let leafSecret = P256.Signing.PrivateKey()
        let leafKey = Certificate.PrivateKey(leafSecret)
        let caName = try DistinguishedName { CommonName("APNs simulator CA") }
        let validity = (from: now.addingTimeInterval(-86_400), to: now.addingTimeInterval(365 * 86_400))
        let ca = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: caKey.publicKey, notValidBefore: validity.from,
            notValidAfter: validity.to, issuer: caName, subject: caName, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                SubjectKeyIdentifier(hash: caKey.publicKey)
            },
            issuerPrivateKey: caKey)
        let leaf = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: leafKey.publicKey, notValidBefore: validity.from,
            notValidAfter: validity.to, issuer: caName, subject: DistinguishedName { CommonName("localhost") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([
                    .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                    .ipAddress(ASN1OctetString(contentBytes: Array(repeating: 0, count: 15) + [1])),
                ])
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: caKey.publicKey).keyIdentifier)
            },
            issuerPrivateKey: caKey)
        caPEM = try ca.serializeAsPEM().pemString
        (certificatePEM, keyPEM) = (try leaf.serializeAsPEM().pemString, leafSecret.pemRepresentation)
        chain = [try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem)]
        key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
    }
}

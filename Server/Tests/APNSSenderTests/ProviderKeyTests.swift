import APNSSender
import APNSWire
import Crypto
import EyotContract
import Foundation
import Testing

@Suite struct ProviderKeyTests {
    private func error(_ file: [UInt8], team: String = "TEAM000001", key: String = "KEY0000001") -> ProviderKeyError? {
        do {
            _ = try ProviderKey(teamID: team, keyID: key, p8: file)
            return nil
        } catch {
            return error
        }
    }

    private func pem(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("-----BEGIN \(label)-----\n\(Data(bytes).base64EncodedString())\n-----END \(label)-----\n".utf8)
    }

    @Test func `a p8 file is taken, with or without white space around it`() {
        let file = P256.Signing.PrivateKey().pemRepresentation
        #expect(error(Array(file.utf8)) == nil)
        #expect(error(Array("\n\(file)\r\n \n".utf8)) == nil)
    }

    @Test func `what is not a p8 file is named`() {
        // The head of an RSA key in PKCS #8: version, then the algorithm with its object identifier.
        let rsa: [UInt8] = [
            0x30, 0x1A, 0x02, 0x01, 0x00, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
            0x05, 0x00, 0x04, 0x06, 0x30, 0x04, 0x02, 0x02, 0x00, 0x01,
        ]
        #expect(error([]) == .empty)
        #expect(error([0x30, 0x82, 0x0A, 0x00]) == .binary)
        #expect(error(pem("CERTIFICATE", [0x30, 0x00])) == .certificate)
        #expect(error(pem("ENCRYPTED PRIVATE KEY", [0x30, 0x00])) == .encrypted)
        #expect(error(pem("RSA PRIVATE KEY", [0x30, 0x00])) == .rsa)
        #expect(error(pem("PRIVATE KEY", rsa)) == .rsa)
        #expect(error(Array(P384.Signing.PrivateKey().pemRepresentation.utf8)) == .otherKey)
        #expect(error(Array(P256.Signing.PrivateKey().publicKey.pemRepresentation.utf8)) == .publicKey)
        #expect(error(Array("not a key".utf8)) == .unreadable)
        #expect(error(pem("PRIVATE KEY", []).filter { $0 != 0x3D }) != nil)
    }

    @Test func `ids have ten letters and digits`() {
        let file = Array(P256.Signing.PrivateKey().pemRepresentation.utf8)
        #expect(error(file, team: "TEAM") == .teamID("TEAM"))
        #expect(error(file, key: "KEY/000001") == .keyID("KEY/000001"))
    }

    @Test func `an error says what the file is and how to get a right one`() {
        #expect("\(ProviderKeyError.certificate)".contains("certificate"))
        #expect("\(ProviderKeyError.binary)".contains(".p8"))
    }

    @Test func `the fingerprint is the same for the same key alone`() throws {
        let secret = P256.Signing.PrivateKey()
        func fingerprint(
            _ secret: P256.Signing.PrivateKey, team: String = "TEAM000001", key: String = "KEY0000001"
        ) throws -> String {
            try ProviderKey(teamID: team, keyID: key, privateKey: secret).fingerprint
        }
        let first = try fingerprint(secret)
        #expect(first.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(try fingerprint(secret) == first)
        #expect(try fingerprint(P256.Signing.PrivateKey()) != first)
        #expect(try fingerprint(secret, team: "TEAM000002") != first)
        #expect(try fingerprint(secret, key: "KEY0000002") != first)
    }

    @Test func `a key does not show itself`() throws {
        let secret = P256.Signing.PrivateKey()
        let key = try ProviderKey(teamID: "TEAM000001", keyID: "KEY0000001", privateKey: secret)
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "key KEY0000001 of team TEAM000001")
        #expect(!dumped.contains("rivateKey"))
    }

    @Test func `a provider token is a JSON Web Token with a bare signature`() throws {
        let secret = P256.Signing.PrivateKey()
        let key = try ProviderKey(teamID: "TEAM000001", keyID: "KEY0000001", privateKey: secret)
        let token = try ProviderToken(key: key, now: Date(timeIntervalSince1970: 1_671_375_600.9))
        let parts = token.text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        func decoded(_ part: String) -> Data? {
            let standard = part.replacing("-", with: "+").replacing("_", with: "/")
            return Data(base64Encoded: standard + String(repeating: "=", count: (4 - part.count % 4) % 4))
        }
        #expect(decoded(parts[0]) == Data(#"{"alg":"ES256","kid":"KEY0000001"}"#.utf8))
        #expect(decoded(parts[1]) == Data(#"{"iss":"TEAM000001","iat":1671375600}"#.utf8))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(decoded(parts[2])))
        #expect(secret.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        #expect(!"\(token)".contains(parts[2]))
    }
}

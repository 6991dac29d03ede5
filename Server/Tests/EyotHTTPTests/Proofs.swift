import Crypto
import EyotContract
import Foundation

/// Keys and tokens for tests of proofs. The RSA token says that its user is anna until 2022-12-18T16:00:00Z. Its
/// private key was made for this token alone and no longer exists.
enum Proofs {
    static let rsa = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0wLXAAVjYBJv2PcAupfZ
        70S4/2XARZFTzxGEeGhAuUAPhL7FPrLklBErSfVplX8OJQ75ur8gxxJt1A0buBIj
        MgYDZ0XCPRozBz5HeP6kaETxdwWxtDuKhvP+lm+f7Njrh/htQlAziAvBQXF713AZ
        skeUx9XJtsWfaL+QOP6P7H3ezHRRAqphBP+fu7dBMs7I+RlXihPU5eUSEyJI+xES
        IY5WocEeItStNHk9iYhGQgbvar7Ry03QA75l4jUGsyynuHCVB/HGHf6ZYQwd5ugz
        WV3uT6pZZPcJMSYYEeDItB1Ph1y3WkOJP1LaNt/mJUXiywcM6enM2Sf+lo/+lYQV
        ywIDAQAB
        -----END PUBLIC KEY-----
        """

    /// 1,024 bits.
    static let smallRSA = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDSsLrnBi0S2V/FAF5K5BPYlEVJ
        H91UkbZ3SORVwlT6jbzHbae5YIIT0ZY/G16d07LKgI3YcY/76qzuZmwnWALQDkO3
        mkcgOor4R1LpTfmvo9N6FyD3enqoZKw4eYsHirKoH4+MqHGUjFPfBZV5BwmE4fHI
        55zc8CvUrQqm0WSueQIDAQAB
        -----END PUBLIC KEY-----
        """

    static let rsaToken =
        "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IndoYXRldmVyIn0.eyJzdWIiOiJhbm5hIiwiZXhwIjoxNjcxMzc5"
        + "MjAwfQ.QGuxig1PxenP2ORvvFoOpIx--klsYfuKHLIA0HnC6DxLnh_Y4WiKYQrnbIvwSsko0RjUU4vNBLqPc2BJkzA2W5mjz"
        + "qKsSLjvnc1jnY8Tey4d7Uz4aIYT6ueXPPI0FPBJWl79slKeMx4jcg8GigVRbZgTHJ5VQ6YHNXsh6OzsJkaNdayCucWzeGNpf"
        + "-74NrVhYoD11zTgGZ5l4ZQ3j4EAZPeTyri9f5Mvve_nK7PXuiMijdvdzrFh5zMbp7siXMqtjjvj_tWOhnxjam81XaRxxYpFB"
        + "4Ka5f0sCcyZoB-ND-6wyRWWVLLlyBbHJfOmeqfQ9eF8dWugEvuuyxdxd2GY4Q"

    /// 2022-12-18T16:00:00Z.
    static let expiry = 1_671_379_200

    /// Signs claims with ES256.
    static func token(
        _ key: P256.Signing.PrivateKey, user: String? = "anna", expiry: String? = "\(expiry)",
        header: String = #"{"alg":"ES256","typ":"JWT"}"#, further: String = ""
    ) throws -> String {
        let members = [user.map { #""sub":"\#($0)""# }, expiry.map { #""exp":\#($0)"# }].compactMap(\.self)
        let claims = "{\(members.joined(separator: ","))\(further)}"
        let signed = "\(encoded(Data(header.utf8))).\(encoded(Data(claims.utf8)))"
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
        return "\(signed).\(encoded(signature))"
    }

    static func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

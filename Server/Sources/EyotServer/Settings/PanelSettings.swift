import EyotCommands
import EyotDomain
import Foundation
import HTTPConnections

/// The settings of sign-in to the panel.
package struct PanelSettings: Sendable {
    /// The base URL at which browsers reach the panel; nil to derive it from the listener.
    package var url: String?
    /// The OpenID provider; nil for none.
    package var openID: OpenIDSettings?
    /// The header in which an authenticating proxy names the member; nil for none.
    package var proxyHeader: String?
    package var policy = SignInPolicy()

    /// No provider, and no proxy.
    package init() {}

    init(_ values: SettingValues, _ proxies: TrustedProxies) throws(SettingError) {
        url = try values.optional(.panelURL, "an http or https URL without a path") { text in
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false,
                ["", "/"].contains(url.path), url.query == nil
            else { return nil }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        openID = try Self.openID(values)
        proxyHeader = try values.optional(.panelProxyHeader, "the name of a header", Self.headerName)
        if proxyHeader != nil, proxies.ranges.isEmpty || proxies.header == .proxyV2 {
            throw SettingError(
                """
                \(Setting.panelProxyHeader.variable) is believed from trusted proxies alone: name them in \
                \(Setting.trustedProxies.variable), and not with \(Setting.proxyHeader.variable)=proxy-v2
                """)
        }
        policy.requiresAccount = try values.optional(.panelRequireProvider, "true or false", Self.flag) ?? false
        if policy.requiresAccount, openID == nil, proxyHeader == nil {
            throw SettingError(
                """
                \(Setting.panelRequireProvider.variable) needs a provider or a proxy: give \
                \(Setting.panelOIDCIssuer.variable) or \(Setting.panelProxyHeader.variable)
                """)
        }
    }

    private static func openID(_ values: SettingValues) throws(SettingError) -> OpenIDSettings? {
        let issuer = try values.optional(.panelOIDCIssuer, "an https URL") {
            OpenIDSettings.isAcceptable($0) ? $0 : nil
        }
        let client = try values.optional(.panelOIDCClientID, "the id of a client") { $0.isEmpty ? nil : $0 }
        let inText = try values.optional(.panelOIDCClientSecret, "a secret") { $0.isEmpty ? nil : Secret($0) }
        let inFile = try values.readableFile(.panelOIDCClientSecretFile).flatMap { path in
            (try? String(contentsOfFile: path, encoding: .utf8)).map {
                Secret($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        let creates = try values.optional(.panelOIDCCreateMembers, "true or false", flag)
        guard let issuer, let client else {
            let given = [issuer, client, inText?.text, inFile?.text, creates.map { "\($0)" }].contains { $0 != nil }
            guard !given else {
                throw SettingError(
                    """
                    \(Setting.panelOIDCIssuer.variable) and \(Setting.panelOIDCClientID.variable) belong together: \
                    give both or neither
                    """)
            }
            return nil
        }
        guard inText == nil || inFile == nil else {
            throw SettingError(
                """
                \(Setting.panelOIDCClientSecret.variable) and \(Setting.panelOIDCClientSecretFile.variable) are both \
                given: leave one out
                """)
        }
        var settings = OpenIDSettings(issuer: issuer, clientID: client, clientSecret: inText ?? inFile)
        settings.createsMembers = creates ?? false
        return settings
    }

    private static func flag(_ text: String) -> Bool? { ["true": true, "false": false][text] }

    private static func headerName(_ text: String) -> String? {
        let isName = !text.isEmpty && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || isLetterOrDigit($0) }
        // A browser sends these by itself.
        return isName && !["cookie", "authorization", "host", "origin"].contains(text.lowercased()) ? text : nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
    }
}

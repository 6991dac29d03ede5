extension Setting {
    /// The purposes of the settings for sign-in to the panel.
    static let signIn: [Setting: String] = [
        .panelURL: "The base URL at which browsers reach the panel, for links and sign-in.",
        .panelOIDCIssuer: "The URL of an OpenID provider that members sign in with.",
        .panelOIDCClientID: "The id of this server as the provider's client.",
        .panelOIDCClientSecret: "The client's secret; without one only PKCE protects the code.",
        .panelOIDCClientSecretFile: "A file that holds it.",
        .panelOIDCCreateMembers: "true makes a person who is no member one, without any grant.",
        .panelProxyHeader: "The header in which an authenticating proxy names the member.",
        .panelRequireProvider: "true lets members sign in by the provider or the proxy alone, and by no password.",
    ]
}

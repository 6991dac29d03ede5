import EyotCommands
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The page where members sign in.
struct SignInPage {
    /// Where the form goes.
    let action: String
    let name: String
    let error: String?
    /// The path that leads to the OpenID provider; nil for none.
    var provider: String?
    var isSignedOut = false
    /// Whether members sign in by passwords too.
    var takesPassword = true

    /// - Parameter reason: The reason why the last try failed; nil for none.
    func answer(_ reason: MemberError?) -> Answer {
        BarePage(title: "Sign in", main: Templates.render(self, "sign-in")).answer(reason)
    }

    /// The answer over a connection that others could read.
    static let insecure = BarePage(title: "Sign in", main: Templates.render([String: String](), "sign-in.insecure"))
        .answer(MemberError(.notAllowed, ""))
}

/// The page of a link that works once.
struct LinkPage {
    let action: String
    let name: String
    let setsPassword: Bool
    let needsCode: Bool
    let expires: String
    let error: String?
    let least = PasswordHash.leastCharacters

    init(_ link: Members.LinkView, action: String, error: String? = nil) {
        (name, needsCode, setsPassword) = (link.name, link.needsCode, link.purpose == .password)
        expires = link.expiresAt.rfc3339.prefix(16).replacing("T", with: " ") + " UTC"
        (self.action, self.error) = (action, error)
    }

    func answer(_ reason: MemberError?) -> Answer {
        BarePage(title: "Welcome", main: Templates.render(self, "link")).answer(reason)
    }

    /// The answer for a link that does nothing any more.
    static let unknown = BarePage(
        title: "Link", main: Templates.render(["text": MemberError.linkUnknown.description], "link.unknown")
    ).answer(.linkUnknown)
}

/// A page without the frame, for calls without a member.
struct BarePage {
    let title: String
    let main: String
    let style = PanelAssets.style.path

    func answer(_ reason: MemberError?) -> Answer {
        var answer = Answer.page(Templates.render(self, "bare"), status: reason?.code.status ?? .ok)
        if let wait = reason?.wait { answer.headers[.retryAfter] = String(max(1, Int(wait.rounded(.up)))) }
        return answer
    }
}

extension MemberError.Code {
    /// The status of a page that shows it.
    var status: HTTPResponse.Status {
        switch self {
        case .signInRefused, .notAllowed: .forbidden
        case .tooManyTries: .tooManyRequests
        case .busy: .serviceUnavailable
        case .linkUnknown, .memberUnknown: .notFound
        case .nameTaken: .conflict
        case .fieldInvalid, .tooMany: .unprocessableContent
        case .providerFailed: .badGateway
        }
    }
}

extension Templates {
    /// The templates of sign-in and links.
    static let signIn = [
        "sign-in": """
        <section class="card entry"><h1>Sign in</h1>
        {{#isSignedOut}}<p class="notice" role="status">You are signed out.</p>{{/isSignedOut}}
        {{#error}}<p class="error" role="alert">{{error}}</p>{{/error}}
        {{#provider}}<p><a class="btn primary wide" href="{{provider}}">Sign in with your company's account</a></p>{{#takesPassword}}<p class="or sub">or with a password</p>{{/takesPassword}}{{/provider}}
        {{^takesPassword}}<p class="sub">There are no passwords on this server. {{^provider}}Your company's proxy signs you in.{{/provider}} If that does not work, the server's operator can let you in once: <code>eyot member link NAME --sign-in</code>.</p>{{/takesPassword}}
        {{#takesPassword}}<form method="post" action="{{action}}"><fieldset>
        <label>Name or e-mail<input name="name" value="{{name}}" maxlength="128" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
        <label>Password<input name="password" type="password" maxlength="1024" autocomplete="current-password" required></label>
        <label>Code <span class="sub">Only if you have set up an authenticator.</span><input name="code" inputmode="numeric" maxlength="8" autocomplete="one-time-code"></label>
        <p><button class="btn primary wide">Sign in</button></p></fieldset></form>{{/takesPassword}}
        <p class="foot">No access yet? An administrator adds you in the panel, or the server's operator with <code>eyot member add</code>.{{#takesPassword}} Both get a link for you.{{/takesPassword}}</p></section>
        """,
        "sign-in.insecure": """
        <section class="card entry failure"><h1>Sign-in needs TLS</h1>
        <p>This connection is not encrypted, so a password and a session could be read on their way.</p>
        <p class="sub">Give the panel's listener a certificate (<code>EYOT_PANEL_TLS_CERTIFICATE_FILE</code>), or put a proxy before it that is named in <code>EYOT_TRUSTED_PROXIES</code> and sends <code>X-Forwarded-Proto: https</code>. On the server's own machine <code>http://localhost</code> works.</p></section>
        """,
        "link": """
        <section class="card entry"><h1>Welcome, {{name}}</h1>
        {{#error}}<p class="error" role="alert">{{error}}</p>{{/error}}
        {{#setsPassword}}<p class="sub">Choose a password with at least {{least}} characters. A few words that you remember are better than one that you cannot.</p>{{/setsPassword}}
        {{^setsPassword}}<p class="sub">This link signs you in once.</p>{{/setsPassword}}
        <form method="post" action="{{action}}"><fieldset>
        <input class="unseen" name="name" value="{{name}}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
        {{#setsPassword}}<label>Password<input name="password" type="password" minlength="{{least}}" maxlength="1024" autocomplete="new-password" required autofocus></label>
        <label>The same again<input name="again" type="password" minlength="{{least}}" maxlength="1024" autocomplete="new-password" required></label>{{/setsPassword}}
        {{#needsCode}}<label>Code of your authenticator<input name="code" inputmode="numeric" maxlength="8" autocomplete="one-time-code" required></label>{{/needsCode}}
        <p><button class="btn primary wide">{{#setsPassword}}Set the password and sign in{{/setsPassword}}{{^setsPassword}}Sign in{{/setsPassword}}</button></p></fieldset></form>
        <p class="foot">The link works once, until {{expires}}.</p></section>
        """,
        "link.unknown": """
        <section class="card entry failure"><h1>This link does nothing any more</h1><p>{{text}}</p>
        <p class="sub">Links work once and for a day. <a href="/panel/sign-in">Sign in</a> if you have a password.</p></section>
        """,
        "seatless": """
        <section class="card entry"><h1>No app yet</h1>
        <p>You are signed in as <b>{{member}}</b>.</p>
        {{#isOwner}}<p class="sub">There is no app on this server. Create the first one with <code>eyot app create</code>, then open this page again.</p>{{/isOwner}}
        {{^isOwner}}<p class="sub">You have no role in any app. An administrator of an app can give you one, or <code>eyot member grant</code> on the server.</p>{{/isOwner}}
        <form method="post" action="/panel/sign-out"><input type="hidden" name="token" value="{{formToken}}"><button class="btn">Sign out</button></form></section>
        """,
    ]
}

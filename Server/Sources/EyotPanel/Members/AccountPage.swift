import EyotCommands
import EyotDomain
import EyotHTTP

/// A member's own page: password, second factor, sessions.
struct AccountPage {
    static let path = "/panel/me"

    let panel: Panel
    let access: PanelAccess

    var routes: [Route] {
        [
            panel.page(Self.path) { try await show($0) },
            form("/password") { visit, fields, proven, origin in
                guard let password = fields["password"], password == fields["again"] else {
                    throw MemberError(.fieldInvalid, "The two passwords differ. Type the same twice.")
                }
                try await access.members.setPassword(
                    Secret(password), insteadOf: fields["present"].map(Secret.init), of: proven, from: origin)
            },
            form("/totp") { visit, fields, proven, origin in
                try await access.members.setTOTP(
                    fields.required("sealed"), code: fields.required("code"),
                    password: fields["present"].map(Secret.init), of: proven, from: origin)
            },
            form("/totp/remove") { visit, fields, proven, origin in
                try await access.members.removeTOTP(
                    password: fields["present"].map(Secret.init), of: proven, from: origin)
            },
            form("/sessions") { visit, fields, proven, origin in
                try await access.members.end(fields["session"].flatMap { Int64($0) }, of: proven, from: origin)
            },
        ]
    }

    /// A form that leads back to the page, and shows there why it was refused.
    private func form(
        _ path: String,
        _ act: @escaping @Sendable (Visit, FormFields, ProvenMember, SignInOrigin) async throws -> Void
    ) -> Route {
        panel.form(Self.path + path) { visit, fields in
            let proven = try visit.proven()
            do {
                try await act(visit, fields, proven, visit.call.signInOrigin(nil))
                return visit.redirect(to: Self.path, saying: .saved)
            } catch let error as MemberError {
                return try await show(visit, error)
            }
        }
    }

    private struct View {
        struct Session {
            var id: Int64
            var browser: String
            var address: String
            var way: String
            var since: String
            var used: String
            var isPresent: Bool
            var formToken: String
        }

        let name: String
        let formToken: String
        let least = PasswordHash.leastCharacters
        let error: String?
        let mayHavePassword: Bool
        let hasPassword: Bool
        let hasTOTP: Bool
        var secret: String?
        var otpauth: String?
        var sealed: String?
        let sessions: [Session]
        let hasOthers: Bool
    }

    private func show(_ visit: Visit, _ error: MemberError? = nil) async throws -> Answer {
        let proven = try visit.proven()
        let sessions = try await access.members.sessions(of: proven)
        var view = View(
            name: proven.member.name, formToken: proven.csrf, error: error?.description,
            mayHavePassword: access.members.mayHavePassword(proven), hasPassword: proven.member.password != nil,
            hasTOTP: proven.member.totp != nil,
            sessions: sessions.map { session in
                View.Session(
                    id: session.id, browser: session.browser ?? "An unknown browser",
                    address: session.address ?? "this machine", way: session.method.rawValue,
                    since: session.createdAt.rfc3339, used: session.usedAt.rfc3339,
                    isPresent: session.id == proven.session.id, formToken: proven.csrf)
            }, hasOthers: sessions.count > 1)
        if view.mayHavePassword, proven.member.totp == nil, proven.member.password != nil {
            let totp = try access.members.newTOTP(for: proven)
            view.secret = Self.grouped(totp.secret.text)
            (view.otpauth, view.sealed) = (totp.address, totp.sealed)
        }
        var answer = visit.show("Your account", "account", view)
        if let error { answer.status = error.code.status }
        return answer
    }

    /// A secret in groups of four, as it is typed.
    private static func grouped(_ text: String) -> String {
        stride(from: 0, to: text.count, by: 4).map { text.dropFirst($0).prefix(4) }.joined(separator: " ")
    }
}

extension Visit {
    /// The member with its session.
    ///
    /// - Throws: `keyForbidden` if the call was let in by another way than a session.
    func proven() throws(EyotError) -> ProvenMember {
        guard let proven = member.proven else { throw EyotError(.keyForbidden, "this page needs a session") }
        return proven
    }
}

extension Templates {
    /// The template of a member's own page.
    static let account = [
        "account": """
        <div class="bar"><h1>Your account</h1><span class="sub">{{name}}</span>
        <form class="end" method="post" action="/panel/sign-out"><input type="hidden" name="token" value="{{formToken}}"><button class="btn">Sign out</button></form></div>
        {{#error}}<p class="error" role="alert">{{error}}</p>{{/error}}
        <section><h2>Sessions</h2>
        <div class="scroll" tabindex="0"><table class="rows"><thead><tr><th scope="col">Browser</th><th scope="col" class="t wide">Address</th><th scope="col" class="t wide">Signed in</th><th scope="col">Last used</th><th scope="col"></th></tr></thead><tbody>
        {{#sessions}}<tr><td class="name">{{browser}}{{#isPresent}} <span class="tag good">this one</span>{{/isPresent}}</td><td class="t wide">{{address}}</td><td class="t wide"><time datetime="{{since}}">{{since}}</time> by {{way}}</td><td><time datetime="{{used}}">{{used}}</time></td><td>{{^isPresent}}<form class="inline" method="post" action="/panel/me/sessions"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="session" value="{{id}}"><button class="btn danger" aria-label="End the session of {{browser}}">End</button></form>{{/isPresent}}</td></tr>{{/sessions}}
        </tbody></table></div>
        {{#hasOthers}}<form class="below" method="post" action="/panel/me/sessions"><input type="hidden" name="token" value="{{formToken}}"><button class="btn danger">Sign out everywhere else</button></form>{{/hasOthers}}</section>
        {{^mayHavePassword}}<section class="card"><h2>Password</h2><p class="sub">You sign in by your account at your company's sign-in provider or proxy. There is no password here, and the second factor is that of your account.</p></section>{{/mayHavePassword}}
        {{#mayHavePassword}}<div class="two"><section class="card"><form method="post" action="/panel/me/password"><fieldset><legend>{{#hasPassword}}Change the password{{/hasPassword}}{{^hasPassword}}Set a password{{/hasPassword}}</legend>
        <input type="hidden" name="token" value="{{formToken}}">{{>account.name}}
        {{#hasPassword}}<label>Present password<input name="present" type="password" maxlength="1024" autocomplete="current-password" required></label>{{/hasPassword}}
        <label>New password <span class="sub">At least {{least}} characters. All other sessions end.</span><input name="password" type="password" minlength="{{least}}" maxlength="1024" autocomplete="new-password" required></label>
        <label>The same again<input name="again" type="password" minlength="{{least}}" maxlength="1024" autocomplete="new-password" required></label>
        <p><button class="btn primary">Set the password</button></p></fieldset></form></section>
        <section class="card"><h2>Second factor</h2>
        {{#hasTOTP}}<p><span class="tag good">On</span> Sign-in by password asks for a code of your authenticator.</p>
        <form method="post" action="/panel/me/totp/remove"><fieldset><input type="hidden" name="token" value="{{formToken}}">{{>account.name}}
        <label>Present password<input name="present" type="password" maxlength="1024" autocomplete="current-password" required></label>
        <p><button class="btn danger">Remove the second factor</button></p></fieldset></form>{{/hasTOTP}}
        {{#secret}}<p class="sub">An authenticator on your phone shows a code that changes each 30 seconds. A stolen password alone does not open the panel then.</p>
        <p>Type this into it, or <a href="{{otpauth}}">open it on this phone</a>:</p><pre><code id="totp">{{secret}}</code></pre>
        <form class="below" method="post" action="/panel/me/totp"><fieldset><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="sealed" value="{{sealed}}">{{>account.name}}
        <label>The code that it shows<input name="code" inputmode="numeric" maxlength="8" autocomplete="one-time-code" required></label>
        <label>Present password<input name="present" type="password" maxlength="1024" autocomplete="current-password" required></label>
        <p><button class="btn primary">Turn it on</button></p></fieldset></form>{{/secret}}
        {{^hasPassword}}<p class="sub">A second factor needs a password.</p>{{/hasPassword}}
        </section></div>{{/mayHavePassword}}
        """,
        "account.name": """
        <input class="unseen" name="username" value="{{name}}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
        """,
    ]
}

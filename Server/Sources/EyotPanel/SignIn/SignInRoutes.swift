import EyotCommands
import EyotDomain
import EyotHTTP
import HTTPTypes

/// Signing in by password, code, link, provider or proxy, and signing out.
struct SignInRoutes {
    static let path = "/panel/sign-in"

    let panel: Panel
    let access: PanelAccess

    var routes: [Route] {
        [
            Route.answer(.get, Self.path, on: PanelPlane(), .anybody, show).asking(["to", "done"]),
            form(Self.path) { try await signIn($0, $1, $2) }.asking(["to"]),
            Route.answer(.get, "/panel/link/{secret}", on: PanelPlane(), .anybody, showLink),
            form("/panel/link/{secret}") { try await accept($0, $1, $2) },
            Route.answer(.post, "/panel/sign-out", on: PanelPlane(), .anybody, signOut)
                .taking(PanelPlane().bodyTypes, upTo: FormFields.bodyBytes),
        ] + (access.openID.map { OpenIDRoutes(access: access, provider: $0).routes } ?? [])
    }

    /// A form without a session. The browser must say that a page of the panel sent it.
    private func form(
        _ path: String, _ act: @escaping @Sendable (Call, FormFields, SessionCookie) async throws -> Answer
    ) -> Route {
        Route.answer(.post, path, on: PanelPlane(), .anybody) { call in
            try FormGuard(call).checkOrigin()
            guard let cookie = SessionCookie(for: call) else { return SignInPage.insecure }
            return try await act(call, FormFields(call.body), cookie)
        }
        .taking(PanelPlane().bodyTypes, upTo: FormFields.bodyBytes)
    }

    // MARK: Sign-in

    private func show(_ call: Call) async throws -> Answer {
        guard let cookie = SessionCookie(for: call) else { return SignInPage.insecure }
        let target = Self.target(call.query["to"])
        if try await panel.sessions.find(in: call) != nil { return .redirect(to: target) }
        if let name = access.proxyName(in: call) {
            do {
                let session = try await access.members.signIn(byProxyAs: name, from: call.signInOrigin(cookie))
                return Self.begin(session, cookie, at: target)
            } catch let error as MemberError {
                return page(call, error)
            }
        }
        return page(call, nil)
    }

    private func signIn(_ call: Call, _ fields: FormFields, _ cookie: SessionCookie) async throws -> Answer {
        let attempt = Members.Attempt(
            name: fields["name"] ?? "", password: Secret(fields["password"] ?? ""), code: fields["code"])
        do {
            let session = try await access.members.signIn(attempt, from: call.signInOrigin(cookie))
            return Self.begin(session, cookie, at: Self.target(call.query["to"]))
        } catch let error as MemberError {
            return page(call, error, name: attempt.name)
        }
    }

    private func page(_ call: Call, _ error: MemberError?, name: String = "") -> Answer {
        let target = call.query["to"].map { "?to=\(PercentEncoding.encoded($0))" } ?? ""
        var view = SignInPage(action: Self.path + target, name: name, error: error?.description)
        view.provider = access.openID == nil ? nil : OpenIDRoutes.path
        view.isSignedOut = call.query["done"] == "out"
        view.takesPassword = !access.members.policy.requiresAccount
        return view.answer(error)
    }

    // MARK: Links

    private func showLink(_ call: Call) async throws -> Answer {
        guard SessionCookie(for: call) != nil else { return SignInPage.insecure }
        guard let link = try await access.members.view(ofLink: call.parameter("secret")) else {
            return LinkPage.unknown
        }
        return LinkPage(link, action: call.path).answer(nil)
    }

    private func accept(_ call: Call, _ fields: FormFields, _ cookie: SessionCookie) async throws -> Answer {
        let secret = try call.parameter("secret")
        do {
            if let password = fields["password"], password != fields["again"] {
                throw MemberError(.fieldInvalid, "The two passwords differ. Type the same twice.", field: "again")
            }
            let session = try await access.members.accept(
                link: secret, password: fields["password"].map(Secret.init), code: fields["code"],
                from: call.signInOrigin(cookie))
            return Self.begin(session, cookie, at: "/panel")
        } catch let error as MemberError {
            guard let link = try await access.members.view(ofLink: secret) else { return LinkPage.unknown }
            return LinkPage(link, action: call.path, error: error.description).answer(error)
        }
    }

    // MARK: Sign-out

    private func signOut(_ call: Call) async throws -> Answer {
        guard let cookie = SessionCookie(for: call), let member = try await panel.sessions.find(in: call),
            let proven = member.proven
        else { return .redirect(to: Self.path) }
        try FormGuard(call).check(FormFields(call.body), of: member)
        try await access.members.signOut(proven, from: call.signInOrigin(cookie))
        var answer = Answer.redirect(to: Self.path + "?done=out")
        answer.headers.append(cookie.end)
        return answer
    }

    // MARK: Parts

    /// Sends the browser into the panel with a new session.
    static func begin(_ session: NewSession, _ cookie: SessionCookie, at target: String) -> Answer {
        var answer = Answer.redirect(to: target)
        answer.headers.append(cookie.begin(session))
        return answer
    }

    /// Where the browser goes after the sign-in: a page of the panel and nowhere else.
    static func target(_ text: String?) -> String {
        guard let text, text == "/panel" || text.hasPrefix("/panel/") || text.hasPrefix("/panel?"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            // A browser goes up by two points, however they are written.
            !text.lowercased().replacing("%2e", with: ".").contains("/..")
        else { return "/panel" }
        return text
    }
}

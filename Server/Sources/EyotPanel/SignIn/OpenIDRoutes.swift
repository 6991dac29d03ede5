import EyotCommands
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The way to the OpenID provider and back.
struct OpenIDRoutes {
    static let path = "/panel/oidc"
    private static let callback = "/panel/oidc/callback"

    let access: PanelAccess
    let provider: OpenIDProvider

    var routes: [Route] {
        [
            Route.answer(.get, Self.path, on: PanelPlane(), .anybody, begin),
            Route.answer(.get, Self.callback, on: PanelPlane(), .anybody, finish)
                .asking(["code", "state", "error", "error_description", "iss", "session_state", "scope"]),
        ]
    }

    private func redirect(_ call: Call) -> String { access.base(of: call) + Self.callback }

    /// Sends the browser to the provider, with a cookie that its return must carry.
    private func begin(_ call: Call) async throws -> Answer {
        guard let cookie = SessionCookie(for: call) else { return SignInPage.insecure }
        let attempt = OpenIDAttempt()
        do {
            try access.members.start(from: call.signInOrigin(cookie), route: Self.path)
            var answer = Answer.redirect(
                to: try await provider.authorization(of: attempt, redirect: redirect(call)))
            answer.headers.append(cookie.begin(attempt))
            return answer
        } catch {
            return page(error)
        }
    }

    /// Takes the browser's return. Without the cookie of its own beginning it is another person's sign-in.
    private func finish(_ call: Call) async throws -> Answer {
        guard let cookie = SessionCookie(for: call) else { return SignInPage.insecure }
        var answer: Answer
        do {
            answer = SignInRoutes.begin(try await session(call, cookie), cookie, at: "/panel")
        } catch {
            answer = page(error)
        }
        answer.headers.append(cookie.endOfAttempt)
        return answer
    }

    private func session(_ call: Call, _ cookie: SessionCookie) async throws -> NewSession {
        guard let attempt = cookie.attempt(in: call), attempt.accepts(state: call.query["state"]) else {
            throw MemberError(
                .signInRefused, "This sign-in did not begin in this browser, or took too long. Begin it again.")
        }
        // RFC 9207: a provider that names itself must be the one that was asked.
        if let issuer = call.query["iss"], issuer != provider.settings.issuer { throw Self.refused }
        guard call.query["error"] == nil, let code = call.query["code"] else { throw Self.refused }
        // One attempt may return often, and each return would call the provider.
        try access.members.admit(from: call.signInOrigin(cookie), route: Self.callback)
        let identity = try await provider.identity(code: code, attempt: attempt, redirect: redirect(call))
        return try await access.members.signIn(
            as: identity, createsMembers: provider.settings.createsMembers, from: call.signInOrigin(cookie))
    }

    private static let refused = MemberError(
        .providerFailed, "The sign-in provider did not let you in. Begin again.")

    private func page(_ error: any Error) -> Answer {
        let shown =
            switch error {
            case let error as MemberError where error == .signInRefused:
                MemberError(
                    .signInRefused,
                    "Your account is known to the provider, and no member here. Ask an administrator to add you.")
            case let error as MemberError: error
            default: MemberError(.providerFailed, "The sign-in provider does not answer. Try again in a moment.")
            }
        var view = SignInPage(action: SignInRoutes.path, name: "", error: shown.description)
        view.provider = Self.path
        view.takesPassword = !access.members.policy.requiresAccount
        return view.answer(shown)
    }
}

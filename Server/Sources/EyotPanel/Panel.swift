import EyotCommands
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The panel: pages for those who run an app's Live Activities.
///
/// It is a caller of Eyot's own API within the process. So a page shows, and a button does, what the member's role
/// allows, and the audit log has it.
package struct Panel: Sendable {
    let backend: Backend
    /// The API without the panel.
    let api: API
    let sessions: any PanelSessions
    let live: LiveHub
    /// How members sign in; nil if another part of the program finds them.
    let access: PanelAccess?

    /// A panel with members of its own.
    package init(_ backend: Backend, api: API, access: PanelAccess, live: LiveHub) {
        self.init(
            backend, api: api, sessions: MemberSessions(access, store: backend.store), live: live, access: access)
    }

    package init(
        _ backend: Backend, api: API, sessions: any PanelSessions, live: LiveHub, access: PanelAccess? = nil
    ) {
        self.access = access
        self.backend = backend
        self.api = api
        self.sessions = sessions
        self.live = live
    }

    /// All routes of the panel.
    package var routes: [Route] {
        [
            AssetRoutes().routes,
            LiveRoutes(panel: self).routes,
            TonightPage(panel: self).routes,
            AppPage(panel: self).routes,
            WebhookPages(panel: self).routes,
            ConsolePage(panel: self).routes,
            AuditPage(panel: self).routes,
            ServerPage(panel: self).routes,
            accessRoutes,
            ActivityPage(panel: self).routes, HaltForms(panel: self).routes, UpdatePage(panel: self).routes,
            EndPage(panel: self).routes, CardsPage(panel: self).routes, VersionPage(panel: self).routes,
            OperationPage(panel: self).routes,
            StartPage(panel: self).routes, ReportsPage(panel: self).routes, ReportPage(panel: self).routes,
            SearchPage(panel: self).routes,
            WhyPage(panel: self).routes,
            PeoplePage(panel: self).routes,
            UserPage(panel: self).routes,
            DevicePage(panel: self).routes,
            LogPage(panel: self).routes,
            InsightPage(panel: self).routes,
            AudiencesPage(panel: self).routes,
            SegmentPage(panel: self).routes,
            TypesPage(panel: self).routes,
            TypePage(panel: self).routes,
            DefinitionsPage(panel: self).routes,
            DefinitionPage(panel: self).routes,
        ].flatMap(\.self)
    }

    private var accessRoutes: [Route] {
        guard let access else { return [] }
        return SignInRoutes(panel: self, access: access).routes + AccountPage(panel: self, access: access).routes
            + MembersPage(panel: self, access: access).routes
    }

    /// Returns the route of a page for signed-in members.
    ///
    /// - Parameters:
    ///   - query: the parameters that it takes, beside the app.
    ///   - scopes: what the member's role needs, so that the page is of any use.
    func page(
        _ path: String, query: Set<String> = [], needs scopes: [KeyScope] = [],
        _ show: @escaping @Sendable (Visit) async throws -> Answer
    ) -> Route {
        Route.answer(.get, path, on: PanelPlane(), .anybody) { call in
            try await visit(call) { visit in
                try visit.require(scopes)
                return try await show(visit)
            }
        }
        .asking(query.union([Visit.appParameter, Notice.parameter]), strictly: true)
    }

    /// Returns the route of a form for signed-in members. It is refused unless it comes from a page of theirs.
    ///
    /// - Parameter scopes: what the member's role needs. It is checked before the fields are.
    func form(
        _ path: String, bodyLimit: Int = FormFields.bodyBytes, needs scopes: [KeyScope] = [],
        _ act: @escaping @Sendable (Visit, FormFields) async throws -> Answer
    ) -> Route {
        Route.answer(.post, path, on: PanelPlane(), .anybody) { call in
            try await visit(call) { visit in
                let fields = try FormFields(call.body)
                try FormGuard(call).check(fields, of: visit.member)
                try visit.require(scopes)
                return try await act(visit, fields)
            }
        }
        .taking(PanelPlane().bodyTypes, upTo: bodyLimit).asking([Visit.appParameter])
    }

    /// Answers a call of a signed-in member, and sends others to the page where they sign in. A failure is shown in
    /// the frame of the page.
    private func visit(_ call: Call, _ answer: (Visit) async throws -> Answer) async throws -> Answer {
        guard let member = try await sessions.find(in: call) else {
            return .redirect(to: "/panel/sign-in?to=\(PercentEncoding.encoded(call.path))")
        }
        guard !member.seats.isEmpty else { return BarePage(title: "No app yet", main: seatless(member)).answer(nil) }
        var visit = try Visit(call, of: member, to: self)
        visit.standing = try await AppStanding.read(for: visit)
        do {
            return try await answer(visit)
        } catch let error as EyotError {
            return visit.failure(Problem(error))
        } catch let problem as Problem {
            return visit.failure(problem)
        }
    }

    /// What a member sees who has no app.
    private func seatless(_ member: SignedIn) -> String {
        struct View {
            let member: String
            let isOwner: Bool
            let formToken: String
        }
        return Templates.render(
            View(member: member.name, isOwner: member.isOwner, formToken: member.formToken), "seatless")
    }
}

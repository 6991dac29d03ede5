import EyotCommands
import EyotDomain
import EyotHTTP

/// The members with a role in the app, and for owners all members of the server.
struct MembersPage {
    static let path = "/panel/members"

    let panel: Panel
    let access: PanelAccess

    var routes: [Route] {
        [
            panel.page(Self.path) { try await show($0) },
            form("/add", add),
            form("/link") { visit, fields, proven in
                let name = try fields.required("name")
                let link = try await access.members.link(
                    name, removesTOTP: fields["totp"] == "remove", by: proven, from: visit.call.signInOrigin(nil))
                return try await show(visit, made: Made(name, link, base: access.base(of: visit.call)))
            },
            form("/take") { visit, fields, proven in
                try await access.members.take(
                    from: fields.required("name"), in: fields["of"] == "owners" ? nil : visit.seat.app.id, by: proven,
                    from: visit.call.signInOrigin(nil))
                return visit.redirect(to: Self.path, saying: .removed)
            },
        ]
            + Members.Measure.allCases.map { measure in
                form("/\(measure.rawValue)") { visit, fields, proven in
                    let name = try fields.required("name")
                    if measure == .remove { try fields.requireTyped(name) }
                    try await access.members.apply(
                        measure, to: name, by: proven, from: visit.call.signInOrigin(nil))
                    return visit.redirect(to: Self.path, saying: measure == .remove ? .removed : .saved)
                }
            }
    }

    private func form(
        _ path: String, _ act: @escaping @Sendable (Visit, FormFields, ProvenMember) async throws -> Answer
    ) -> Route {
        panel.form(Self.path + path) { visit, fields in
            let proven = try visit.proven()
            do {
                return try await act(visit, fields, proven)
            } catch let error as MemberError {
                return try await show(visit, error)
            }
        }
    }

    private func add(_ visit: Visit, _ fields: FormFields, _ proven: ProvenMember) async throws -> Answer {
        guard let role = fields["role"].flatMap(PanelRole.init(rawValue:)) else {
            throw MemberError(.fieldInvalid, "Choose a role.", field: "role")
        }
        let name = try fields.required("name")
        let wanted = MemberGrants.Wanted(
            role, for: role == .owner ? nil : visit.seat.app, hasProduction: fields["production"] == "on")
        let link = try await access.members.add(name, wanted, by: proven, from: visit.call.signInOrigin(nil))
        guard let link else { return visit.redirect(to: Self.path, saying: .saved) }
        return try await show(
            visit, made: Made(name, link.secret, isNew: link.isNew, base: access.base(of: visit.call)))
    }

    /// A link that was just made. It is shown once.
    private struct Made {
        let name: String
        let link: String
        /// False if the member was known and has to sign in anew.
        let isNew: Bool

        init(_ name: String, _ secret: Secret, isNew: Bool = true, base: String) {
            self.name = PanelMember.normalized(name)
            self.isNew = isNew
            link = base + "/panel/link/" + secret.text
        }
    }

    private func show(_ visit: Visit, _ error: MemberError? = nil, made: Made? = nil) async throws -> Answer {
        let (proven, app) = (try visit.proven(), visit.seat.app)
        let rows: [Members.Row]
        do {
            rows = try await access.members.rows(of: app, for: proven)
        } catch let refused as MemberError {
            throw EyotError(.keyForbidden, refused.description)
        }
        let all = proven.isOwner ? try await access.members.allRows(for: proven) : []
        let view = MembersView(
            app: Shown.line(app.name), formToken: proven.csrf, error: error?.description, madeName: made?.name,
            madeLink: made?.link, madeNew: made?.isNew ?? true,
            mayProduction: proven.grant(for: app.id)?.grant.hasProduction == true,
            isOwner: proven.isOwner, query: visit.query,
            members: rows.map { MembersView.Row($0, in: app, to: proven, query: visit.query) },
            all: all.map { MembersView.Row($0, in: nil, to: proven, query: visit.query) })
        var answer = visit.show("Members", "members", view)
        if let error { answer.status = error.code.status }
        return answer
    }
}

extension Visit {
    /// The part of a form's address that names the app; empty if the member has only one.
    var query: String { link("").description }
}

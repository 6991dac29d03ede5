import EyotCommands
import EyotDomain

/// What the page of members draws.
struct MembersView {
    struct Row {
        /// The name as forms send it.
        let name: String
        /// The name as the page draws it.
        let shownName: String
        let role: String
        let reach: String
        let isProduction: Bool
        let ways: String
        let seen: String?
        let state: String?
        let sessions: Int
        let isSelf: Bool
        /// Whether the name has letters that may look like those of another.
        let isUnusual: Bool
        let seesAccount: Bool
        let isManaged: Bool
        let mayHaveLink: Bool
        let isDisabled: Bool
        let hasRole: Bool
        /// Whether it owns all apps.
        let isOwner: Bool
        let formToken: String
        let query: String

        /// - Parameter app: The app of the roles that are shown; nil for all roles.
        init(_ row: Members.Row, in app: App?, to reader: ProvenMember, query: String) {
            let shown = app.map { app in row.grants.filter { $0.grant.app == app.id } } ?? row.grants
            name = row.member.name
            shownName = Shown.text(row.member.name)
            role = shown.map { held in
                held.grant.role.rawValue + (app == nil ? held.app.map { " in \($0.name)" } ?? "" : "")
            }.joined(separator: ", ")
            isProduction = shown.contains { $0.grant.hasProduction }
            reach = isProduction ? "production" : "sandbox"
            let known = [
                row.member.password.map { _ in "password" }, row.member.totp.map { _ in "code" },
                row.member.account.map { _ in "provider" },
            ].compactMap(\.self)
            isUnusual = PanelMember.mayLookLikeAnother(row.member.name)
            isSelf = row.member.id == reader.member.id
            // How a member of other apps signs in is the matter of those who manage it.
            seesAccount = row.isManaged || isSelf
            ways = known.isEmpty ? "not yet" : known.joined(separator: " + ")
            seen = seesAccount ? row.sessions.map(\.usedAt).max()?.rfc3339 : nil
            isDisabled = row.member.disabledAt != nil
            state = isDisabled ? "disabled" : row.hasLink ? "link not used yet" : nil
            sessions = row.sessions.count
            isManaged = row.isManaged && row.member.id != reader.member.id
            mayHaveLink = isManaged && row.mayHavePassword
            hasRole = !shown.isEmpty
            isOwner = row.grants.contains { $0.grant.role == .owner }
            (formToken, self.query) = (reader.csrf, query)
        }
    }

    let app: String
    let formToken: String
    let error: String?
    let madeName: String?
    let madeLink: String?
    let madeNew: Bool
    /// Whether the reader may give reach to production.
    let mayProduction: Bool
    let isOwner: Bool
    let query: String
    let members: [Row]
    let all: [Row]
}

extension Templates {
    /// The templates of the page of members.
    static let members = [
        "members": """
        <div class="bar"><h1>Members</h1><span class="sub">of {{app}}</span></div>
        {{#error}}<p class="error" role="alert">{{error}}</p>{{/error}}
        {{#madeLink}}<section class="card made" role="status"><h2>A link for {{madeName}}</h2>{{^madeNew}}<p>{{madeName}} may do more than before, so its password, sessions and second factor have ended: those who made links for it could know them. With this link the member chooses a new password.</p>{{/madeNew}}<p class="sub">It works once, for a day, and is shown only now. Hand it over by a way that others cannot read.</p>
        <pre><code id="made">{{madeLink}}</code></pre><p class="below"><button class="btn" type="button" data-copy="made">Copy</button></p></section>{{/madeLink}}
        <section><h2>With a role in {{app}}</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th scope="col">Member</th><th scope="col" class="t">Role</th><th scope="col" class="t wide">Signs in by</th><th scope="col" class="wide">Last seen</th><th scope="col"></th></tr></thead><tbody>
        {{#members}}<tr><td class="name"><bdi>{{shownName}}</bdi>{{#isSelf}} <span class="tag">you</span>{{/isSelf}}{{#isUnusual}} <span class="tag warn">letters beyond a to z</span>{{/isUnusual}}{{#state}} <span class="tag warn">{{state}}</span>{{/state}}</td><td class="t">{{role}} <span class="tag {{#isProduction}}bad{{/isProduction}}{{^isProduction}}info{{/isProduction}}">{{reach}}</span></td><td class="t wide">{{#seesAccount}}{{ways}}{{/seesAccount}}</td><td class="wide">{{#seen}}<time datetime="{{seen}}">{{seen}}</time>{{/seen}}{{^seen}}{{#seesAccount}}<span class="foot">no session</span>{{/seesAccount}}{{/seen}}</td><td>{{>members.actions}}</td></tr>{{/members}}
        </tbody></table></div><p class="foot below">Owners of the server may do everything here too.</p></section>
        <section class="card"><form method="post" action="/panel/members/add{{query}}"><fieldset><legend>Add a member, or change a role</legend><input type="hidden" name="token" value="{{formToken}}">
        <div class="fields broad"><label>Name or e-mail <span class="sub">The address that your provider verifies, if there is one.</span><input name="name" maxlength="128" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>
        <label>Role <span class="sub">It replaces the role that the member has here.</span><select name="role"><option value="viewer">viewer: reads activities and types</option><option value="support">support: asks why, nothing else</option><option value="operator">operator: starts, updates, ends, halts</option><option value="admin">admin: everything in this app</option>{{#isOwner}}<option value="owner">owner: everything in all apps</option>{{/isOwner}}</select></label></div>
        {{#mayProduction}}<label class="check"><input type="checkbox" name="production"> Reaches phones of production <span class="sub">Without it only builds run from Xcode are reached.</span></label>{{/mayProduction}}
        <p><button class="btn primary">Add</button></p></fieldset></form></section>
        {{#isOwner}}<section><h2>All members of this server</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th scope="col">Member</th><th scope="col" class="t">Roles</th><th scope="col" class="t wide">Signs in by</th><th scope="col" class="wide">Sessions</th><th scope="col"></th></tr></thead><tbody>
        {{#all}}<tr><td class="name"><bdi>{{shownName}}</bdi>{{#isSelf}} <span class="tag">you</span>{{/isSelf}}{{#isUnusual}} <span class="tag warn">letters beyond a to z</span>{{/isUnusual}}{{#state}} <span class="tag warn">{{state}}</span>{{/state}}</td><td class="t">{{role}}{{^hasRole}}<span class="foot">none</span>{{/hasRole}}</td><td class="t wide">{{ways}}</td><td class="wide">{{sessions}}</td><td>{{>members.measures}}</td></tr>{{/all}}
        </tbody></table></div></section>{{/isOwner}}
        """,
        "members.actions": """
        {{^isSelf}}<div class="bar right">{{#mayHaveLink}}<form class="inline" method="post" action="/panel/members/link{{query}}"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><button class="btn" aria-label="Make a new link for {{shownName}}">New link</button></form>{{/mayHaveLink}}<form class="inline" method="post" action="/panel/members/take{{query}}"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><button class="btn danger" aria-label="Take the role of {{shownName}}">Take role</button></form></div>{{/isSelf}}
        """,
        "members.measures": """
        {{#isManaged}}<details class="measures"><summary class="btn" aria-label="Change {{shownName}}">Change</summary><div>
        <form method="post" action="/panel/members/signOut{{query}}"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><button class="btn">Sign out everywhere</button></form>
        {{#isOwner}}<form method="post" action="/panel/members/take{{query}}"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><input type="hidden" name="of" value="owners"><button class="btn danger">Take the ownership</button></form>{{/isOwner}}
        {{#mayHaveLink}}<form method="post" action="/panel/members/link{{query}}"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><input type="hidden" name="totp" value="remove"><button class="btn">New link, without second factor</button></form>{{/mayHaveLink}}
        {{^isDisabled}}<form method="post" action="/panel/members/disable{{query}}"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><button class="btn">Disable</button></form>{{/isDisabled}}
        {{#isDisabled}}<form method="post" action="/panel/members/enable{{query}}"><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><button class="btn">Enable</button></form>{{/isDisabled}}
        <form method="post" action="/panel/members/remove{{query}}"><fieldset><input type="hidden" name="token" value="{{formToken}}"><input type="hidden" name="name" value="{{name}}"><label>Type <bdi>{{shownName}}</bdi> to remove<input name="typed" autocomplete="off" required></label><button class="btn danger">Remove</button></fieldset></form></div></details>{{/isManaged}}
        """,
    ]
}

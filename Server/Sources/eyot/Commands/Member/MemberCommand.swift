import ArgumentParser
import EyotCommands
import EyotDomain
import EyotServer

struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member", abstract: "Add, list and remove the people who may sign in to the panel.",
        discussion: """
            Works on the database in EYOT_DATABASE_URL, also while the server runs. A link signs in once, within a day. \
            Its address comes from EYOT_PANEL_URL, or from the panel's listener. The options, variables and file of \
            `eyot serve` hold here, too.

            eyot member add ana@example.org --app com.example.match --role operator --production
            """,
        subcommands: [
            MemberAdd.self, MemberList.self, MemberLinkCommand.self, MemberGrantCommand.self, MemberRevoke.self,
            MemberSignOut.self, MemberDisable.self, MemberEnable.self, MemberRemove.self,
        ])

    /// Returns the tool with the settings that `eyot serve` would use.
    ///
    /// - Parameter makesLink: Whether the command makes a link, which needs a panel.
    static func tool(_ verb: String, _ settings: SettingOptions, makesLink: Bool = false) throws -> MemberTool {
        let configuration = try settings.configuration()
        if makesLink, !configuration.servesPanel {
            Output.err("No listener serves the panel with these settings: set panel-port or ops-port.")
        }
        return MemberTool(configuration, command: "eyot member \(verb)")
    }
}

/// Options for a grant: a role in an app, or ownership of all.
struct GrantOptions: ParsableArguments {
    @Option(help: "The bundle identifier of the app.")
    var app: String?

    @Option(help: "viewer, support, operator or admin.")
    var role: String?

    @Flag(help: "Also reach phones of production. Without it only phones of the sandbox are reached.")
    var production = false

    @Flag(help: "Make the member an owner, who may do everything in all apps.")
    var owner = false

    /// Returns the role and the app; nil stands for all apps.
    func wanted() throws -> (role: PanelRole, app: String?) {
        if owner {
            guard app == nil, role == nil else {
                throw ValidationError("--owner is for all apps: leave out --app and --role.")
            }
            return (.owner, nil)
        }
        guard let app, let text = role else { throw ValidationError("Give --app and --role, or --owner.") }
        guard let role = PanelRole.ofApps.first(where: { $0.rawValue == text }) else {
            throw ValidationError("--role is \(PanelRole.ofApps.map(\.rawValue).joined(separator: ", ")).")
        }
        return (role, app)
    }
}

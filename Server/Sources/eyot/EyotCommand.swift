import ArgumentParser
import EyotServer

/// The root of all commands.
struct EyotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eyot", abstract: "Run Live Activities on iPhones from your own server.",
        discussion: """
            Commands that call a server read its URL from EYOT_URL and its key from EYOT_API_KEY. Exit code 0 means \
            success, 1 failure, and 2 a wrong argument or setting. With --json a failure is one line of JSON on standard error.

            eyot demo
            """,
        version: "\(BuildInfo.version), commit \(BuildInfo.commit), schema \(BuildInfo.schema)",
        groupedSubcommands: [
            CommandGroup(name: "Trial", subcommands: [DemoCommand.self, LabCommand.self]),
            CommandGroup(
                name: "Server",
                subcommands: [
                    ServeCommand.self, MigrateCommand.self, DoctorCommand.self, HealthCommand.self,
                    NodeCommand.self, DatabaseCommand.self, MasterKeyCommand.self,
                ]),
            CommandGroup(
                name: "Backend",
                subcommands: [
                    AppCommand.self, KeyCommand.self, MemberCommand.self, IdentityCommand.self, AuditCommand.self,
                    ActivityCommand.self,
                    TypeCommand.self, SchemaCommand.self,
                    UserCommand.self, AudienceCommand.self, SegmentCommand.self, DeviceCommand.self,
                    DefinitionCommand.self, TestDeviceCommand.self, TokenCommand.self, ChannelCommand.self,
                    OperationCommand.self, LogCommand.self, WhyCommand.self, ReportCommand.self, InsightsCommand.self,
                    WebhookCommand.self,
                ]),
            CommandGroup(name: "Apple", subcommands: [PushCommand.self, JWTCommand.self]),
        ])
}

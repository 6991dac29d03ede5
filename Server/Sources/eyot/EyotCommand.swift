import ArgumentParser

/// The root of all commands.
struct EyotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eyot",
        abstract: "Live Activities on iPhones, served by yourself.",
        discussion: """
            Commands that talk to a server find it by EYOT_URL and prove themselves with EYOT_API_KEY. They end with 0 \
            when it is done, 1 when it failed, and 2 when they were called wrongly. With --json a failure is a line of JSON on \
            standard error.
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(name: "Trial", subcommands: [DemoCommand.self, LabCommand.self, BenchCommand.self]),
            CommandGroup(name: "Server", subcommands: [ServeCommand.self, DoctorCommand.self, MasterKeyCommand.self]),
            CommandGroup(
                name: "Backend",
                subcommands: [
                    AppCommand.self, KeyCommand.self, IdentityCommand.self, AuditCommand.self, ActivityCommand.self,
                    TypeCommand.self, SchemaCommand.self,
                    UserCommand.self, AudienceCommand.self, SegmentCommand.self, DeviceCommand.self,
                    DefinitionCommand.self, TestDeviceCommand.self, TokenCommand.self, ChannelCommand.self,
                    OperationCommand.self,
                ]),
            CommandGroup(name: "Apple", subcommands: [PushCommand.self, JWTCommand.self]),
        ])
}

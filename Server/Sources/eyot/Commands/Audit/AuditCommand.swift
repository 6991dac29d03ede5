import ArgumentParser

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "See what was changed, and by which key.",
        subcommands: [AuditList.self, AuditAccess.self, AuditVerify.self])
}

import ArgumentParser

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show changes and accesses, with the key of each.",
        subcommands: [AuditList.self, AuditAccess.self, AuditVerify.self])
}

import ArgumentParser
import EyotServer
import Foundation

struct AuditVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check an audit log for missing, changed or misplaced lines.",
        discussion: """
            Name the parts of a divided log in the order in which they were written. The check cannot find lines that \
            are missing at the end.

            eyot audit verify audit-1.log audit-2.log
            """)

    @Argument(help: "Files that EYOT_AUDIT_LOG named.")
    var files: [String]

    func run() throws {
        var text = ""
        for file in files {
            guard let part = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw ValidationError("\(file) cannot be read as text.")
            }
            text += part.hasSuffix("\n") || part.isEmpty ? part : part + "\n"
        }
        let (count, fault) = AuditLog.check(text.split(separator: "\n"))
        guard let fault else { return Output.out("\(count) lines, each after the one before") }
        Output.err(fault)
        throw ExitCode(1)
    }
}

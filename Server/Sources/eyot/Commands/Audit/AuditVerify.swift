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
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw ValidationError("\(file) cannot be read.")
            }
            // A crash may have cut a line in the middle of a character.
            let part = String(decoding: bytes, as: UTF8.self)
            text += part.hasSuffix("\n") || part.isEmpty ? part : part + "\n"
        }
        let (count, fault) = AuditLog.check(text.split(separator: "\n"))
        guard let fault else { return Output.out("\(count) lines, each after the one before") }
        Output.err(fault)
        throw ExitCode(1)
    }
}

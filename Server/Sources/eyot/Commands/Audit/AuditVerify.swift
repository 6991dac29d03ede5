import ArgumentParser
import EyotServer
import Foundation

struct AuditVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Look whether lines of an audit log are missing, changed or out of order.",
        discussion: """
            Files that a log was divided into are named in the order in which they were written. What is missing at the end of the \
            last one cannot show.
            """)

    @Argument(help: "Files that EYOT_AUDIT_LOG has named.")
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

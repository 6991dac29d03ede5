import ArgumentParser
import Testing

@testable import eyot

@Suite("How many servers a lab has, and where their data is")
struct LabServerOptionsTests {
    @Test(
        arguments: [
            (["--nodes", "0", "--postgres"], "A lab has 1 to 9 nodes."),
            (["--nodes", "10", "--postgres"], "A lab has 1 to 9 nodes."),
            (["--nodes", "2"], "add --postgres or --database"),
            (["--postgres", "--database", "postgres://host/name"], "exclude each other"),
            (["--postgres", "--state", "folder"], "--state needs --database"),
            (["--database", "sqlite:eyot.sqlite"], "takes the URL of a PostgreSQL database"),
            (["--database", "postgres://host/name?pool_max_conns=1"], "takes the URL of a PostgreSQL database"),
        ])
    func `Options that contradict each other are misuse, and say what to give`(options: [String], part: String) {
        let error = #expect(throws: (any Error).self) { try EyotCommand.parseAsRoot(["lab"] + options) }
        guard let error else { return }
        #expect(EyotCommand.exitCode(for: error) == .validationFailure)
        let message = EyotCommand.fullMessage(for: error)
        #expect(message.contains(part), "\(message)")
    }

    @Test(
        arguments: [
            [], ["--nodes", "1"], ["--nodes", "9", "--postgres"],
            ["--nodes", "3", "--database", "postgres://user:word@host/name", "--state", "folder"],
        ])
    func `Others are taken`(options: [String]) throws {
        #expect(try EyotCommand.parseAsRoot(["lab"] + options) is LabCommand)
    }
}

import Foundation
import Testing

@testable import eyot_bench

@Suite struct `The command line of measurements` {
    @Test func `What makes sense is taken`() throws {
        _ = try BenchCommand.parseAsRoot(["crash", "--tokens", "200", "--kills", "100"])
    }

    @Test(arguments: [
        "nonsense", "soak --minutes -1", "crash --kills 1", "crash --tokens 200 --kills 101", "overload --seconds 1",
        "restart --activities 1000 --updates 2000", "race --speed 0", "race --minutes 5 --rounds 11",
        "growth --sizes 1000 --singles 50 --rounds 11", "kick-off --rounds 0", "scopes --rounds 101",
        "devices --lag -1",
    ])
    func `What makes no sense is misuse, and says why`(line: String) throws {
        let error = #expect(throws: (any Error).self) {
            try BenchCommand.parseAsRoot(line.split(separator: " ").map(String.init))
        }
        let misuse = try #require(error)
        #expect(BenchCommand.exitCode(for: misuse) == .validationFailure)
        #expect(BenchCommand.fullMessage(for: misuse).contains("Error:"))
    }
}

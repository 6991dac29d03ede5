import EyotContract
import Foundation
import Logging
import Testing

@testable import EyotServer

/// The record of calls as a collector takes it.
@Suite("The audit log's file", .timeLimit(.minutes(10)))
struct AuditLogTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("audit.jsonl").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func lines(of path: String) throws -> [Substring] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { Substring(String($0)) }
    }

    private func write(_ numbers: ClosedRange<Int>, to log: AuditLog) {
        for number in numbers { log.write(JSONObject([("kind", "change"), ("number", .integer(number))])) }
    }

    @Test func `A line that is changed, missing or moved shows, across starts and files too`() throws {
        write(1...3, to: try AuditLog(path))
        // Another process goes on with the chain.
        let log = try AuditLog(path)
        write(4...5, to: log)
        // A program that divides logs moves the file away.
        let older = path + ".1"
        try FileManager.default.moveItem(atPath: path, toPath: older)
        log.tend(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        write(6...8, to: log)
        let all = try lines(of: older) + lines(of: path)
        #expect(all.count == 8)
        #expect(AuditLog.check(all).fault == nil)
        #expect(AuditLog.check(try lines(of: path)).fault == nil)
        for index in 1..<all.count - 1 {
            var missing = all
            missing.remove(at: index)
            #expect(AuditLog.check(missing).fault == "lines are missing before line \(index + 1)")
            var moved = all
            moved.swapAt(index, index + 1)
            #expect(AuditLog.check(moved).fault != nil)
        }
        for index in all.indices {
            var changed = all
            changed[index] = Substring(all[index].replacing("change", with: "read"))
            #expect(AuditLog.check(changed).fault == "line \(index + 1) was changed")
        }
        #expect(AuditLog.check(["{}"]).fault == "line 1 is no line of an audit log")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test(arguments: [1, 40, 90, 10_000]) func `A line that a crash has cut spoils nothing, and is missed if it goes`(
        bytes: Int
    ) throws {
        write(1...3, to: try AuditLog(path))
        // Half of a line without its end, cut in a character, or no whole line at all.
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let cut = whole.prefix(max(0, whole.count - bytes)) + Data("ü".utf8.prefix(1))
        try cut.write(to: URL(fileURLWithPath: path))
        write(4...5, to: try AuditLog(path))
        write(6...6, to: try AuditLog(path))
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        let all = text.split(separator: "\n")
        let (count, fault) = AuditLog.check(all)
        #expect((count, fault) == (all.count, nil))
        let index = try #require(all.firstIndex { !$0.hasSuffix("\"}") })
        var without = all
        without.remove(at: index)
        #expect(AuditLog.check(without).fault == "lines are missing before line \(index + 1)")
        var other = all
        other[index] = "{\"kind\""
        #expect(AuditLog.check(other).fault == "line \(index + 1) is no line of an audit log")
        #expect(AuditLog.check(all[...index]).fault == "line \(index + 1) is no line of an audit log")
    }

    @Test func `A file that cannot be opened keeps the server from starting, and says why`() {
        let error = #expect(throws: AuditLogError.self) { try AuditLog("/no/such/folder/audit.jsonl") }
        #expect(error?.description.contains("/no/such/folder/audit.jsonl") == true)
    }
}

import Foundation
import NIOCore
import Testing

@testable import EyotServer

@Suite("A machine on which a server cannot start")
struct StartFaultTests {
    private static let everything = StartFault.Access(canRead: { _ in true }, canWrite: { _ in true })
    private static let reading = StartFault.Access(canRead: { _ in true }, canWrite: { _ in false })
    private static let nothing = StartFault.Access(canRead: { _ in false }, canWrite: { _ in false })

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test func `The database's folder has to be there and writable, and the file readable`() throws {
        try withFolder { folder in
            let path = "\(folder)/eyot.sqlite"
            #expect(StartFault.database(at: path, Self.everything) == nil)
            #expect(StartFault.database(at: "\(folder)/none/eyot.sqlite", Self.everything)?.code == .folderMissing)
            #expect(StartFault.database(at: path, Self.reading)?.code == .folderNotWritable)
            try Data().write(to: URL(fileURLWithPath: path))
            #expect(StartFault.database(at: "\(path)/eyot.sqlite", Self.everything)?.code == .folderMissing)
            let foreign = StartFault.Access(canRead: { _ in true }, canWrite: { $0 == folder })
            let fault = StartFault.database(at: path, foreign)
            #expect(fault?.code == .fileNotReadable)
            #expect(fault?.description.contains("EYOT_DATABASE_URL") == true)
            #expect(fault?.description.contains(path) == true)
        }
    }

    @Test func `A master key that this user cannot read is named`() throws {
        try withFolder { folder in
            #expect(StartFault.masterKey(at: "\(folder)/key", Self.nothing) == nil)
            try Data().write(to: URL(fileURLWithPath: "\(folder)/key"))
            #expect(StartFault.masterKey(at: "\(folder)/key", Self.nothing)?.code == .fileNotReadable)
        }
    }

    @Test func `A clock before the program's time, or far after it, is refused`() {
        #expect(StartFault.clock(StartFault.earliest + 1) == nil)
        #expect(StartFault.clock(Date(timeIntervalSince1970: 0))?.code == .clockOff)
        #expect(StartFault.clock(StartFault.latest + 1)?.code == .clockOff)
    }

    @Test(arguments: [
        (EADDRINUSE, StartFault.Code.portTaken, "EYOT_OPS_PORT"), (EACCES, .portForbidden, "EYOT_OPS_PORT"),
        (EADDRNOTAVAIL, .addressUnknown, "EYOT_OPS_HOST"),
    ])
    func `An address that cannot be listened on is named by its setting`(
        number: Int32, code: StartFault.Code, named: String
    ) {
        let listener = ListenerSettings(host: "127.0.0.1", port: Int(number), tls: nil)
        let error = IOError(errnoCode: number, reason: "bind")
        let fault = StartFault.binding(ListenerSettings.Names(.ops), listener, error)
        #expect(fault?.code == code)
        #expect(fault?.description.hasPrefix(named) == true)
        let other = IOError(errnoCode: EIO, reason: "bind")
        #expect(StartFault.binding(ListenerSettings.Names(.ops), listener, other) == nil)
    }
}

import Foundation
import NIOCore

/// The reason why a server cannot start on this machine. The settings themselves are right; ``SettingError`` is for
/// wrong ones.
package struct StartFault: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case portTaken, portForbidden, addressUnknown, folderMissing, folderNotWritable, fileNotReadable, clockOff
        case databaseExists, databaseMissing, databaseNotFile, masterKeyMissing, nodeUnknown
        case databaseIsFile
    }

    package let code: Code
    /// The setting and the address, file or folder, and what to do.
    package let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }
}

extension StartFault {
    // MARK: The clock

    /// No version of Eyot existed before this time. A clock that shows an earlier time is wrong.
    package static let earliest = Date(timeIntervalSince1970: 1_793_491_200)
    /// The year 2100.
    package static let latest = Date(timeIntervalSince1970: 4_102_444_800)

    /// Checks the clock without a network, so only an absurd time is noticed.
    package static func clock(_ now: Date) -> StartFault? {
        guard !(earliest...latest).contains(now) else { return nil }
        let text = now.formatted(.iso8601)
        return StartFault(
            .clockOff, "the clock of this machine shows \(text): set it, Apple refuses keys of another hour")
    }

    // MARK: Files

    /// How a path may be used. Tests replace it, because the superuser may read and write everything.
    package struct Access: Sendable {
        var canRead: @Sendable (String) -> Bool
        var canWrite: @Sendable (String) -> Bool

        /// What the system allows this process.
        package static var process: Access {
            Access(
                canRead: { FileManager.default.isReadableFile(atPath: $0) },
                canWrite: { FileManager.default.isWritableFile(atPath: $0) })
        }
    }

    /// Checks that a database can be opened, or created, at a path.
    package static func database(at path: String, _ access: Access = .process) -> StartFault? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let setting = Setting.databaseURL.variable
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            return StartFault(
                .folderMissing, "\(setting): there is no folder \(folder). Create it, for this user alone")
        }
        guard access.canWrite(folder) else {
            return StartFault(
                .folderNotWritable,
                "\(setting): this user cannot write in \(folder), where the database has its log. Change its owner")
        }
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard access.canRead(path), access.canWrite(path) else {
            return StartFault(
                .fileNotReadable, "\(setting): this user cannot read and write \(path). Change the owner of the file")
        }
        return nil
    }

    /// Checks that an existing file of a master key can be read.
    static func masterKey(at path: String, _ access: Access = .process) -> StartFault? {
        guard FileManager.default.fileExists(atPath: path), !access.canRead(path) else { return nil }
        return StartFault(
            .fileNotReadable,
            "\(Setting.masterKeyFile.variable): this user cannot read \(path). Change the owner of the file")
    }

    /// A restore needs an empty place.
    static func databaseExists(_ path: String) -> StartFault {
        StartFault(
            .databaseExists,
            "\(Setting.databaseURL.variable): \(path) exists, and a restore replaces nothing. Move it away, or name another"
        )
    }

    /// A command for operators works on a server's database, and makes none.
    static func databaseMissing(_ path: String) -> StartFault {
        StartFault(
            .databaseMissing,
            "\(Setting.databaseURL.variable): there is no database at \(path). Name that of your server, here or in the file of --config; the first start of `eyot serve` makes one"
        )
    }

    /// A command for the file of a database, where the database is a server.
    static var databaseNotFile: StartFault {
        StartFault(
            .databaseNotFile,
            "\(Setting.databaseURL.variable): this command is for a database in a file. For PostgreSQL use its own programs, such as pg_dump, and `eyot database adopt` after a restore"
        )
    }

    /// A command for a database server, where the database is a file.
    ///
    /// - Parameter command: The command for a file.
    static func databaseIsFile(insteadUse command: String) -> StartFault {
        StartFault(
            .databaseIsFile,
            "\(Setting.databaseURL.variable): this command is for a database of PostgreSQL, and the setting names a file. Use `\(command)` there"
        )
    }

    /// Processes that share a database need the same master key, so none is made beside it.
    static var masterKeyMissing: StartFault {
        StartFault(
            .masterKeyMissing,
            "\(Setting.masterKeyFile.variable): a database of PostgreSQL needs a master key that all its nodes have. Make one with `openssl rand -base64 32`, and name its file here"
        )
    }

    static func nodeUnknown(_ name: String) -> StartFault {
        StartFault(
            .nodeUnknown,
            "there is no node \(name). `eyot node list` shows those that share a database of PostgreSQL; with SQLite one server pushes"
        )
    }

    // MARK: Listeners

    /// Returns the fault of an address that cannot be listened on; nil for another error.
    static func binding(_ role: ListenerSettings.Names, _ listener: ListenerSettings, _ error: any Error) -> StartFault?
    {
        let address = "\(listener.host):\(listener.port)"
        if error is SocketAddressError || error is SocketAddressError.UnknownHost {
            return StartFault(
                .addressUnknown, "\(role.host.variable): \(listener.host) is no address. Name one of this machine")
        }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return StartFault(
                .portTaken,
                "\(role.port.variable): another process listens on \(address). Stop it, or choose another port")
        case EACCES:
            return StartFault(
                .portForbidden,
                "\(role.port.variable): this user may not listen on \(address). Choose a port from 1024 on")
        case EADDRNOTAVAIL:
            return StartFault(
                .addressUnknown,
                "\(role.host.variable): this machine does not have the address \(listener.host). Name one of its own")
        default: return nil
        }
    }
}

extension ServerConfiguration {
    /// Checks the machine before anything is opened.
    ///
    /// - Throws: ``StartFault``.
    func checkMachine(now: Date) throws(StartFault) {
        let faults = [
            StartFault.clock(now), databasePath.flatMap { StartFault.database(at: $0) },
            masterKey == nil ? masterKeyPath.map { StartFault.masterKey(at: $0) } ?? StartFault.masterKeyMissing : nil,
        ]
        if let fault = faults.compactMap(\.self).first { throw fault }
    }
}

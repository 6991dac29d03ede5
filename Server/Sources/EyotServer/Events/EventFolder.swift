import EyotDomain
import Foundation

/// The folder that events are written to, laid out as warehouses read it:
/// `app=<app>/day=2026-11-26/hour=17/events-<first id>.ndjson.gz`.
///
/// A file appears under its name when it is complete. Until then it is in `.partial`. The last event that an app's
/// files hold is in `.last`, so that files may be moved away.
struct EventFolder: Sendable {
    private let root: URL

    /// - Throws: if the folder cannot be created or written.
    init(_ path: String) throws {
        root = URL(fileURLWithPath: path, isDirectory: true)
        for name in [".partial", ".last"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    /// The last event of an app that a file holds; 0 if there is none.
    func last(of app: AppID) throws -> Int64 {
        let file = lastFile(of: app)
        guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let id = Int64(text.filter(\.isNumber)) else {
            throw GzipFile.Failure(path: file.path, reason: "it holds no number; remove it to write all events again")
        }
        return id
    }

    /// Keeps the last event of an app that a file holds.
    func keep(last id: Int64, of app: AppID) throws {
        try Data("\(id)\n".utf8).write(to: lastFile(of: app), options: .atomic)
    }

    /// The path of an app's file until it is complete. There is one at a time.
    func partialPath(of app: AppID) -> String { root.appendingPathComponent(".partial/\(app.rawValue).gz").path }

    /// Gives the complete file its name.
    ///
    /// - Parameter first: The first event in it. A file that was written before a crash has the same name and is
    ///   replaced.
    func publish(_ app: AppID, _ hour: EventHour, first: Int64) throws {
        let folder = root.appendingPathComponent("app=\(app.rawValue)/day=\(hour.day)/hour=\(hour.name)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = folder.appendingPathComponent("events-\(first).ndjson.gz").path
        guard rename(partialPath(of: app), name) == 0 else {
            throw GzipFile.Failure(path: name, reason: String(cString: strerror(errno)))
        }
        try Self.sync(folder.path)
    }

    private func lastFile(of app: AppID) -> URL { root.appendingPathComponent(".last/\(app.rawValue)") }

    private static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw GzipFile.Failure(path: folder, reason: String(cString: strerror(errno)))
        }
    }
}

/// An hour of UTC.
struct EventHour: Sendable, Hashable, Comparable {
    /// Hours since 1970.
    let number: Int

    init(of moment: Instant) { number = moment.second / 3_600 }

    private init(number: Int) { self.number = number }

    /// The hour before.
    var former: EventHour { EventHour(number: number - 1) }
    /// The day, as `2026-11-26`.
    var day: String { String(Instant(second: number * 3_600).rfc3339.prefix(10)) }
    /// The hour of the day, from `00` to `23`.
    var name: String { String(Instant(second: number * 3_600).rfc3339.dropFirst(11).prefix(2)) }

    static func < (a: EventHour, b: EventHour) -> Bool { a.number < b.number }
}

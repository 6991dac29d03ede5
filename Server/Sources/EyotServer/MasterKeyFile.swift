import EyotCommands
import EyotDomain
import Foundation

/// The file that holds the master key. If the operator names none, it is beside the database and is created at the
/// first start.
enum MasterKeyFile {
    /// Reads the key, or creates it with access for this user alone.
    ///
    /// - Parameter mayMake: Whether a missing file is created.
    /// - Throws: ``SealError`` if the file holds no key. ``SettingError`` if it is missing and may not be created. The
    ///   system's errors for the file.
    static func key(at path: String, mayMake: Bool) throws -> MasterKey {
        if let text = try existing(path) { return try MasterKey(text: text) }
        guard mayMake else {
            throw SettingError(
                """
                there is no master key at \(path), and the database holds keys that one has sealed. Put the file back, or \
                name it by \(Setting.masterKeyFile.variable). If it is lost, `eyot master-key drop` removes what it sealed
                """)
        }
        let key = MasterKey.make()
        // O_EXCL: if two servers start at once, one of them creates the key and the other reads it.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else {
            if errno == EEXIST, let text = try existing(path) { return try MasterKey(text: text) }
            throw SettingError("the master key cannot be written to \(path): \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try handle.write(contentsOf: Data((key.text + "\n").utf8))
        try handle.synchronize()
        return key
    }

    private static func existing(_ path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}

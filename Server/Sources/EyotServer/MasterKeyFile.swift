import EyotCommands
import EyotDomain
import Foundation

/// A file that holds the master key, as where the operator gives none: beside the database, made at the first start.
enum MasterKeyFile {
    /// Reads the key, or makes it with permissions for this user alone.
    ///
    /// - Parameter mayMake: whether a missing file is made.
    /// - Throws: ``SealError`` if the file holds no key, ``SettingError`` if it is missing and may not be made, and
    ///   what the system says of the file.
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
        // O_EXCL: of two servers that start at once, one makes the key and the other reads it.
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

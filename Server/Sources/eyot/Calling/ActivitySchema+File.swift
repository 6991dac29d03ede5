import EyotContract
import Foundation

extension ActivitySchema {
    /// Reads a schema's file.
    ///
    /// - Parameter type: the name of the attributes type; nil means the file's `title`.
    /// - Throws: ``CommandFailure``, which names the file and the error.
    init(file path: String, type: String? = nil) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path) cannot be read: check the path and its permissions")
        }
        do {
            try self.init(json: JSONValue(parsing: bytes), type: type)
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }
}

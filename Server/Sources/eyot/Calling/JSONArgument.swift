import ArgumentParser
import EyotContract
import Foundation

/// A JSON value on the command line: itself, `@file`, or `-` for standard input.
struct JSONArgument: ExpressibleByArgument {
    let value: JSONValue

    init?(argument: String) {
        guard let bytes = Self.bytes(argument), let value = try? JSONValue(parsing: bytes) else { return nil }
        self.value = value
    }

    /// Nil where the file cannot be read.
    static func bytes(_ argument: String) -> [UInt8]? {
        if argument == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
        guard argument.hasPrefix("@") else { return Array(argument.utf8) }
        return FileManager.default.contents(atPath: String(argument.dropFirst())).map(Array.init)
    }
}

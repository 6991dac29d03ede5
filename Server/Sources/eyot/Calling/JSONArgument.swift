import ArgumentParser
import EyotContract
import Foundation

/// A JSON value on the command line: a literal, `@file`, or `-` for standard input.
struct JSONArgument {
    let value: JSONValue

    /// - Throws: `ValidationError`, which gives the error and its place.
    init(parsing argument: String) throws {
        guard let bytes = Self.bytes(argument) else {
            throw ValidationError("\(argument.dropFirst()) cannot be read: check the path and its permissions")
        }
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw ValidationError("this is no JSON: \(error)")
        }
    }

    /// Returns the bytes; nil if the file cannot be read.
    static func bytes(_ argument: String) -> [UInt8]? {
        if argument == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
        guard argument.hasPrefix("@") else { return Array(argument.utf8) }
        return FileManager.default.contents(atPath: String(argument.dropFirst())).map(Array.init)
    }
}

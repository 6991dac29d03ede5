import EyotContract
import EyotKit
import Foundation

/// The committed schema of a Live Activity type, for an app's own unit tests.
///
/// A test that calls ``check(_:examples:against:)`` fails as soon as the type differs from its file. The server
/// therefore gets the new schema in the same commit. To create or replace the file, let the test call
/// ``write(_:examples:to:)`` once.
@available(iOS 16.1, *)
public enum SchemaFile {
    /// Writes the schema of a type.
    ///
    /// - Parameters:
    ///   - examples: values for types that cannot be discovered automatically; see `ActivitySchema(of:examples:)`.
    ///   - file: the destination; conventionally `<type>.schema.json` beside the type.
    /// - Throws: ``ShapeProblem`` if the schema cannot be found, ``SchemaFileError`` if it differs from `JSONDecoder`'s
    ///   behaviour, or the error that kept the file from being written.
    public static func write<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, examples: [any Codable] = [], to file: URL
    ) throws {
        try Data((try schema(of: type, examples).json.indentedText + "\n").utf8).write(to: file)
    }

    /// Compares the committed schema with the type.
    ///
    /// - Throws: ``SchemaFileError`` that describes the difference, and the errors of ``write(_:examples:to:)``.
    public static func check<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, examples: [any Codable] = [], against file: URL
    ) throws {
        let found = try schema(of: type, examples)
        let committed = try ActivitySchema(json: JSONValue(parsing: Data(contentsOf: file)))
        guard committed != found else { return }
        throw SchemaFileError.outdated(
            type: found.type, file: file.lastPathComponent, SchemaDifference(from: committed, to: found))
    }

    private static func schema<Attributes: ActivityAttributes>(
        of type: Attributes.Type, _ examples: [any Codable]
    ) throws -> ActivitySchema {
        let schema = try ActivitySchema(of: type, examples: examples)
        try DecoderParity(types: schema.types).check(Attributes.self, schema.attributes)
        try DecoderParity(types: schema.types).check(Attributes.ContentState.self, schema.contentState)
        return schema
    }
}

/// Why a committed schema is not that of its type.
public enum SchemaFileError: Error, CustomStringConvertible {
    /// The type has changed since the file was written.
    case outdated(type: String, file: String, SchemaDifference)
    /// The type has custom decoding that its schema does not describe. The JSON is a value on which the schema and the
    /// decoder disagree.
    case disagrees(type: String, json: String, schema: String?, decoder: String?)

    /// The problem and the remedy.
    public var description: String {
        switch self {
        case .outdated(let type, let file, let difference):
            """
            \(type) no longer fits \(file): write it again with SchemaFile.write, and commit it.
            \(Self.list(difference.onOlderBuilds, "What is sent for the new version may not decode on phones with the old one"))\
            \(Self.list(difference.onNewerBuilds, "What was sent for the old version may not decode in the new one"))
            """
        case .disagrees(let type, let json, let schema, let decoder):
            """
            \(type) decodes in a way of its own: \(json) is \(schema.map { "refused by its schema (\($0))" } ?? "taken by its schema"), \
            and by JSONDecoder \(decoder.map { "refused (\($0))" } ?? "taken"). Let it say its shape: JSONShapeDescribing.
            """
        }
    }

    private static func list(_ mismatches: [SchemaMismatch], _ title: String) -> String {
        mismatches.isEmpty ? "" : "\(title):\n" + mismatches.map { "  \($0)\n" }.joined()
    }
}
